// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Cached instances. `O5` to `O7` are rules of `Docs/Guarantees.md`. Each function runs while the
// levels of the stack are locked.

extension LevelStack {
  /// The result of a search in the caches that can hold an instance of a registration for this
  /// stack.
  struct CacheScan {
    var instance: AnyInstance?
    /// The level that stores the instance, or that would store a new one.
    var owner: LevelStore
    /// The level that would store a new instance without layers. Dependencies may move it inwards.
    var home: LevelStore
    /// An in-flight creation of an instance that this request may use.
    var creation: Creation?
    /// The registration whose value is decorated, for a decorator.
    var decorated: AnyRegistration?
  }

  /// Searches the caches, innermost first.
  ///
  /// Caches of levels below the registration's own, or below the innermost boundary, do not belong
  /// to this stack (O5). An instance that an override would have changed is not used (O6).
  func scan(for answer: Answer, to request: Request, _ garbage: inout Garbage) -> CacheScan {
    let registration = answer.registration
    let lowest = boundary(above: answer.level) ?? answer.level
    var scan = CacheScan(owner: lowest, home: answer.level.production)
    if registration.isDecoration,
      let maker = maker(of: answer, to: request.key, declared: request.declared)
    {
      // A decorator of a parent has a value of its own for each child with a registration.
      scan.decorated = maker.registration
      let home = maker.level.production
      if home.rank > scan.home.rank, contains(home) { scan.home = home }
    }
    let outermost = scan.home
    var next = top ?? production
    while next.rank >= lowest.rank {
      // The home that is furthest in comes first. An older instance of an outer home was replaced.
      var nextHome = next.state.value.storesInstances ? production : nil
      var last = 0
      while let home = nextHome, home.rank >= outermost.rank {
        nextHome = home.outer
        if scan.creation == nil {
          scan.creation = next.state.value.creation(of: registration, at: home.number)
        }
        guard let instance = next.state.value.instance(of: registration, at: home.number),
          instance.serial > last, isAlive(instance, &garbage),
          isNewerThanReset(instance.serial, of: next, at: home, answer)
        else { continue }
        last = instance.serial
        if registration.isDecoration, !isIntact(instance, answer, to: request) { continue }
        guard let overriding = firstOverride(of: instance.dependencies, of: next, at: home) else {
          scan.instance = instance
          scan.owner = next
          return scan
        }
        if overriding.rank > scan.owner.rank { scan.owner = overriding }
        let home = overriding.production
        if home.rank > scan.home.rank, contains(home) { scan.home = home }
      }
      guard let outer = nextLevel(below: next) else { break }
      next = outer
    }
    return scan
  }

  private func isAlive(_ instance: AnyInstance, _ garbage: inout Garbage) -> Bool {
    if case .strong = instance.retention { return true }
    // This access may hold the last reference to the object.
    guard let object = instance.object else { return false }
    garbage.add(object)
    return true
  }

  /// False for an instance that was created before the last reset of its home, if the reset does
  /// not renew its registration:
  ///
  /// - the registration of a parent of the home
  /// - the default of a declared dependency. Then the resets of the home's parents, and of a child
  ///   resolver that the layer overrides, count as well.
  ///
  /// - Parameter serial: The serial number of the instance, or of the one before its creation.
  func isNewerThanReset(
    _ serial: Int, of owner: LevelStore, at home: LevelStore, _ answer: Answer
  ) -> Bool {
    let registration = answer.registration
    // A reset of a resolver does not reach instances whose registration a layer or a child has.
    let isDeclared =
      registration.isDeclaredDefault && !answer.isOfLayer || registration.key.declaration != nil
    guard isDeclared || home.rank > answer.level.production.rank else { return true }
    let isOfChild = registration.key.declaration != nil && owner.production.rank > home.rank
    var level: LevelStore? = isOfChild && contains(owner.production) ? owner.production : home
    while let next = level {
      if serial < next.state.value.lastReset { return false }
      let isLast = !isDeclared || next === answer.level && registration.key.declaration == nil
      level = isLast ? nil : next.outer
    }
    return true
  }

  /// False for the instance of a decorator that wraps the answer to another key: a declared
  /// dependency and its bare type may share a decorator. Also false if the shadowed registration no
  /// longer answers (O7), because it was used up, unregistered, registered anew or reset.
  private func isIntact(_ instance: AnyInstance, _ answer: Answer, to request: Request) -> Bool {
    var (answer, dependencies) = (answer, instance.dependencies)
    var key: AnyKey?
    repeat {
      let below = self.answer(below: answer, to: request.key, declared: request.declared)
      guard let below,
        let wrapped = dependencies.first(where: { $0.isWrapped(below.registration) })
      else { return false }
      key = key ?? wrapped.key
      // A fault has no dependencies: the value below it is beside it.
      dependencies = wrapped.dependencies + dependencies
      answer = below
    } while answer.registration.isDecoration
    return key.map { isIntact(instance, instance.dependencies, for: $0) } ?? false
  }

