// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  /// What a request for a cached value does: it uses the stored instance, begins the only creation
  /// of it, or waits for the one that another request began.
  func cached(
    _ answer: Answer, _ policy: LifecyclePolicy, isDisposing: Bool, isWaiting: Bool,
    for requester: Creation?, _ garbage: inout Garbage
  ) -> Action {
    let registration = answer.registration
    guard registration.isShareable else { return .fail(.notShareable, through: []) }
    // A layer has to know of a value to dispose of before other requests see the value.
    if registration.isExisting, !isDisposing { return existing(answer, policy, &garbage) }
    var scan = levels.scan(for: answer, to: request, &garbage)
    sawCreation = scan.creation != nil
    let isRefused =
      escapedWorkGuard != nil && scan.instance.map { self.isRefused($0, of: answer) } ?? false
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
    if construction?.isCreating(registration, for: resolver) == true {
      return .fail(.cycle, through: [])
    }
    let fresh = Creation(
      of: registration, decorating: scan.decorated, owner: scan.owner, home: scan.home,
      in: levels, for: requester, isAsynchronous: isWaiting,
      isStored: !isRefused && scan.creation == nil)
    // No layer can own it.
    if isRefused { return .create(fresh, usesUp: policy.removesRegistration) }
    guard let other = scan.creation else {
      let owner = scan.owner
      owner.state.value.begin(fresh, at: scan.home.number, &garbage)
      fresh.state.value.isListed = true
      return .create(fresh, usesUp: policy.removesRegistration)
    }
    // It decorates a value that no longer answers.
    if other.decorated !== scan.decorated {
      return .create(fresh, usesUp: policy.removesRegistration)
    }
    return joining(other, or: fresh, answer, policy, for: requester, &garbage)
  }

  /// What a request does about the creation that another request began: it uses the early value,
  /// waits for the instance, or creates one of its own if waiting would never end.
  private func joining(
    _ other: Creation, or fresh: Creation, _ answer: Answer, _ policy: LifecyclePolicy,
    for requester: Creation?, _ garbage: inout Garbage
  ) -> Action {
    // The end of an asynchronous block waits for no completion.
    if let early = other.state.value.early as? EarlyInstance, let construction,
      !construction.root.isAsynchronous
    {
      if policy.removesRegistration, !claim(answer, wasCached: true, &garbage) { return .askAgain }
      return .reuseEarly(early, of: other, owner: other.state.value.outcome.owner)
    }
    // The latch is created under the same lock that guards the creation, so every later end of the
    // creation opens it.
    let latch = other.state.value.latch ?? Latch()
    other.state.value.latch = latch
    guard let requester, let route = Waiting.begin(for: other, by: requester, at: latch) else {
      return .wait(other, at: latch)
    }
    // With another stack of layers in between, this is no cycle, but waiting would never end.
    let isCycle = route.allSatisfy { $0.stack.top === requester.stack.top }
    return isCycle
      ? .fail(.cycle, through: route.map(\.registration))
      : .create(fresh, usesUp: policy.removesRegistration)
  }

  /// The instance of an existing value. It has no dependencies, so only one cache can hold it.
  private func existing(
    _ answer: Answer, _ policy: LifecyclePolicy, _ garbage: inout Garbage
  ) -> Action {
    let registration = answer.registration
    if policy.removesRegistration, !claim(answer, wasCached: true, &garbage) { return .askAgain }
    let owner = levels.boundary(above: answer.level) ?? answer.level
    let home = answer.level.production
    if let stored = owner.state.value.instance(of: registration, at: home.number) {
      return .reuse(stored, owner: owner, isNew: false)
    }
    guard let fresh = registration.existingInstance(at: home.number) else {
      preconditionFailure("an existing value has an instance")
    }
    if let construction, construction.depth >= Resolver.maximumDepth {
      return .fail(.tooDeep, through: [])
    }
    if !policy.removesRegistration { owner.store(fresh, at: home, &garbage) }
    return .reuse(fresh, owner: owner, isNew: true)
  }

  /// Stores a created instance and lets waiting requests ask again. Without an instance, the
  /// creation failed.
  func land(_ creation: Creation, with instance: AnyInstance?, _ answer: Answer) {
    var garbage = Garbage()
    levels.lock()
    if let early = exchange(&creation.state.value.early, with: nil) { garbage.add(early) }
    let (owner, home) = (creation.state.value.outcome.owner, creation.state.value.outcome.home)
    owner.state.value.end(creation, at: home.number, &garbage)
    creation.state.value.isListed = false
    let latch = creation.state.value.endWaits(for: creation)
    var disposals = Disposals()
    var isReplacing = false
    let isCurrent = levels.isCurrent(answer)
    if let instance, isCurrent,
      levels.isNewerThanReset(creation.begun, of: owner, at: home, answer)
    {
      // Also replaces instances with a more inner home, since this request could not use them.
      var next: LevelStore? = levels.production
      while let level = next, level.rank >= home.rank {
        next = level.outer
        guard
          let older = owner.state.value.instance(of: creation.registration, at: level.number)
        else { continue }
        isReplacing = true
        disposals.add([older], of: owner)
        _ = owner.state.value.forget(older, &garbage)
      }
      if isReplacing { owner.lock.noteChange(&garbage) }
      owner.store(instance, at: home, &garbage)
    }
    if !isCurrent { levels.forgetInstances(of: answer, &disposals, &garbage) }
    if let observed,
      owner.state.value.instance(of: creation.registration, at: home.number) !== instance
    {
      observed.owner = nil
    }
    levels.unlock()
    latch?.open()
    if isReplacing || !isCurrent { levels.production.flushDependents(&garbage) }
    garbage.release()
    disposals.send()
  }
}
