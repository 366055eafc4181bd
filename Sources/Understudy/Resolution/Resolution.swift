// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One resolution, from the question to the value.
///
/// It asks the layers who answers, the policy engine what to do, and then does it. No lock is held
/// while a block runs.
///
/// A class, though nobody shares it: a chain of dependencies has the frames of all its resolutions on one
/// stack, and a debug build copies a structure into every one of them.
final class Resolution<Value> {
  let resolver: Resolver
  let request: Request
  /// The innermost layer that the calling task sees.
  let top: OverrideLayer?
  /// The innermost layer that may answer.
  let start: OverrideLayer?
  /// The innermost boundary that the calling task sees.
  let boundary: OverrideLayer?
  /// Who answers before all others, if it still can: what a fault stands before.
  let first: Answer?
  /// The block on whose behalf this is asked.
  let construction: Construction?
  /// Keeps what `construction` is made from, where the stack of a thread does not.
  private let keeper: AsyncConstruction?
  /// The innermost layer of the resolver that the calling task sees: the one that logs this.
  let layer: OverrideLayer?
  /// Counts what is asked for, in the log of that layer.
  private(set) lazy var counter = layer?.log.counter(for: request.key)
  /// The order of this resolution in the log.
  let order: Int
  /// True once a decorator handed on the very object that it got, which is disposed of as what it is.
  var isHandedOn = false
  /// True once the decorators of a layer handed on the very object that it was given.
  var isGiven = false
  /// Where the value comes from, once it is there.
  var origin = ValueOrigin.kept
  /// What was wrapped on the way to the value, and made for it.
  var parts: [Value] = []
  /// True if who answers is an alias, whose value is made for another key.
  var isRelayed = false
  /// True if another resolution may yet fail with the value, so that what is claimed for it stays to be put back.
  let isPart: Bool
  /// What was claimed for the value, here or for its parts, and is gone for good only when it is handed out.
  var claimed: [Claimed] = []
  /// True once it failed because who answers stands for something that nothing answers: as good as no answer at all.
  var isVacant = false

  /// True once it is noted that nothing answers what a fault leaves to others.
  var isNothingNoted = false

  /// Begins a resolution.
  ///
  /// - Parameters:
  ///   - request: What is asked for. Its key is of type `Value`.
  ///   - resolver: Who is asked.
  ///   - top: The innermost layer that the calling task sees.
  ///   - start: The innermost layer that may answer; a decorator asks below its own.
  ///   - first: Who answers before all others, if it still can.
  ///   - isLasting: True if it may go on after the block that asks has ended.
  ///   - isPart: True if whoever asks may yet fail with the value, and then puts back what was claimed for it.
  ///   - order: The one that it has, if it has begun.
  init(
    _ request: consuming Request, of resolver: Resolver, under top: OverrideLayer?,
    from start: OverrideLayer?, first: Answer? = nil, isLasting: Bool = false, isPart: Bool = false,
    order: Int? = nil
  ) {
    self.request = request
    self.resolver = resolver
    self.top = top
    self.start = start
    self.first = first
    self.isPart = isPart
    keeper = isLasting ? Construction.lasting : nil
    construction = isLasting ? keeper.map { Construction($0) } : Construction.current
    layer = top?.nearest(of: resolver)
    boundary = top?.boundary
    self.order = order ?? layer?.log.nextOrder() ?? 0
  }

  /// The same resolution, of what a fault leaves to whoever it stands before.
  init(
    _ faulty: Resolution, leftTo first: Answer?, from start: OverrideLayer?
  ) {
    var request = faulty.request
    request.isLeftByFault = faulty.isCounted
    self.request = request
    resolver = faulty.resolver
    top = faulty.top
    self.start = start
    self.first = first
    isPart = faulty.isPart
    keeper = faulty.keeper
    construction = faulty.construction
    layer = faulty.layer
    boundary = faulty.boundary
    order = faulty.order
  }

  var tracker: DependencyTracker? { construction?.tracker }

  /// False for what a decorator asks for below itself: one question is counted once.
  var isCounted: Bool { start === top || request.isLeftByFault }

  /// Only layers below this level may answer.
  var ceiling: Int { Provenance.ceiling(from: start, under: top) }

  /// The value, or an error that says why there is none.
  func value() throws(ResolutionError) -> Value {
    guard let value = try answered() else { throw missing() }
    return value
  }

