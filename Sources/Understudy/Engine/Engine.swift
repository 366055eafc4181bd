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
    production.flushDependents(&garbage)
    garbage.release()
    return result
  }

  /// Reads the levels. No user code runs in `body`.
  package func reading<Result>(_ body: () -> Result) -> Result {
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
    // If no layer can answer the key, a request costs the same under any number of layers.
    var layer = top != nil && OverriddenTypes.mayHave(key) ? start : nil
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
    guard let declared = declared ?? key.declaredDefault else { return nil }
    let known = declared.traits.owner?.value
    // The state of a level outside this stack is not locked.
    let owner = known.flatMap { contains($0) ? $0 : nil } ?? outermost
    guard !isClaimed(declared, of: owner), !owner.state.value.hasClaimed(declared) else {
      return nil
    }
    return Answer(registration: declared, level: owner, claimant: boundary(above: owner))
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

  /// True if a layer below answers a bare type with its override of a declared dependency.
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
  package func isClaimed(_ registration: AnyRegistration, of level: LevelStore) -> Bool {
    var next = boundary
    while let boundary = next, boundary.rank > level.rank {
      if boundary.state.value.hasClaimed(registration) { return true }
      next = boundary.outer?.boundary
    }
    return false
  }

  /// The registration that one of a layer shadows, if requests still see it. The level does not
  /// list it, and records a claim of it separately.
  func shadowed(by answer: Answer, isOnce: Bool) -> Answer? {
    guard let replaced = answer.registration.replaced,
      !answer.level.state.value.hasClaimed(replaced), !isClaimed(replaced, of: answer.level)
    else { return nil }
    let claimant = answer.claimant ?? (isOnce || replaced.lifecycle == .once ? answer.level : nil)
    return Answer(registration: replaced, level: answer.level, claimant: claimant)
  }

  /// The answer that a decorator or a fault forwards a request to.
  func answer(
    below answer: Answer, to key: AnyKey, declared: AnyRegistration? = nil
  ) -> Answer? {
    shadowed(by: answer, isOnce: false)
      ?? self.answer(to: key, from: nextLayer(below: answer.level), declared: declared)
  }

  /// The registration whose block creates the value: a decorator forwards to the registration that
  /// it shadows, and an alias to the registration that it stands for. `nil` if there is none.
  ///
  /// - Complexity: O(layers), each of which may decorate.
  func maker(
    of answer: Answer, to key: AnyKey, declared: AnyRegistration? = nil
  ) -> Answer? {
    var (answer, key, declared) = (answer, key, declared)
    // Aliases of each other lead nowhere.
    for _ in 0...Resolver.maximumDepth {
      let next: Answer?
      if let aliased = answer.registration.aliased {
        (key, declared) = (aliased, nil)
        next = self.answer(to: key, from: top)
      } else if !answer.registration.isDecoration {
        return answer
      } else {
        next = self.answer(below: answer, to: key, declared: declared)
      }
      guard let next else { return nil }
      answer = next
    }
    return nil
  }

  /// The effect of the request, by the lifecycles. A decorator of a cached registration is cached.
  /// Any other decorator is called for each request, so that it wraps the claimed value.
  func policy(of answer: Answer, to request: Request) -> LifecyclePolicy {
    let (registration, lifecycle) = (answer.registration, request.lifecycle)
    guard registration.isDecoration else {
      // A request as `.once` does not use up a declared default.
      let isKept = registration.isDeclaredDefault && lifecycle == .once
      return LifecyclePolicy(
        registered: registration.lifecycle, resolvedAs: isKept ? .cached : lifecycle,
        isFixed: registration.traits.isLifecycleFixed)
    }
    let maker = maker(of: answer, to: request.key, declared: request.declared)?.registration
    return LifecyclePolicy(
      registered: maker?.lifecycle == .cached ? .cached : .notCached, resolvedAs: lifecycle,
      isFixed: maker?.traits.isLifecycleFixed ?? false)
  }

  /// True if a registration can still answer: it is not claimed, unregistered or replaced.
  func isCurrent(_ answer: Answer) -> Bool {
    answer.isMember || isThere(answer.registration, of: answer.level)
  }

  func isThere(_ registration: AnyRegistration, of level: LevelStore) -> Bool {
    if isClaimed(registration, of: level) { return false }
    if registration.isDeclaredDefault { return true }
    guard let listed = level.state.value.listed(registration.key) else { return false }
    return (listed === registration || listed.shadows(registration))
      && !level.state.value.hasClaimed(registration)
  }

  // MARK: All registrations that a search sees

  /// The registrations of all levels that are elements of an array's key, in the order of
  /// registration.
  func registrations(of key: AnyKey, from start: LevelStore?) -> [AnyRegistration] {
    unorderedRegistrations(from: start).filter { $0.key.isElement(of: key) }.ordered { $0.serial }
  }

  func unorderedRegistrations(
    from start: LevelStore?, atMost limit: Int = .max
  ) -> [AnyRegistration] {
    var all: [AnyRegistration] = []
    var next: LevelStore? = start ?? production
    while let level = next, all.count < limit {
      if !level.isOfLayer || isOverridden(by: level) {
        all += level.state.value.visible(atMost: limit - all.count)
      }
      next = self.nextLevel(below: level)
    }
    return all
  }
}
