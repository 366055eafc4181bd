// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The engine: the answering registration, the usable instance and its owner, without threads, types
// or user code. `O1` to `O7` are rules of `Docs/Guarantees.md`. Each function runs while the levels
// of the stack are locked, between `lock` and `unlock` of `LevelStack`. That makes the use of
// `state` safe.

extension LevelStack {
  /// Changes the levels. No user code runs in `body`. Released objects are destroyed after it.
  @discardableResult
  func changing<Result>(_ body: (inout Garbage) -> Result) -> Result {
    var garbage = Garbage()
    lock()
    let result = body(&garbage)
    unlock()
    flushDependents(&garbage)
    garbage.release()
    return result
  }

  /// Has other caches forget the answers of the resolver and of its parents.
  func flushDependents(_ garbage: inout Garbage) { production.flushDependents(&garbage) }

  /// Reads the levels. No user code runs in `body`.
  func reading<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  // MARK: The answering registration (O1, O2)

  /// The registration that answers a key. The order is: the innermost layer that has one,
  /// production, its parents, the declared default.
  ///
  /// - Parameter start: The innermost layer that may answer. A decorator requests below its own.
  func answer(
    to key: AnyKey, from start: LevelStore?, declared: AnyRegistration? = nil
  ) -> Answer? {
    var layer = mayBeOverridden(key) ? start : nil
    while let candidate = layer {
      layer = candidate.outer
      guard isOverridden(by: candidate), let found = registration(of: candidate, for: key),
        !isClaimed(found, of: candidate)
      else { continue }
      return Answer(registration: found, level: candidate, claimant: boundary(above: candidate))
    }
    var level: LevelStore? = production
    var outermost = production
    while let candidate = level {
      outermost = candidate
      level = candidate.outer
      guard let found = candidate.state.value.registration(for: key),
        !isClaimed(found, of: candidate)
      else { continue }
      return Answer(registration: found, level: candidate, claimant: boundary)
    }
    // Most keys are of no declared dependency.
    if declared == nil, key.declaration == nil { return nil }
    guard let declared = declared ?? key.declaredDefault, !isClaimed(declared, of: outermost),
      !outermost.state.value.hasClaimed(declared)
    else { return nil }
    return Answer(registration: declared, level: outermost, claimant: boundary)
  }

  /// The boundary that lies between the caller and a level.
  func boundary(above level: LevelStore) -> LevelStore? {
    guard let boundary, boundary.rank > level.rank else { return nil }
    return boundary
  }

  /// The registration of a layer that answers a key.
  ///
  /// Within a layer a declared dependency and its bare type are one key, unless the layer has both:
  /// an override of the type answers the declared dependency, and the only override of a declared
  /// dependency of a type answers the bare type. A decorator answers the bare type only if the
  /// declared dependency answers it below the layer, too.
  func registration(of layer: LevelStore, for key: AnyKey) -> AnyRegistration? {
    if let exact = layer.state.value.registration(for: key) { return exact }
    if let bare = key.undeclared { return layer.state.value.registration(for: bare) }
    guard key.isPlain, let only = onlyDeclaredOverride(of: key, in: layer) else { return nil }
    return only.answersAlone || isAnsweredBelow(layer, key, by: only.key) ? only : nil
  }

  private func onlyDeclaredOverride(of bare: AnyKey, in layer: LevelStore) -> AnyRegistration? {
    let keys = layer.state.value.declaredKeys(of: bare.type)
    if keys.hasNone { return nil }
    let found = keys.compactMap { layer.state.value.registration(for: $0) }
    return found.count == 1 ? found[0] : nil
  }

  /// True if the layers below have a bare type answered by a declared dependency.
  private func isAnsweredBelow(_ layer: LevelStore, _ bare: AnyKey, by declared: AnyKey) -> Bool {
    var next = layer.outer
    while let candidate = next {
      next = candidate.outer
      guard isOverridden(by: candidate) else { continue }
      if candidate.state.value.registration(for: bare) != nil { return false }
      if let only = onlyDeclaredOverride(of: bare, in: candidate), only.answersAlone {
        return only.key == declared
      }
    }
    return false
  }

