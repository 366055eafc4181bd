// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The cache in front of the engine. It makes no decisions, and results are the same without it.
enum ResolutionCache {
  /// False to switch off the cache, for test runs that prove equal results.
  static let isEnabled = environmentValue(of: "UNDERSTUDY_CACHE") != "off"
}

extension Resolver {
  /// The cached instance for a type alone in a process without layers, or `nil` to search further.
  @usableFromInline
  func cachedInstance(of type: any Any.Type) -> AnyInstance? {
    if Creation.areAny || OverrideLayer.areAnyAlive { return nil }
    return productionAnswer(Identity(type, number: 0))?.instance
  }

  /// The cached instance for a key in a process without layers, or `nil` to search further.
  @usableFromInline
  func cachedInstance(for key: AnyKey) -> AnyInstance? {
    if Creation.areAny || OverrideLayer.areAnyAlive { return nil }
    return productionAnswer(key.identity)?.instance
  }

  private func productionAnswer(_ key: Identity) -> CachedAnswer? {
    let lock = store.lock
    lock.lock()
    let answer = lock.cachedAnswer(key, of: store)
    lock.unlock()
    guard let answer, answer.generation == store.generation else { return nil }
    return answer
  }

  /// Searches the cache for a request. Returns `nil` to ask the engine. A request from an instance
  /// in creation goes to the engine, which notes it as a dependency.
  ///
  /// - Parameter order: The order of the request in the log. An instance is counted and logged.
  func cachedAnswer(_ request: Request, _ caller: Surroundings, _ order: inout Int) -> CachedAnswer?
  {
    guard request.isCacheable, caller.construction?.creation == nil else { return nil }
    let key = request.key
    guard let top = caller.top else {
      if OverrideLayer.areAnyAlive, TestHosts.areAny { return nil }
      return productionAnswer(key.identity)
    }
    guard top.isOfTest || !TestHosts.areAny, let layer = top.nearest(of: self) else {
      return nil
    }
    let lock = top.store.lock
    let identity = key.identity(under: top.store)
    order = AtomicInt.lastResolution.next()
    lock.lock()
    guard let answer = lock.cachedAnswer(identity, of: store), answer.generation == store.generation
    else {
      lock.unlock()
      return nil
    }
    guard answer.instance != nil else {
      lock.unlock()
      return answer
    }
    let displaced = layer.log.recordLocked(
      ResolutionEvent(
        order: order, parentOrder: caller.construction?.order ?? 0, key: key,
        requester: caller.construction?.registration.key,
        requesterSerial: caller.construction?.registration.serial, label: answer.label,
        outcome: .reused, argument: nil, ignoredArgument: false, callSite: request.callSite),
      answer.registration?.otherKey(than: key))
    lock.unlock()
    withExtendedLifetime(displaced) {}
    return answer
  }

  package func value<Value>(for request: Request) throws(ResolutionError) -> Value {
    try value(for: request, .current)
  }

  func value<Value>(for request: Request, _ caller: Surroundings) throws(ResolutionError) -> Value {
    var order = 0
    if let cached = cachedAnswer(request, caller, &order) {
      if let instance = cached.instance { return instance.strongValue(as: Value.self) }
      if let block = block(of: cached, for: request, caller) {
        return try called(block.typed(as: Value.self), cached, for: request, caller, order)
      }
    }
    return try resolution(of: request, for: caller, order: order).value()
  }

  func asyncValue<Value>(for request: Request) async throws(ResolutionError) -> Value {
    let caller = Surroundings.current
    var order = 0
    if let cached = cachedAnswer(request, caller, &order) {
      if let instance = cached.instance { return instance.strongValue(as: Value.self) }
      if let block = block(of: cached, for: request, caller) {
        return try called(block.typed(as: Value.self), cached, for: request, caller, order)
      }
    }
    return try await resolution(of: request, for: caller, order: order).asyncValue()
  }

  /// The registration whose block a cached answer calls, or `nil` to ask the engine.
  private func block(
    of cached: CachedAnswer, for request: Request, _ caller: Surroundings
  ) -> AnyRegistration? {
    guard
      let registration = cached.registration ?? request.declared ?? request.key.declaredDefault
    else { return nil }
    // The engine has to explain a recursion.
    if let outer = caller.construction,
      outer.depth >= Resolver.maximumDepth || outer.isCreating(registration, for: self)
    {
      return nil
    }
    return registration
  }

  private func called<Value>(
    _ registration: Registration<Value>, _ cached: CachedAnswer, for request: Request,
    _ caller: Surroundings, _ order: Int
  ) throws(ResolutionError) -> Value {
    let outer = caller.construction
    let construction = Construction(
      registration, of: self, creation: nil, order: order, isOnMainActor: request.isOnMainActor,
      within: outer)
    caller.top?.beginRunning()
    defer { caller.top?.endRunning() }
    let generation = caller.top?.store.lock.generation
    let value: Value
    do {
      value = try construction.run {
        let value = try registration.directValue(self)
        try construction.complete()
        return value
      }
    } catch is UnfinishedElsewhere {
      return try self.resolution(of: request, for: caller, order: order).value()
    } catch {
      construction.failToComplete()
      let resolution = Resolution(
        request, of: self, for: caller, from: caller.top?.store, order: order)
      throw resolution.failed(error, registration, by: cached.label)
    }
    guard let layer = caller.top?.nearest(of: self) else { return value }
    // The block may have registered a disposer of its value.
    if generation != caller.top?.store.lock.generation, layer.hasDisposers {
      layer.noteMade(value, for: request.key, by: registration.key, keptAt: nil)
    }
    layer.log.record(
      ResolutionEvent(
        order: order, parentOrder: outer?.order ?? 0, key: request.key,
        requester: outer?.registration.key, requesterSerial: outer?.registration.serial,
        label: cached.label, outcome: .made, argument: nil, ignoredArgument: false,
        callSite: request.callSite),
      registration.otherKey(than: request.key))
    if layer.isOfTest { layer.watch(value, for: request.key, at: request.callSite) }
    return value
  }
}

extension Registration {
  /// The value of a block whose only parameter is the resolver.
  fileprivate func directValue(_ resolver: Resolver) throws -> Value {
    switch block {
    case .plain(let block): try block()
    case .direct(let block): try block(resolver)
    case .existing(let value): value()
    default: preconditionFailure("only a direct block is cached")
    }
  }
}
