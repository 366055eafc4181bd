// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One resolution, from the question to the value.
///
/// It asks the layers who answers, the policy engine what to do, and then does it. No lock is held
/// while a block runs.
struct Resolution<Value> {
  let resolver: Resolver
  let request: Request
  /// The innermost layer that the calling task sees.
  let top: OverrideLayer?
  /// The innermost layer that may answer.
  let start: OverrideLayer?
  /// Who answers before all others, if it still can; a fault asks what it stands before.
  let first: Answer?
  /// The block on whose behalf this is asked.
  let construction: Construction?
  /// The innermost layer of the resolver that the calling task sees: the one that logs this.
  let layer: OverrideLayer?
  /// The order of this resolution in the log.
  let order: Int

  /// Begins a resolution.
  ///
  /// - Parameters:
  ///   - request: What is asked for. Its key is of type `Value`.
  ///   - resolver: Who is asked.
  ///   - top: The innermost layer that the calling task sees.
  ///   - start: The innermost layer that may answer; a decorator asks below its own.
  ///   - first: Who answers before all others, if it still can.
  init(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?,
    first: Answer? = nil
  ) {
    self.request = request
    self.resolver = resolver
    self.top = top
    self.start = start
    self.first = first
    construction = Construction.current
    layer = top?.nearest(of: resolver)
    order = layer == nil ? 0 : ResolutionLog.nextOrder()
  }

  private var tracker: DependencyTracker? { construction?.tracker }

  /// Only layers below this level may answer.
  private var ceiling: Int { start === top ? .max : (start?.level ?? 0) + 1 }

  /// The value, or an error that says why there is none.
  func value() throws(ResolutionError) -> Value {
    guard let value = try valueIfAnswered() else { throw error(.missing) }
    return value
  }

  /// The value, or `nil` if nothing answers.
  func valueIfAnswered() throws(ResolutionError) -> Value? {
    var preferred = first
    while let answer = preferred ?? resolver.answer(to: request, from: start) {
      preferred = nil
      let registration = answer.registration as! Registration<Value>
      let policy = LifecyclePolicy(
        registered: answer.lifecycle, resolvedAs: request.lifecycle,
        isFixed: registration.isLifecycleFixed)
      tracker?.contribute(answer.layer)
      note(answer)
      do throws(ResolutionError) {
        guard let value = try value(of: registration, answer, policy) else { continue }
        if let layer { layer.watch(value, for: request.key, at: request.callSite) }
        return value
      } catch {
        record(.failed, answer)
        if case .unimplemented = error.reason, error.key == request.key {
          answer.layer?.record(Violation(error.message, at: error.callSite))
        }
        throw error
      }
    }
    return try implicitValue()
  }

  /// Does what the policy says; `nil` if another resolution claimed the registration meanwhile.
  private func value(
    of registration: Registration<Value>, _ answer: Answer, _ policy: LifecyclePolicy
  ) throws(ResolutionError) -> Value? {
    switch (policy.source, policy.removesRegistration) {
    case (.block, false):
      return try made(registration, answer)
    case (.block, true):
      guard answer.store(resolver).claim(registration) else { return nil }
      do throws(ResolutionError) {
        return try made(registration, answer)
      } catch {
        answer.store(resolver).restore(registration)
        throw error
      }
    case (.cache, let isRemoved):
      let value = try shared(registration, answer)
      guard isRemoved else { return value }
      guard answer.store(resolver).claim(registration) else { return nil }
      forget(registration)
      return value
    }
  }

  /// Lets go of the instances of a registration that nobody can ask for any more.
  private func forget(_ registration: AnyRegistration) {
    resolver.store.forget(registration)
    top?.stack.forEach { $0.store.forget(registration) }
  }

