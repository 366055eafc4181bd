// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  enum Action {
    /// Hand out a cached instance. If it is new, it stores an existing value.
    case reuse(AnyInstance, owner: LevelStore, isNew: Bool)
    /// Hand out an instance that is not complete yet.
    case reuseEarly(EarlyInstance, of: Creation, owner: LevelStore)
    /// Call the block; with `nil`, for this request alone. Other requests wait for a creation that
    /// is stored. The request may use its registration up.
    case create(Creation?, usesUp: Bool)
    /// Wait for an in-flight creation, then ask again.
    case wait(Creation, at: Latch)
    /// Run a fault, and forward the request if it does not throw.
    case forward
    case fail(ResolutionError.Reason, through: [AnyRegistration])
    /// Ask again: another request claimed the registration.
    case askAgain
    /// Leave the request to the synchronous driver at another place: the value is created there.
    case leave(to: MakingPlace)
  }

  struct Decision {
    let answer: Answer
    let action: Action
  }

  /// Lets the engine decide. Returns `nil` if nothing answers, or if a layer of the caller has
  /// ended in the meantime. The driver notes the decision.
  ///
  /// - Parameter isWaiting: True for the asynchronous driver.
  func decide(isWaiting: Bool = false) -> Decision? {
    // Read before the levels are locked.
    let generation = layer?.store.lock.generation ?? 0
    let isDisposing = layer?.hasDisposers ?? false
    if TestHosts.areAny { escapedWorkGuard = .ofCaller(under: top) }
    // The thread of a suspending task tells nothing about it.
    let requester = isWaiting ? creation : requester
    var garbage = Garbage()
    levels.lock()
    defer {
      levels.unlock()
      garbage.release()
    }
    // A disposer that came in the meantime is a change.
    let isCurrent = layer == nil || layer?.store.lock.generation == generation
    return decided(
      isDisposing: isDisposing, isWaiting: isWaiting, for: requester, isCached: isCurrent, &garbage)
  }

  /// True if the answering layer overrides a parent of the requested resolver, and a resolver below
  /// that parent registers the key.
  private func isRegisteredByChild(_ answer: Answer) -> Bool {
    resolver.parent != nil
      && resolver.lineage.prefix { $0.store !== answer.level.production }
        .contains { $0.contains(request.key) }
  }

  /// Notes the decision, outside of the locks.
  func recordEffects(of decision: Decision) {
    let answer = decision.answer
    if let layer, layer.isOfSuite { layer.noteTestOfSuite() }
    if answer.isOfLayer {
      answer.registration.mark(.used)
      // Production would have answered, or the caller could have continued without an answer.
      if request.mayBeMissing || request.key.declaration != nil || isRegisteredByChild(answer) {
        answer.registration.mark(.answeredKnownKey)
      }
    }
    if let creation {
      if answer.isOfLayer || answer.level.outer != nil {
        creation.contribute(answer.level, at: answer.level.production)
      }
      noteRefusal(of: answer, for: creation)
    }
    recordUse(of: answer)
  }

  private func decided(
    isDisposing: Bool, isWaiting: Bool, for requester: Creation?, isCached: Bool,
    _ garbage: inout Garbage
  ) -> Decision? {
    let found = answer()
    if let top = levels.top, found?.level !== top, levels.isAfterEnd {
      isAfterEnd = true
      return nil
    }
    guard let answer = found else { return nil }
    let registration = answer.registration
    if isWaiting {
      let place = maker(of: answer)?.registration.place ?? .caller
      if place != .anywhere { return Decision(answer: answer, action: .leave(to: place)) }
    }
    if registration.isFault { return Decision(answer: answer, action: .forward) }
    if let reason = refusal(of: answer) {
      return Decision(answer: answer, action: .fail(reason, through: []))
    }
    let policy = levels.policy(of: answer, to: request)
    let action: Action =
      switch policy.source {
      case .block:
        policy.removesRegistration && !claim(answer, &garbage)
          ? .askAgain : .create(nil, usesUp: false)
      case .cache:
        cached(
          answer, policy, isDisposing: isDisposing, isWaiting: isWaiting, for: requester, &garbage)
      }
    if isCached { cache(answer, action, policy, isDisposing: isDisposing, &garbage) }
    return Decision(answer: answer, action: action)
  }

  /// The registration whose block creates the value. This runs while the levels are locked.
  func maker(of answer: Answer) -> Answer? {
    levels.maker(of: answer, to: request.key, declared: request.declared)
  }

  /// The answering registration: the preferred one, as long as it can answer requests.
  private func answer() -> Answer? {
    if let preferred {
      if levels.isCurrent(preferred) { return preferred }
      self.preferred = nil
    }
    return levels.answer(to: request.key, from: start, declared: request.declared)
  }

  /// Caches the decision for the next request, if that only hands out the instance or calls the
  /// block.
  private func cache(
    _ answer: Answer, _ action: Action, _ policy: LifecyclePolicy, isDisposing: Bool,
    _ garbage: inout Garbage
  ) {
    let registration = answer.registration
    let instance: AnyInstance?
    switch action {
    case .reuse(let found, _, _): instance = found
    case .create(nil, _) where registration.isDirect && !isDisposing: instance = nil
    default: return
    }
    let production = levels.production
    // A request that waited may outlive its layer.
    if levels.top?.state.value.isEnded == true { return }
    guard ResolutionCache.isEnabled, registration.isPlain, !policy.removesRegistration,
      !sawCreation, start === levels.top, request.isCacheable, preferred == nil,
      !production.observers.areAny
    else { return }
    if answer.isOfLayer {
      if answer.claimant != nil { return }
    } else {
      if let layer, layer.checksFallThrough { return }
      if production.outer != nil, registration.key.declaration != nil { return }
    }
    // The registration of a declared dependency belongs to the caller, which may create it anew for
    // each access.
    let isCallers = registration.isDeclaredDefault && instance == nil
    // A function that declares it may give it another key for each access.
    if isCallers, request.key.declaration?.function != nil { return }
    let cached = CachedAnswer(
      request.key, of: production, isCallers ? nil : registration, instance,
      by: answer.level.label, generation: production.generation)
    let lock = (levels.top ?? production).lock
    if lock.keep(cached, for: request.key.identity(under: levels.top), &garbage) {
      // The resolvers that have another lock.
      (levels.top == nil ? production.outer : production)?.addDependent(lock, &garbage)
    }
  }
}