  /// True if a registration of a level was claimed under a boundary between that level and the
  /// caller.
  func isClaimed(_ registration: AnyRegistration, of level: LevelStore) -> Bool {
    var next = boundary
    while let boundary = next, boundary.rank > level.rank {
      if boundary.state.value.hasClaimed(registration) { return true }
      next = boundary.outer?.boundary
    }
    return false
  }

  /// The registration that one of a layer shadows, if requests still see it. It is in no slot, so a
  /// claim of it is recorded beside the slots.
  func shadowed(by answer: Answer, isOnce: Bool) -> Answer? {
    guard let replaced = answer.registration.replaced,
      !answer.level.state.value.hasClaimed(replaced), !isClaimed(replaced, of: answer.level)
    else { return nil }
    let claimant = answer.claimant ?? (isOnce || replaced.lifecycle == .once ? answer.level : nil)
    return Answer(registration: replaced, level: answer.level, claimant: claimant)
  }

  /// The registration whose block creates the value: a decorator forwards to the registration that
  /// it shadows, and an alias to the registration that it stands for. `nil` if there is none.
  ///
  /// - Complexity: O(layers), each of which may decorate.
  func maker(of answer: Answer) -> Answer? {
    var answer = answer
    var key = answer.registration.key
    // Aliases of each other lead nowhere.
    for _ in 0...Resolver.maximumDepth {
      let next: Answer?
      if let aliased = answer.registration.aliased {
        key = aliased
        next = self.answer(to: key, from: top)
      } else if !answer.registration.isDecoration {
        return answer
      } else {
        next = shadowed(by: answer, isOnce: false) ?? self.answer(to: key, from: answer.level.outer)
      }
      guard let next else { return nil }
      answer = next
    }
    return nil
  }

  /// The effect of the request, by the lifecycles. A decorator of a cached registration is cached.
  /// Any other decorator is called for each request, so that it wraps the claimed value.
  func policy(of answer: Answer, as lifecycle: Lifecycle) -> LifecyclePolicy {
    let registration = answer.registration
    guard registration.isDecoration else {
      // A request as `.once` does not use up a declared default.
      let isKept = registration.isDeclaredDefault && lifecycle == .once
      return LifecyclePolicy(
        registered: registration.lifecycle, resolvedAs: isKept ? .cached : lifecycle,
        isFixed: registration.isLifecycleFixed)
    }
    let maker = maker(of: answer)?.registration
    return LifecyclePolicy(
      registered: maker?.lifecycle == .cached ? .cached : .notCached, resolvedAs: lifecycle,
      isFixed: maker?.isLifecycleFixed ?? false)
  }

  /// True if a registration can still answer: it is not claimed, unregistered or replaced.
  func isCurrent(_ answer: Answer) -> Bool {
    answer.isMember || isThere(answer.registration, of: answer.level)
  }

  private func isThere(_ registration: AnyRegistration, of level: LevelStore) -> Bool {
    if isClaimed(registration, of: level) { return false }
    if registration.isDeclaredDefault { return true }
    guard let listed = level.state.value.listed(registration.key) else { return false }
    if listed === registration { return !level.state.value.isClaimed(listed) }
    return listed.shadows(registration) && !level.state.value.hasClaimed(registration)
  }

  // MARK: Cached instances (O5, O6)

  /// The result of a search in the caches that can hold an instance of a registration for this
  /// stack.
  struct CacheScan {
    var instance: AnyInstance?
    /// The level that stores the instance, or that would store a new one.
    var owner: LevelStore
    /// An in-flight creation of an instance that this request may use.
    var creation: Creation?
  }