  private func isIntact(
    _ instance: AnyInstance, _ dependencies: [Provenance], for key: AnyKey
  ) -> Bool {
    dependencies.allSatisfy { dependency in
      guard dependency.key == key, case .registration(let registration) = dependency.answer,
        dependency.rank >= LevelStore.firstLayerRank || isOfLineage(dependency),
        let level = level(ofRank: dependency.rank)
      else { return true }
      guard isThere(registration, of: level) else { return false }
      if registration.isDecoration {
        return isIntact(instance, dependency.dependencies, for: key)
      }
      if let aliased = registration.aliased, aliased != key,
        !isIntact(instance, dependencies, for: aliased)
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
  private func firstOverride(
    of dependencies: [Provenance], of owner: LevelStore, at home: LevelStore
  ) -> LevelStore? {
    if dependencies.hasNone { return nil }
    // Nothing overrides a resolver without a layer and a parent.
    if case .none = top, case .none = production.outer { return nil }
    var overriding: LevelStore?
    var seen: Set<ObjectIdentifier> = []
    // The dependencies of an instance are judged by the place of that instance.
    var open = [(dependencies: dependencies, place: (owner.rank, home.rank))]
    while let (dependencies, place) = open.popLast() {
      for dependency in dependencies where seen.insert(ObjectIdentifier(dependency)).inserted {
        if let level = override(of: dependency, at: place), level.rank > overriding?.rank ?? -1 {
          overriding = level
        }
        if dependency.dependencies.hasNone { continue }
        open.append((dependency.dependencies, dependency.place ?? place))
      }
    }
    return overriding
  }

  /// Moves a created instance inwards until this stack can use it. Whether a block asks a parent by
  /// name is seen only when a child requests the instance. So a child that overrides such an answer
  /// gets an instance of its own, even if the parent has one already.
  func settleOwner(of creation: Creation) {
    guard production.outer != nil else { return }
    var last: LevelStore?
    while let overriding = reading({
      let outcome = creation.state.value.outcome
      return firstOverride(of: outcome.dependencies, of: outcome.owner, at: outcome.home)
    }), overriding !== last {
      creation.contribute(overriding, at: overriding.production)
      last = overriding
    }
  }

  /// The level that now answers a dependency differently from before.
  ///
  /// A registration that is gone, such as a claimed `.once`, does not count as a difference.
  private func override(of dependency: Provenance, at place: InstancePlace) -> LevelStore? {
    let isOfThisResolver = isOfLineage(dependency)
    var next = top ?? production
    while next.rank >= dependency.rank {
      // The instance was created for this level, and its block asked another resolver by name.
      let isByName =
        next.rank <= place.owner && next.production.rank <= place.home
        && !dependency.lineage.contains(next.production.number)
      switch isByName ? .none : answerNow(of: next, to: dependency, isOfThisResolver) {
      case .same: return nil
      case .other: return next
      case .none: break
      }
      guard let outer = nextLevel(below: next) else { return nil }
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
  func forgetInstances(
    of answer: Answer, _ disposals: inout Disposals, _ garbage: inout Garbage
  ) {
    let isGone = !stillAnswers(answer)
    let lowest = max(isGone ? 0 : boundary?.rank ?? 0, answer.level.rank)
    var next = top ?? production
    while next.rank >= lowest {
      next.lock.noteChange(&garbage)
      if next.observers.areAny {
        disposals.add(next.state.value.instances(of: answer.registration), of: next)
      }
      next.state.value.forget(answer.registration, &garbage)
      guard let outer = nextLevel(below: next) else { break }
      next = outer
    }
  }

  /// True if the registration's own level still answers with it, whatever boundaries have claimed.
  private func stillAnswers(_ answer: Answer) -> Bool {
    let (registration, level) = (answer.registration, answer.level)
    if registration.isDeclaredDefault { return true }
    return level.state.value.registration(for: registration.key) === registration
      || level.state.value.listed(registration.key)?.shadows(registration) ?? false
  }
}

extension Provenance {
  /// True for the value of a registration that a decorator wraps.
  fileprivate func isWrapped(_ registration: AnyRegistration) -> Bool {
    guard isDecorated, case .registration(let own) = answer else { return false }
    return own === registration
  }
}