  /// A value made for this resolution alone.
  private func made(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value {
    let value = try make(registration, tracker: tracker)
    layer?.noteMade(value, for: request.key)
    tracker?.add(provenance(of: registration, answer, []))
    record(.made, answer)
    return value
  }

  private func provenance(
    of registration: AnyRegistration, _ answer: Answer, _ dependencies: [Provenance]
  ) -> Provenance {
    Provenance(
      of: request.key, answer: .registration(registration), level: answer.level,
      resolver: resolver, ceiling: ceiling, dependencies: dependencies)
  }

  // MARK: Shared instances

  /// The instance that is kept, made first if there is none (L2).
  private func shared(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value {
    guard let sharing = registration.sharing else { throw error(.notShareable, registration) }
    if top == nil, tracker == nil, isHome(registration), let value = sharing.published.value {
      return value
    }
    let isMaking = construction?.isMaking(registration) ?? false
    while true {
      let scan = CacheScan(
        for: registration, ownedBy: answer.layer, under: top, resolver: resolver,
        isAlive: { sharing.value($0) != nil })
      if let usable = scan.usable, let instance = usable.instance,
        let value = sharing.value(instance)
      {
        tracker?.contribute(usable.layer)
        tracker?.add(
          instance.provenance.key == request.key
            ? instance.provenance : provenance(of: registration, answer, [instance.provenance]))
        record(.reused, answer)
        return value
      }
      guard !isMaking else { throw error(.cycle, registration) }
      let flight = Flight(
        of: registration, under: top, ownedBy: scan.placement,
        in: scan.placement?.store ?? resolver.store)
      switch FlightBoard.shared.take(flight, after: scan.entries, for: tracker?.flight) {
      case .lookAgain: continue
      case .wait(let other):
        other.latch.wait()
        tracker?.flight.unblock(from: other)
      case .cycle(let route):
        throw error(.cycle, registration, through: route.map(\.registration))
      case .lead: return try lead(flight, sharing, registration, answer, isKept: true)
      case .leadAlone: return try lead(flight, sharing, registration, answer, isKept: false)
      }
    }
  }

  /// Makes the instance that others may be waiting for.
  private func lead(
    _ flight: Flight, _ sharing: Sharing<Value>, _ registration: Registration<Value>,
    _ answer: Answer, isKept: Bool
  ) throws(ResolutionError) -> Value {
    let own = DependencyTracker(flight, within: tracker)
    var instance: (any AnyInstance)?
    defer {
      own.close()
      FlightBoard.shared.land(flight, with: instance, for: tracker?.flight)
      tracker?.contribute(flight.owner)
      if !isCurrent(registration, answer) { flight.store.forget(registration) }
    }
    let value = try make(registration, tracker: own)
    layer?.noteMade(value, for: request.key)
    let provenance = provenance(of: registration, answer, own.dependencies)
    if isKept, !own.isTransient {
      instance = sharing.instance(value, provenance)
      if flight.owner == nil, registration.retention == .strong, isHome(registration) {
        sharing.published.publish(value)
      }
    }
    tracker?.add(provenance)
    record(.made, answer)
    return value
  }

  /// False if the key was registered anew, or unregistered, while the instance was being made (L6).
  private func isCurrent(_ registration: AnyRegistration, _ answer: Answer) -> Bool {
    registration === request.declared || registration === first?.registration
      || answer.store(resolver).registration(for: registration.key) === registration
  }

  /// True if what production keeps of a registration is this resolver's: a declared dependency has
  /// one fast slot, which is the main resolver's; others keep theirs in their stores.
  private func isHome(_ registration: AnyRegistration) -> Bool {
    registration !== request.declared || resolver === Resolver.main
  }

  // MARK: Making

  /// Runs the block.
  private func make(
    _ registration: Registration<Value>, tracker: DependencyTracker?
  ) throws(ResolutionError) -> Value {
    if let construction {
      guard construction.depth < Resolver.maximumDepth else { throw error(.tooDeep, registration) }
      guard request.argument != nil || !construction.isMaking(registration) else {
        throw error(.cycle, registration)
      }
    }
    do {
      return try run(registration, tracker: tracker)
    } catch let error as ResolutionError {
      throw error
    } catch let mismatch as ArgumentMismatch {
      throw error(.argument(expected: mismatch.expected, given: mismatch.given), registration)
    } catch let fault as InjectedFault {
      throw error(.failed(fault.underlying), registration, note: fault.note)
    } catch is UnimplementedUse {
      throw error(.unimplemented, registration)
    } catch is NothingToDecorate {
      throw error(.nothingToDecorate, registration)
    } catch let unheld as Unheld {
      throw error(unheld == .released ? .released : .notAnObject, registration)
    } catch {
      throw self.error(.failed(error), registration)
    }
  }

  private func run(_ registration: Registration<Value>, tracker: DependencyTracker?) throws -> Value
  {
    let invocation = Invocation(resolver: resolver, request: request)
    return try Construction.run(registration, tracker: tracker, order: order) {
      guard let top else { return try registration.make(invocation) }
      return try top.scope.running { try registration.make(invocation) }
    }
  }

  // MARK: Types that need no registration of their own

  /// What `T?` and `[T]` are without a registration: nothing or one, and all of them.
  private func implicitValue() throws(ResolutionError) -> Value? {
    guard let type = Value.self as? any ImplicitlyResolvable.Type else {
      record(.missed, nil)
      return nil
    }
    return try implicitValue(of: type)
  }

  private func implicitValue<Implicit: ImplicitlyResolvable>(
    of type: Implicit.Type
  ) throws(ResolutionError) -> Value {
    let value = try Implicit.resolve(request, of: resolver, under: top, from: start)
    return (Exactly(value: value) as AnyObject as! Exactly<Value>).value
  }

  // MARK: Outcomes

  /// Notes who answers: an override is used, or the layers are fallen through (O8).
  private func note(_ answer: Answer) {
    guard let layer else { return }
    guard answer.layer == nil else { return answer.registration.markUsed() }
    let weight = layer.options.weight(of: .fallThrough)
    guard weight != .off, start === top, !layer.allowed.contains(where: { $0 == request.key.type })
    else { return }
    layer.record(
      Violation(
        resolver.fallThroughMessage(request, path: path + [request.key], under: layer),
        severity: weight == .error ? .error : .warning, at: request.callSite))
  }

  private var path: [AnyKey] { (construction?.path ?? []).map(\.key) }

  private func record(_ outcome: ResolutionEvent.Outcome, _ answer: Answer?) {
    guard let log = layer?.log else { return }
    let isIgnored =
      request.argument != nil && (outcome == .reused || answer?.registration.argumentType == nil)
    log.record(
      ResolutionEvent(
        order: order, parent: construction.flatMap { $0.order == 0 ? nil : $0.order },
        key: request.key, requester: construction?.registration.key, layer: answer?.layer?.name,
        outcome: outcome, argument: request.argument.map { String(describing: $0) },
        ignoredArgument: isIgnored, callSite: request.callSite),
      answeredBy: answer?.registration.key, isCounted: start === top)
  }

  private func error(
    _ reason: ResolutionError.Reason, _ registration: AnyRegistration? = nil,
    through route: [AnyRegistration] = [], note: String? = nil
  ) -> ResolutionError {
    resolver.error(
      reason, request, path: path + (route.isEmpty ? [request.key] : route.map(\.key)),
      registration: registration, under: start, note: note)
  }
}

/// Carries a value to where its type is known by another name. (A cast of the value itself would
/// flatten optionals.)
private final class Exactly<Value> {
  let value: Value

  init(value: Value) {
    self.value = value
  }
}