  /// Searches the caches, innermost first.
  ///
  /// Caches of levels below the registration's own, or below the innermost boundary, do not belong
  /// to this stack (O5). An instance that an override would have changed is not used (O6).
  func scan(for answer: Answer, _ garbage: inout Garbage) -> CacheScan {
    let registration = answer.registration
    let lowest = boundary(above: answer.level) ?? answer.level
    var scan = CacheScan(owner: lowest)
    var next = top ?? production
    while next.rank >= lowest.rank {
      // The home that is furthest in comes first. An older instance of an outer home was replaced.
      var nextHome = next.state.value.storesInstances ? production : nil
      var last = 0
      while let home = nextHome {
        nextHome = home.outer
        if scan.creation == nil {
          scan.creation = next.state.value.creation(of: registration, at: home.number)
        }
        guard let instance = next.state.value.instance(of: registration, at: home.number),
          instance.serial > last, isAlive(instance, &garbage)
        else { continue }
        last = instance.serial
        guard mayHandOut(instance, of: next, at: home, answer), isIntact(instance, of: answer)
        else {
          continue
        }
        guard let culprit = firstOverride(of: instance.dependencies) else {
          scan.instance = instance
          scan.owner = next
          return scan
        }
        if culprit.rank > scan.owner.rank { scan.owner = culprit }
      }
      guard let outer = level(below: next) else { break }
      next = outer
    }
    return scan
  }

  /// The next level of the stack.
  func level(below level: LevelStore) -> LevelStore? {
    if let outer = level.outer { return outer }
    return level.isOfLayer ? production : nil
  }

  private func isAlive(_ instance: AnyInstance, _ garbage: inout Garbage) -> Bool {
    if case .strong = instance.retention { return true }
    // This access may hold the last reference to the object.
    guard let object = instance.object else { return false }
    garbage.add(object)
    return true
  }

  /// False for an instance that was created before the last reset of its home, if the reset does
  /// not renew its registration: that of a declared dependency, or of a parent. For a declared
  /// dependency, resets of the home's parents and of a child that the layer overrides count, too.
  private func mayHandOut(
    _ instance: AnyInstance, of owner: LevelStore, at home: LevelStore, _ answer: Answer
  ) -> Bool {
    let registration = instance.registration
    let isDeclared = registration.isDeclaredDefault || registration.key.declaration != nil
    guard isDeclared || home.rank > answer.level.production.rank else { return true }
    var level: LevelStore? =
      owner.production.rank > home.rank && contains(owner.production) ? owner.production : home
    while let next = level {
      if instance.serial <= next.state.value.lastReset { return false }
      level = isDeclared ? next.outer : nil
    }
    return true
  }

  /// False for a decorator whose shadowed registration no longer answers (O7), because it was used
  /// up, unregistered, registered anew or reset.
  private func isIntact(_ instance: AnyInstance, of answer: Answer) -> Bool {
    guard answer.registration.isDecoration else { return true }
    return isIntact(
      instance, instance.dependencies, under: answer.registration, for: answer.registration.key)
  }

  private func isIntact(
    _ instance: AnyInstance, _ dependencies: [Provenance], under wrapper: AnyRegistration,
    for key: AnyKey
  ) -> Bool {
    dependencies.allSatisfy { dependency in
      guard dependency.key == key, case .registration(let registration) = dependency.answer,
        let level = level(ofRank: dependency.rank)
      else { return true }
      guard isThere(registration, of: level) else { return false }
      if registration.isDecoration {
        return isIntact(instance, dependency.dependencies, under: registration, for: key)
      }
      if let aliased = registration.aliased, aliased != key,
        !isIntact(instance, dependencies, under: wrapper, for: aliased)
      {
        return false
      }
      return level.isOfLayer || registration.key.declaration == nil
        || instance.serial > level.state.value.lastReset
    }
  }

