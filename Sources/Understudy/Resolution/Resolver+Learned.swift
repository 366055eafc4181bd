// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The first time that something is asked for under a layer. Where it is plain who answers, and that has an instance that
/// can be used, a value that exists already, or a block that takes nothing, this finds out what the question comes to,
/// remembers it, and goes the short way. Nothing here knows the value's type, which would have to be looked up. All
/// else is left to a `Resolution`.
///
/// Safety: as for the looks of `Resolver+Remembered`.
extension Resolver {
  /// Looks at what a request comes to, and counts and logs that.
  ///
  /// - Parameters:
  ///   - request: What is asked for, and is not remembered.
  ///   - mayMake: False if who asks has to know whether the value was made for it.
  /// - Returns: The look; `nil` if more has to be done for the request, and nothing was.
  func learnedLook(for request: Request, mayMake: Bool = true) -> RememberedLook? {
    guard request.argument == nil, case .cached = request.lifecycle, let top = OverrideLayer.current
    else { return nil }
    let tracker = Construction.tracker
    guard let lesson = Lesson(request, of: self, under: top),
      let learned = lesson.learned(mayMake: mayMake, isTracked: tracker != nil)
    else { return nil }
    let answer = lesson.answer(to: learned, isRemembered: tracker == nil)
    guard let instance = learned.instance else {
      guard answer.begin(declaredAs: request.declared?.serial) else { return nil }
      return unsafe RememberedLook(blockOf: .passUnretained(answer), order: top.log.nextOrder())
    }
    if let tracker { lesson.note(learned, instance, in: tracker) }
    let isWatched = answer.note(
      learned.isNew ? .made : .reused, of: instance, by: Construction.asker, in: top.notes,
      at: request.callSite)
    if isWatched { top.watchReused(instance, for: request.key, at: request.callSite) }
    return unsafe RememberedLook(retained: .passUnretained(instance))
  }
}

/// What a request comes to, where no more is to be done than to look, or to call a block.
private struct Learned {
  /// What keeps the value; `nil` if the block is to be called.
  var instance: AnyInstance?
  /// The layer that keeps it; `nil` is production.
  var owner: OverrideLayer?
  /// True if nothing kept the value before.
  var isNew = false
}

/// Who answers a request under a layer, where that is plain: nothing that the next one would not see has a part in it.
private struct Lesson: ~Copyable {
  private let request: Request
  private let resolver: Resolver
  private let top: OverrideLayer
  private let answer: Answer
  /// The generation of what is found out.
  private let outset: Int
  private let subject: Int

  init?(_ request: Request, of resolver: Resolver, under top: OverrideLayer) {
    guard top.test != nil || !TestHosts.areAny, !Completions.areAnyRegistered,
      let subject = request.key.subject, let outset = top.outset(of: resolver),
      top.nearestEnded == nil,
      let answer = resolver.answer(to: request, from: top, boundary: top.boundary),
      !answer.registration.isDecoration, answer.registration.retention == .strong,
      answer.layer == nil
        ? top.options.weight(of: .fallThrough) == .off : answer.boundary == nil
    else { return nil }
    self.request = request
    self.resolver = resolver
    self.top = top
    self.answer = answer
    self.outset = outset
    self.subject = subject
  }

  func learned(mayMake: Bool, isTracked: Bool) -> Learned? {
    let registration = answer.registration
    let policy = LifecyclePolicy(
      registered: registration.lifecycle, resolvedAs: request.lifecycle,
      isFixed: registration.isLifecycleFixed)
    switch (policy.source, policy.removesRegistration) {
    case (.block, false):
      // Of what is made disposers have to be told, and what is to be kept.
      return mayMake && !isTracked && registration.isDirect && !top.hasDisposers ? Learned() : nil
    case (.cache, false):
      return registration.isExisting && !top.hasDisposers
        ? existing(mayMake: mayMake) : keptAnywhere
    default: return nil
    }
  }

  private var keptAnywhere: Learned? {
    let scan = CacheScan(
      for: answer.registration, ownedBy: answer.layer, under: top, resolver: resolver,
      isAlive: { _ in true })
    guard let usable = scan.usable else { return nil }
    return Learned(instance: usable.instance, owner: usable.layer)
  }

  private func existing(mayMake: Bool) -> Learned? {
    let (registration, boundary) = (answer.registration, top.boundary)
    let owner = answer.ownerOfExisting(under: boundary)
    if let instance = (owner?.store ?? resolver.store).instance(of: registration) {
      return Learned(instance: instance, owner: owner)
    }
    // What production keeps is published, too.
    guard mayMake, let owner,
      let instance = registration.existingInstance(provenance(dependingOn: []))
    else { return nil }
    let turn = FlightBoard.shared.hold(
      instance, of: registration, in: owner.store,
      isCurrent: { [answer] in answer.isCurrent(under: boundary) })
    guard case .lead = turn else { return nil }
    return Learned(instance: instance, owner: owner, isNew: true)
  }

  private func provenance(dependingOn dependencies: [Provenance]) -> Provenance {
    Provenance(
      of: request.key, answer: .registration(answer.registration), level: answer.level,
      resolver: resolver, dependencies: dependencies)
  }

  /// Notes an instance as a dependency of what is being made to be kept.
  func note(_ learned: Learned, _ instance: AnyInstance, in tracker: DependencyTracker) {
    // Who keeps it lies no lower than who answered.
    tracker.contribute(learned.owner)
    tracker.add(
      learned.isNew
        ? instance.provenance : provenance(dependingOn: instance.provenance.dependencies))
  }

  /// What the request comes to. It is remembered if it may be: what is asked for on behalf of something that is to be kept
  /// is looked at anew each time.
  func answer(to learned: Learned, isRemembered: Bool) -> RememberedAnswer {
    answer.noteUse(by: request)
    let key = answer.registration.key
    let remembered = RememberedAnswer(
      learned.instance, of: answer, isDefault: answer.registration === request.declared,
      askedBy: top, counter: top.log.counter(for: request.key),
      otherCounter: key == request.key ? nil : top.log.counter(for: key), since: outset)
    guard answer.isCurrent(under: top.boundary) else {
      answer.forgetInstances(in: resolver, under: top)
      return remembered
    }
    guard isRemembered else { return remembered }
    top.recollection.keep(
      remembered,
      for: RecollectionKey(
        asker: top.serial, subject: subject, type: ObjectIdentifier(request.key.type)),
      isElsewhere: learned.instance == nil ? answer.layer == nil : learned.owner == nil,
      since: outset)
    return remembered
  }
}

extension OverrideLayer {
  /// The generation that what a resolution finds belongs to, in the stack and in production; taken before it looks at
  /// anything. `nil` while something changes, and for another resolver, of which nothing is remembered.
  fileprivate func outset(of resolver: Resolver) -> Int? {
    guard resolver === self.resolver else { return nil }
    observeProduction()
    return recollection.generation
  }
}
