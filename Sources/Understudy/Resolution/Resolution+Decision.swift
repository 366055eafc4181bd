// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  /// What the driver does next.
  enum Action {
    /// Hand out a cached instance. If it is new, it stores an existing value.
    case reuse(AnyInstance, owner: LevelStore, isNew: Bool)
    /// Hand out an instance that is not complete yet.
    case reuseEarly(EarlyInstance, of: Creation, owner: LevelStore)
    /// Call the block for this request alone.
    case call
    /// Call the block. Other requests wait for the instance, unless it is for this request alone.
    /// The request may use the registration up.
    case create(Creation, isStored: Bool, usesUp: Bool)
    /// Wait for an in-flight creation, then ask again.
    case wait(Creation, at: Latch)
    /// Run a fault, and forward the request if it does not throw.
    case forward
    /// Fail.
    case fail(ResolutionError.Reason, through: [AnyRegistration])
    /// Ask again: another request claimed the registration.
    case askAgain
    /// Leave the request to the synchronous driver at another place: the value is created there.
    case leave(to: MakingPlace)
  }

  /// A decision of the engine: the answer, and what the driver does with it.
  struct Decision {
    let answer: Answer
    let action: Action
  }

  /// Lets the engine decide. Returns `nil` if nothing answers. The driver notes the decision.
  ///
  /// - Parameter isWaiting: True for the asynchronous driver.
  func decide(isWaiting: Bool = false) -> Decision? {
    // Read before the levels are locked.
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
    return decided(isDisposing: isDisposing, isWaiting: isWaiting, for: requester, &garbage)
  }

  /// Notes the decision, outside of the locks.
  func note(_ decision: Decision) {
    let answer = decision.answer
    if answer.isOfLayer { answer.registration.markUsed(by: request) }
    if let creation, answer.isOfLayer || answer.level.outer != nil {
      creation.contribute(answer.level)
    }
    if let creation { noteRefusal(of: answer, for: creation) }
    note(answer)
  }

  private func decided(
    isDisposing: Bool, isWaiting: Bool, for requester: Creation?, _ garbage: inout Garbage
  ) -> Decision? {
    guard let answer = answer() else { return nil }
    let registration = answer.registration
    if isWaiting {
      let place = levels.maker(of: answer)?.registration.place ?? .caller
      if place != .anywhere {
        return Decision(answer: answer, action: .leave(to: place))
      }
    }
    if registration.isFault { return Decision(answer: answer, action: .forward) }
    if let reason = refusal(of: answer) {
      return Decision(answer: answer, action: .fail(reason, through: []))
    }
    let policy = levels.policy(of: answer, as: request.lifecycle)
    let action =
      switch policy.source {
      case .block: called(answer, policy, &garbage)
      case .cache:
        cached(
          answer, policy, isDisposing: isDisposing, isWaiting: isWaiting, for: requester, &garbage)
      }
    cache(answer, action, policy, isDisposing: isDisposing, &garbage)
    return Decision(answer: answer, action: action)
  }

  /// The answering registration: the preferred one, as long as it can answer requests.
  private func answer() -> Answer? {
    if let preferred {
      if levels.isCurrent(preferred) { return preferred }
      self.preferred = nil
    }
    return levels.answer(to: request.key, from: start, declared: request.declared)
  }

  private func called(
    _ answer: Answer, _ policy: LifecyclePolicy, _ garbage: inout Garbage
  ) -> Action {
    guard policy.removesRegistration else { return .call }
    return claim(answer, &garbage) ? .call : .askAgain
  }

  /// Claims the registration of an answer.
  private func claim(
    _ answer: Answer, wasCached: Bool = false, _ garbage: inout Garbage
  ) -> Bool {
    let level = answer.claimant ?? answer.level
    let isElsewhere =
      answer.claimant != nil || answer.isMember || answer.registration.isDeclaredDefault
    let isLasting = answer.isMember || answer.registration.isBrought || level === answer.level
    guard
      level.state.value.claim(
        answer.registration, ofRank: answer.level.rank, isElsewhere: isElsewhere,
        isLasting: isLasting)
    else { return false }
    level.lock.noteChange(&garbage)
    claims.append(
      Claim(
        answer: answer, stack: levels, callSite: request.callSite, wasCached: wasCached))
    return true
  }

  private func cached(
    _ answer: Answer, _ policy: LifecyclePolicy, isDisposing: Bool, isWaiting: Bool,
    for requester: Creation?, _ garbage: inout Garbage
  ) -> Action {
    let registration = answer.registration
    guard registration.isShareable else { return .fail(.notShareable, through: []) }
    // A layer has to know of a value to dispose of before other requests see the value.
    if registration.isExisting, !isDisposing { return existing(answer, policy, &garbage) }
    var scan = levels.scan(for: answer, &garbage)
    sawCreation = scan.creation != nil
    var isRefused = false
    if escapedWorkGuard != nil, let found = scan.instance {
      isRefused = self.isRefused(found, of: answer)
    }
    if isRefused {
      scan.instance = nil
    } else if let found = scan.instance, let layer = layerDecidingOtherwise(found, of: scan.owner) {
      if let part = refusedPartThatIsGone(of: found) {
        return .fail(.fellThrough(layer: layer.name), through: [registration, part])
      }
      scan.instance = nil
      scan.owner = layer.store
    }
    if let instance = scan.instance {
      if policy.removesRegistration, !claim(answer, wasCached: true, &garbage) { return .askAgain }
      return .reuse(instance, owner: scan.owner, isNew: false)
    }
    if construction?.isCreating(registration) == true { return .fail(.cycle, through: []) }
    let fresh = Creation(
      of: registration, owner: scan.owner, in: levels, for: requester, isAsynchronous: isWaiting)
    // No layer can own it.
    if isRefused {
      return .create(fresh, isStored: false, usesUp: policy.removesRegistration)
    }
    guard let other = scan.creation else {
      let owner = scan.owner
      owner.state.value.begin(fresh, &garbage)
      fresh.state.isListed = true
      return .create(fresh, isStored: true, usesUp: policy.removesRegistration)
    }
    // The end of an asynchronous block waits for no completion.
    if let early = other.state.early as? EarlyInstance, let construction,
      !construction.root.isAsynchronous
    {
      if policy.removesRegistration, !claim(answer, wasCached: true, &garbage) { return .askAgain }
      return .reuseEarly(early, of: other, owner: other.state.owner)
    }
    // The latch is created under the same lock that guards the creation, so every later end of the
    // creation opens it.
    let latch = other.state.latchOfWaiters()
    guard let requester, let route = Waiting.begin(for: other, by: requester, at: latch) else {
      return .wait(other, at: latch)
    }
    // With another stack of layers in between, this is no cycle, but waiting would never end.
    let isCycle = route.allSatisfy { $0.stack.top === requester.stack.top }
    return isCycle
      ? .fail(.cycle, through: route.map(\.registration))
      : .create(fresh, isStored: false, usesUp: policy.removesRegistration)
  }

  /// The instance of an existing value. It has no dependencies, so only one cache can hold it.
  private func existing(
    _ answer: Answer, _ policy: LifecyclePolicy, _ garbage: inout Garbage
  ) -> Action {
    let registration = answer.registration
    if policy.removesRegistration, !claim(answer, wasCached: true, &garbage) { return .askAgain }
    let owner = levels.boundary(above: answer.level) ?? answer.level
    if let stored = owner.state.value.instance(of: registration) {
      return .reuse(stored, owner: owner, isNew: false)
    }
    guard let fresh = registration.existingInstance() else {
      preconditionFailure("an existing value has an instance")
    }
    if let construction, construction.depth >= Resolver.maximumDepth {
      return .fail(.tooDeep, through: [])
    }
    if !policy.removesRegistration { owner.state.value.store(fresh, &garbage) }
    return .reuse(fresh, owner: owner, isNew: true)
  }

  /// Claims the registration of a created value. Returns `false` if another request claimed it.
  func claim(_ answer: Answer) -> Bool {
    levels.changing { claim(answer, wasCached: true, &$0) }
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
    case .call where registration.isDirect && !isDisposing: instance = nil
    default: return
    }
    let production = levels.production
    // A request that waited may outlive its layer.
    if levels.top?.state.value.isEnded == true { return }
    guard ResolutionCache.isEnabled, registration.isPlain, !policy.removesRegistration,
      !sawCreation, startsAtTop, request.isCacheable, preferred == nil, !production.observers.areAny
    else { return }
    if answer.isOfLayer {
      if answer.claimant != nil { return }
    } else {
      if let layer, layer.checksFallThrough { return }
      if registration.isDeclared, production.outer != nil { return }
    }
    // The registration of a declared dependency belongs to the caller, which may create it anew for
    // each access.
    let isCallers = registration.isDeclaredDefault && instance == nil
    let cached = CachedAnswer(
      request.key, of: production, isCallers ? nil : registration, instance,
      by: answer.level.label, generation: production.generation)
    let lock = (levels.top ?? production).lock
    lock.keep(cached, for: request.key.identity(under: levels.top), &garbage)
    // The resolvers that have another lock.
    guard let source = levels.top == nil ? production.outer : production,
      lock.dependsAnew(on: source)
    else { return }
    source.addDependent(lock, &garbage)
  }

  /// Stores a created instance and lets waiting requests ask again. Without an instance, the
  /// creation failed.
  func land(_ creation: Creation, with instance: AnyInstance?, _ answer: Answer) {
    var garbage = Garbage()
    levels.lock()
    creation.state.isOpen = false
    if let early = exchange(&creation.state.early, with: nil) { garbage.add(early) }
    let owner = creation.state.owner
    owner.state.value.end(creation, &garbage)
    creation.state.isListed = false
    let latch = creation.state.endWaits(for: creation)
    var replaced: AnyInstance?
    if let instance {
      replaced = owner.state.value.instance(of: creation.registration)
      if replaced != nil { owner.lock.noteChange(&garbage) }
      owner.state.value.store(instance, &garbage)
    }
    if !levels.isCurrent(answer) { levels.forgetInstances(of: answer, &garbage) }
    if let observed, owner.state.value.instance(of: creation.registration) !== instance {
      observed.owner = nil
    }
    levels.unlock()
    latch?.open()
    if replaced != nil { levels.flushDependents(&garbage) }
    garbage.release()
    if observed != nil, let replaced, replaced.isMade {
      owner.observers.send(ResolverEvent(.disposed, replaced.registration, in: owner))
    }
  }
}