  private func level(ofRank rank: Int) -> LevelStore? {
    var next = rank >= LevelStore.firstLayerRank ? top : production
    while let level = next, level.rank > rank { next = level.outer }
    return next
  }

  /// The innermost layer that would now change how an instance is created (O6). `nil` if each
  /// dependency has the same answer as before.
  ///
  /// - Complexity: O(dependencies × layers).
  private func firstOverride(of dependencies: [Provenance]) -> LevelStore? {
    if dependencies.hasNone { return nil }
    var culprit: LevelStore?
    dependencies.visit { dependency in
      if let level = override(of: dependency), level.rank > culprit?.rank ?? -1 { culprit = level }
    }
    return culprit
  }

  /// The level that now answers a dependency differently from before.
  ///
  /// A registration that is gone, such as a claimed `.once`, does not count as a difference.
  private func override(of dependency: Provenance) -> LevelStore? {
    let isOfThisResolver = isOfLineage(dependency)
    var next = top ?? production
    while next.rank >= dependency.rank {
      switch answerNow(of: next, to: dependency, isOfThisResolver) {
      case .same: return nil
      case .other: return next
      case .none: break
      }
      guard let outer = level(below: next) else { return nil }
      next = outer
    }
    return nil
  }

  /// True if the asked resolver or one of its parents answered a dependency, or may answer it.
  func isOfLineage(_ dependency: Provenance) -> Bool {
    production.lineage.contains(dependency.production)
  }

  private enum AnswerNow {
    case same
    case other
    case none
  }

  /// How a level answers a dependency now. Production's registrations do not override production.
  private func answerNow(
    of level: LevelStore, to dependency: Provenance, _ isOfThisResolver: Bool
  ) -> AnswerNow {
    guard level.rank < dependency.ceiling else { return .none }
    if let overridden = level.overridden {
      guard
        dependency.lineage.contains(overridden.number)
          || isOfThisResolver && isOverridden(by: level)
      else { return .none }
    } else {
      // A child resolver overrides its parents. The outermost resolver overrides nothing.
      guard isOfThisResolver, level.outer != nil, level.rank > dependency.rank else { return .none }
    }
    let now =
      level.isOfLayer
      ? registration(of: level, for: dependency.key)
      : level.state.value.registration(for: dependency.key)
    let visible = now.flatMap { isClaimed($0, of: level) ? nil : $0 }
    switch dependency.answer {
    case .registration(let registration):
      if let visible { return visible === registration ? .same : .other }
      // A missing registration makes no difference. One that exists and does not answer does.
      let isThere =
        level.state.value.registration(for: registration.key) === registration
        && !isClaimed(registration, of: level)
      return level.rank == dependency.rank && isThere ? .other : .none
    case .nothing: return visible == nil ? .none : .other
    case .every(let members):
      let now = level.state.value.all.filter { $0.key.isElement(of: dependency.key) }
      let isKnown = now.allSatisfy { member in members.contains { $0 === member } }
      return isKnown ? .none : .other
    }
  }

  /// Forgets the instances of a registration that can answer no more requests, or none above a
  /// boundary. In the second case, the levels below the boundary keep their instances.
  func forgetInstances(of answer: Answer, _ garbage: inout Garbage) {
    let isGone = !isMarkedThere(answer)
    let lowest = max(isGone ? 0 : boundary?.rank ?? 0, answer.level.rank)
    var next = top ?? production
    while next.rank >= lowest {
      next.lock.noteChange(&garbage)
      next.state.value.forget(answer.registration, &garbage)
      guard let outer = level(below: next) else { break }
      next = outer
    }
  }

  /// True if the registration's own level still answers with it, whatever boundaries have claimed.
  private func isMarkedThere(_ answer: Answer) -> Bool {
    let (registration, level) = (answer.registration, answer.level)
    if registration.isDeclaredDefault { return true }
    return level.state.value.registration(for: registration.key) === registration
      || level.state.value.listed(registration.key)?.shadows(registration) ?? false
  }
}