  /// That nothing answers; whoever can live with that depends on it.
  func missing() -> ResolutionError {
    isVacant = true
    // Not looked for again: who comes to answer meanwhile had no part in this.
    if !isNothingNoted { noteUnregistered() }
    return error(.missing)
  }

  /// Notes that there was nothing, or nothing alive: what is being made depends on that.
  func noteNothing() {
    guard let tracker, !isNothingNoted else { return }
    let answer = resolver.answer(to: request, from: start, boundary: boundary)
    tracker.add(
      Provenance(
        of: request.key, answer: answer.map { .registration($0.registration) } ?? .nothing,
        level: answer?.level ?? 0, resolver: resolver, ceiling: ceiling))
  }

  /// Notes that nothing is registered for the very key: what is being made depends on that.
  func noteUnregistered() {
    tracker?.add(
      Provenance(of: request.key, answer: .nothing, level: 0, resolver: resolver, ceiling: ceiling))
  }

  /// The value, or `nil` if nothing answers.
  func valueIfAnswered() throws(ResolutionError) -> Value? { try answered() }

  // Inlined from here to `turn(for:)`, so that an optimised build looks up the types made of `Value` once: each
  // function would do it anew.

  @inline(__always)
  private func answered() throws(ResolutionError) -> Value? {
    var isFirst = true
    while let answer = answer(isFirst: isFirst) {
      isFirst = false
      if answer.registration.isFault { return try valueLeftByFault(answer) }
      if let value = try value(answeredBy: answer) { return value }
    }
    return try implicitValue()
  }

  /// Who answers; when asked for the first time who does before all others, if anybody.
  private func answer(isFirst: Bool) -> Answer? {
    if isFirst, let first { return first }
    return resolver.answer(to: request, from: start, boundary: boundary)
  }

  /// The value of who answers; `nil` if another resolution claimed that meanwhile.
  @inline(__always)
  func value(answeredBy answer: Answer) throws(ResolutionError) -> Value? {
    let registration = Registration<Value>.typed(answer.registration)
    tracker?.contribute(answer.layer)
    note(answer)
    do throws(ResolutionError) {
      guard let value = try value(of: registration, answer, policy(answer)) else {
        putBackClaims()
        return nil
      }
      settleClaims()
      watch(value)
      return value
    } catch {
      note(error, of: answer)
      throw error
    }
  }

  private func note(_ failure: ResolutionError, of answer: Answer) {
    putBackClaims()
    record(.failed, answer)
    tracker?.add(provenance(of: answer.registration, answer, []))
    noteUnimplemented(failure, by: answer.layer)
  }

  /// What stands before another does as that: a decorator of what is cached is cached; one of a one-time value is asked
  /// again each time, so that the value below is what is claimed.
  func policy(_ answer: Answer) -> LifecyclePolicy {
    let registration = answer.registration
    guard registration.isDecoration else {
      return LifecyclePolicy(
        registered: registration.lifecycle, resolvedAs: request.lifecycle,
        isFixed: registration.isLifecycleFixed)
    }
    let maker = maker(of: answer)?.registration
    return LifecyclePolicy(
      registered: maker?.lifecycle == .cached ? .cached : .notCached,
      resolvedAs: request.lifecycle, isFixed: maker?.isLifecycleFixed ?? false)
  }

  /// Whose block makes the value of what answers, if anybody's does.
  func maker(of answer: Answer) -> Answer? {
    resolver.maker(of: answer, to: request, under: top)
  }

  /// Does what the policy says; `nil` if another resolution claimed the registration meanwhile.
  @inline(__always)
  func value(
    of registration: Registration<Value>, _ answer: Answer, _ policy: LifecyclePolicy
  ) throws(ResolutionError) -> Value? {
    switch policy.source {
    case .block where policy.removesRegistration: try claimed(registration, answer)
    case .block: try complete(registration, answer)
    case .cache where Completions.areAnyRegistered:
      try sharedComplete(registration, answer, isRemoved: policy.removesRegistration)
    case .cache: try shared(registration, answer, isRemoved: policy.removesRegistration)
    }
  }

