// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The cache in front of the engine. It never decides anything: leaving it out changes no result.
enum ResolutionCache {
  /// False to leave the cache out, for the runs of the tests that prove so.
  static let isEnabled = environmentValue(of: "UNDERSTUDY_CACHE") != "off"
}

/// A cached answer for one request. If it is an instance, it is counted and logged already.
private struct CachedResolution {
  let answer: CachedAnswer
  let top: OverrideLayer?
  let layer: OverrideLayer?
  let order: Int
}

extension Resolver {
  /// The cached instance for a type alone, or `nil` to ask the engine.
  @usableFromInline
  func cachedInstance(of type: any Any.Type, at callSite: CallSite) -> AnyInstance? {
    if Creation.areAny || OverrideLayer.areAnyAlive {
      return cached(AnyKey(plain: type), at: callSite, mayCall: false)?.answer.instance
    }
    return productionAnswer(ObjectIdentifier(type), nil)?.instance
  }

  /// The cached instance for a key, or `nil` to ask the engine.
  @usableFromInline
  func cachedInstance(for key: AnyKey, at callSite: CallSite) -> AnyInstance? {
    if Creation.areAny || OverrideLayer.areAnyAlive {
      return cached(key, at: callSite, mayCall: false)?.answer.instance
    }
    return productionAnswer(ObjectIdentifier(key.type), key.discriminator?.identity)?.instance
  }

  private func productionAnswer(
    _ type: ObjectIdentifier, _ discriminator: ObjectIdentifier?
  ) -> CachedAnswer? {
    let lock = store.lock
    lock.lock()
    let answer = lock.cachedAnswer(type, discriminator, under: nil, of: store)
    lock.unlock()
    guard let answer,
      parent == nil
        || answer.generation == LevelStack(top: nil, production: store).productionGeneration
    else { return nil }
    return answer
  }

  /// Looks for a request in the cache. A request on behalf of an instance that is being created
  /// goes to the engine, which notes it as a dependency.
  private func cached(
    _ key: AnyKey, at callSite: CallSite, mayCall: Bool
  ) -> CachedResolution? {
    let construction = Construction.current
    guard construction?.creation == nil else { return nil }
    let (type, discriminator) = (ObjectIdentifier(key.type), key.discriminator?.identity)
    guard OverrideLayer.areAnyAlive, let top = OverrideLayer.bound else {
      if OverrideLayer.areAnyAlive, TestHosts.areAny { return nil }
      return productionAnswer(type, discriminator).map {
        CachedResolution(answer: $0, top: nil, layer: nil, order: 0)
      }
    }
    guard top.test != nil || !TestHosts.areAny, let layer = top.nearest(of: self) else {
      return nil
    }
    let lock = top.store.lock
    lock.lock()
    guard
      let answer = lock.cachedAnswer(type, discriminator, under: top.store, of: store),
      answer.generation == LevelStack(top: nil, production: store).productionGeneration,
      mayCall || answer.instance != nil
    else {
      lock.unlock()
      return nil
    }
    let order = lock.nextNumber()
    var displaced: ArraySlice<ResolutionEvent> = []
    if answer.instance != nil {
      let other = answer.registration?.key
      displaced = layer.log.recordLocked(
        ResolutionEvent(
          key, .reused, by: answer.label, order: order, parent: construction?.order ?? 0,
          requester: construction?.registration.key, at: callSite), other == key ? nil : other)
    }
    lock.unlock()
    withExtendedLifetime(displaced) {}
    return CachedResolution(answer: answer, top: top, layer: layer, order: order)
  }

  /// The value of a cached answer; `nil` to ask the engine.
  func cachedValue<Value>(for request: Request) throws(ResolutionError) -> Value? {
    guard request.isCacheable,
      let cached = cached(request.key, at: request.callSite, mayCall: true)
    else { return nil }
    if let instance = cached.answer.instance { return instance.strongValue(as: Value.self) }
    guard
      let registration = cached.answer.registration ?? request.declared
        ?? request.key.declaredDefault
    else { return nil }
    return try called(.typed(registration), cached, for: request)
  }

  /// Calls the block of a cached answer.
  private func called<Value>(
    _ registration: Registration<Value>, _ cached: CachedResolution, for request: Request
  ) throws(ResolutionError) -> Value? {
    let outer = Construction.current
    // A recursion is the engine's to explain.
    if let outer, outer.depth >= Resolver.maximumDepth || outer.isCreating(registration) {
      return nil
    }
    let construction = Construction(
      registration, of: self, creation: nil, order: cached.order,
      isOnMainActor: request.isOnMainActor, within: outer)
    cached.top?.scope.beginRunning()
    defer { cached.top?.scope.endRunning() }
    let generation = cached.top?.store.lock.generation
    let value: Value
    do {
      value = try construction.run { try registration.directValue(self) }
    } catch {
      let resolution = Resolution(
        request, of: self, under: cached.top, from: cached.top?.store, within: outer,
        order: cached.order)
      throw resolution.failed(error, registration, by: cached.answer.label)
    }
    guard let layer = cached.layer else { return value }
    // The block may have asked for its value to be disposed of.
    if generation != cached.top?.store.lock.generation, layer.hasDisposers {
      layer.noteMade(value, for: request.key, by: registration.key, keptAt: nil)
    }
    layer.log.record(
      ResolutionEvent(
        request.key, .made, by: cached.answer.label, order: cached.order,
        parent: outer?.order ?? 0, requester: outer?.registration.key, at: request.callSite),
      registration.key == request.key ? nil : registration.key)
    if layer.test != nil { layer.watch(value, for: request.key, at: request.callSite) }
    return value
  }
}

extension Registration {
  /// The value of a block that takes nothing but the resolver.
  fileprivate func directValue(_ resolver: Resolver) throws -> Value {
    switch block {
    case .plain(let block): try block()
    case .direct(let block): try block(resolver)
    case .existing(let value): value()
    default: preconditionFailure("only a direct block is cached")
    }
  }
}