  /// The value of what is used up by it; `nil` if another resolution did that.
  private func claimed(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value? {
    guard answer.claim(in: resolver) else { return nil }
    do throws(ResolutionError) {
      let value = try complete(registration, answer)
      settle(answer)
      return value
    } catch {
      answer.restore(in: resolver)
      throw error
    }
  }

  /// The instance that is kept, complete if this is the outermost resolution of its thread.
  private func sharedComplete(
    _ registration: Registration<Value>, _ answer: Answer, isRemoved: Bool
  ) throws(ResolutionError) -> Value? {
    try Completions.outermost(request) { () throws(ResolutionError) -> Value? in
      try shared(registration, answer, isRemoved: isRemoved)
    }
  }

  /// A value made for this resolution alone, complete if this is the outermost of its thread.
  @inline(__always)
  private func complete(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value? {
    guard Completions.areAnyRegistered, !isRelay(registration) else {
      return try made(registration, answer)
    }
    return try madeComplete(registration, answer)
  }

  private func madeComplete(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value? {
    try Completions.outermost(request) { () throws(ResolutionError) -> Value? in
      try made(registration, answer)
    }
  }

  /// True for an alias: what it stands for is completed by its own resolution, and handed out as it is then.
  private func isRelay(_ registration: Registration<Value>) -> Bool {
    if case .relaying = registration.block { true } else { false }
  }

  /// A value made for this resolution alone.
  @inline(__always)
  func made(
    _ registration: Registration<Value>, _ answer: Answer
  ) throws(ResolutionError) -> Value {
    noteMade(try make(registration, answer, tracker: tracker), registration, answer)
  }

  func noteMade(_ value: Value, _ registration: AnyRegistration, _ answer: Answer) -> Value {
    if !isHandedOn, !isRelayed { origin = .made(keptAt: nil) }
    if !isHandedOn { noteMade(value, by: registration) }
    tracker?.add(provenance(of: registration, answer, []))
    if isRelayed, case .kept = origin { record(.reused, answer) } else { record(.made, answer) }
    return value
  }

  /// Has the value disposed of by those layers that are to, if it was made now.
  func noteMade(_ value: Value, by registration: AnyRegistration) {
    guard case .made(let owner) = origin else { return }
    for part in parts where !isOneObject(part, value) {
      layer?.noteMade(part, for: request.key, by: registration.key, keptAt: owner)
    }
    layer?.noteMade(value, for: request.key, by: registration.key, keptAt: owner)
  }

  func provenance(
    of registration: AnyRegistration, _ answer: Answer, _ dependencies: [Provenance]
  ) -> Provenance {
    let provenance = Provenance(
      of: request.key, answer: .registration(registration), level: answer.level,
      resolver: resolver, ceiling: ceiling, dependencies: dependencies)
    if registration.isCompletedLater { Completions.attach(provenance, of: registration) }
    return provenance
  }

  // MARK: Shared instances

  /// The instance that is kept, made first if there is none (L2); `nil` if the registration is gone.
  @inline(__always)
  private func shared(
    _ registration: Registration<Value>, _ answer: Answer, isRemoved: Bool
  ) throws(ResolutionError) -> Value? {
    let sharing = try sharing(of: registration)
    if !isRemoved, let value = published(registration) { return value }
    while isCurrent(answer) {
      switch try turn(for: registration, sharing, answer, isRemoved: isRemoved, isWaiting: false) {
      case .reuse(let found):
        // What is held weakly may have gone since.
        guard let value = sharing.value(found.instance) else { continue }
        let isOurs = reuse(found, of: registration, answer, isRemoved: isRemoved)
        return isOurs ? value : nil
      case .lookAgain: continue
      case .hold(let owner):
        if let value = try hold(registration, sharing, answer, in: owner) { return value }
      case .wait(let other): try wait(for: other, registration, answer)
      case .lead(let flight, let isKept):
        return try led(
          flight, registration, sharing, answer, isKept: isKept, isRemoved: isRemoved)
      }
    }
    return nil
  }

  private func wait(
    for other: Flight, _ registration: AnyRegistration, _ answer: Answer
  ) throws(ResolutionError) {
    defer { requester?.unblock(from: other) }
    // Whoever makes it may need this very thread.
    guard maker(of: answer)?.registration.place != .anywhere else {
      throw error(.asynchronous, registration)
    }
    other.latchOfWaiters()?.wait()
  }

  /// What others may be waiting for, made by this thread.
  @inline(__always)
  private func led(
    _ flight: Flight, _ registration: Registration<Value>, _ sharing: Sharing<Value>,
    _ answer: Answer, isKept: Bool, isRemoved: Bool
  ) throws(ResolutionError) -> Value? {
    var leading = lead(flight, answer, for: requester)
    defer { land(leading) }
    let value = try make(registration, answer, tracker: leading.tracker)
    return keep(value, sharing, registration, isKept: isKept, isRemoved: isRemoved, in: &leading)
  }
}
