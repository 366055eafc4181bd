// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The store of a double. It owns the lock, uses the tables inside it, and acts outside it.
///
/// A double is finished by the layer that owns the instance that contains it, or else by the layer
/// under which it was created, or else by the outermost layer under which it is first stubbed,
/// expected or called.
@usableFromInline
final class CallRecorder<Arguments, Answer>: Sendable {
  @usableFromInline let state = Lock(RecorderState<Arguments, Answer>())
  let name: CallName
  let madeAt: CallSite
  /// The place of the registration whose block made the double, if one did.
  let block: CallSite?
  /// The test that made the double, if the test had no layer then.
  let madeIn: RunningTest?

  // `free` is the answer of a double that returns `Void`.
  init(_ name: CallName, policy: UnstubbedPolicy?, free: Answer? = nil, madeAt: CallSite) {
    self.name = name
    self.madeAt = madeAt
    block = OverrideLayer.runningBlock
    madeIn = Self.testWithoutLayer
    state.withLock { state in
      state.policy = policy
      state.free = free.map { QuickStub(.any, answer: $0) }
    }
    OverrideLayer.adoptMade(self)
  }

  deinit {
    defer { releaseAll() }
    // No layer has finished the double and none will: its findings would be lost.
    let (isJudged, isCheckedLater) = state.withLock { state in
      guard state.owner.isMissing else { return (true, state.isCheckedLater) }
      let isUnused = state.stubs.stubs.isEmpty && state.expectations.isEmpty
      return (isUnused && state.untold.isEmpty, state.isCheckedLater)
    }
    if isCheckedLater { forgetCheckAtExit(for: ObjectIdentifier(self)) }
    if isJudged { return }
    for violation in violationsWithoutLayer() {
      if let tell = StrayViolations.listener {
        tell(naming(madeIn, in: violation))
      } else {
        TestProcess.noteMissingAdapter(of: "Double", at: madeAt)
      }
    }
  }

  /// The result of recording a call.
  enum Outcome {
    case answer(Answer)
    case unanswered(Unanswered)
  }

  /// A call without an answer, and the stubs that did not match.
  struct Unanswered {
    let arguments: Arguments
    let callSite: CallSite
    let misses: [String]
    /// The double's own policy, if it has one.
    let policy: UnstubbedPolicy?
    /// Whether an expectation counts the call.
    let isExpected: Bool
    /// Whether a violated expectation, strictness or the double's end has already judged the call.
    let isJudged: Bool
    /// Whether the double had ended before the call.
    let isLate: Bool
    /// Whether the call was already reported.
    let isReported: Bool
    /// Whether there was no stub at all.
    let hasNoStubs: Bool
  }

  /// Records a call unless it is already recorded, checks it against the expectations, and finds
  /// its answer.
  ///
  /// - Parameter id: The number of an asynchronous call. If the answer may suspend, `suspended` has
  ///   the call until the caller removes it.
  func record(
    _ arguments: Arguments, isRecorded: Bool = false, at callSite: CallSite, as id: UInt64? = nil
  ) -> Outcome {
    adoptIfNeeded()
    let (snapshot, effects, maySuspend) = state.withLock {
      ($0.snapshot, $0.effects, $0.maySuspend)
    }
    let suspending = maySuspend ? id : nil
    let text = suspending == nil ? "" : name.call(arguments)
    let recorded = isRecorded ? arguments : snapshot?(arguments) ?? arguments
    var evicted: RecordedCall<Arguments>?
    let (stubs, expectations, watches, late) = state.withLock { state in
      if !isRecorded { evicted = state.history.append(recorded) }
      state.unsettled += 1
      // From here on, the end of the double finds the call.
      if let suspending, !state.owner.isFinished {
        state.suspended[suspending] = SuspendedCall(text: text)
      }
      // A watch that began after the call was recorded has found it in the history.
      let watches = isRecorded ? [:] : state.watches
      // A late call is reported as such alone, so it counts for no expectation.
      let late = state.owner.isFinished
      return (state.stubs.stubs, late ? [] : state.expectations.expectations, watches, late)
    }
    withExtendedLifetime(evicted) {}
    let isOfRelease = late && HeldObjects.areBeingReleased
    if late, !isOfRelease { report(lateViolation(arguments, at: callSite)) }

    let (expected, wrong) = check(arguments, against: expectations, at: callSite)
    let (answer, answering, misses, hasNoStubs) = answer(arguments, from: stubs)
    let seen = watches.filter { $0.value.matcher.miss(recorded) == nil }.keys
    // A waiter may end the double at once, so it waits until the call has counted.
    let (woken, fallback) = state.withLock { state in
      state.unsettled -= 1
      if let suspending {
        if Self.maySuspend(answer ?? state.fallback?.answer) {
          state.suspended[suspending]?.stubbedAt = answering
        } else {
          state.suspended[suspending] = nil
        }
      }
      for id in seen { state.watches[id]?.count += 1 }
      defer { state.refresh() }
      let settled = state.settled
      return (state.waiters.take { $0 <= settled }, state.fallback)
    }
    for wake in woken { wake.resume(returning: true) }
    for effect in effects where effect.matcher.miss(arguments) == nil { effect.run(arguments) }
    if let answer { return .answer(answer) }
    let (isStrict, policy) = state.withLock { ($0.isStrict, $0.policy) }
    let isUnexpected = isStrict && !expected && !late
    if isUnexpected { reportUnexpectedCall(arguments, misses: misses, at: callSite) }
    if let fallback { return .answer(fallback.answer) }
    return .unanswered(
      Unanswered(
        arguments: arguments, callSite: callSite, misses: misses, policy: policy,
        isExpected: expected, isJudged: wrong || isStrict && !expected || late, isLate: late,
        isReported: late || isUnexpected || wrong, hasNoStubs: hasNoStubs))
  }

  /// Tries the stubs, newest first. A matching stub may be used up in the meantime, and then the
  /// next one is tried. If it was removed, the present stubs are tried once. If none answers,
  /// returns the reason of each.
  private func answer(
    _ arguments: Arguments, from stubs: [Stub<Arguments, Answer>], isAgain: Bool = false
  ) -> (Answer?, stubbedAt: CallSite?, misses: [String], hasNoStubs: Bool) {
    var missed: [(stub: Stub<Arguments, Answer>, miss: ArgumentsMiss?)] = []
    for stub in stubs.reversed() {
      if let miss = stub.matcher.miss(arguments) {
        missed.append((stub, miss))
      } else if let answer = state.withLock({ $0.stubs.take(stub.id) }) {
        return (answer, stub.madeAt, [], false)
      } else {
        let present = state.withLock { $0.stubs.stubs }
        if !isAgain, !present.contains(where: { $0.id == stub.id }) {
          return self.answer(arguments, from: present, isAgain: true)
        }
        missed.append((stub, nil))
      }
    }
    let texts = missed.isEmpty ? [] : CallName.texts(of: arguments)
    let misses = missed.reversed().map { stub, miss in
      let reason = miss.map { stub.matcher.reason($0, in: texts) }
      return "\(name.call(texts: stub.matcher.texts)), made at \(stub.madeAt): "
        + (reason ?? "used up after \(counted(stub.taken, "answer"))")
    }
    return (nil, nil, misses, stubs.isEmpty)
  }

  private static func maySuspend(_ answer: Answer?) -> Bool {
    (answer as? any HandlingAnswer)?.maySuspend ?? false
  }
}

extension CallRecorder {
  /// Waits until there are `count` settled calls, or until `timeout` returns.
  ///
  /// A call wakes the waiter. Nothing polls.
  func wait(
    until count: Int, timeout: @escaping @Sendable () async -> Void
  ) async -> Bool {
    await wait(until: count, unlessForgotten: nil, timeout)
  }

  /// The same. It also ends, and returns `true`, if the calls were forgotten more often than
  /// `forgettings` says.
  private func wait(
    until count: Int, unlessForgotten forgettings: Int?,
    _ timeout: @escaping @Sendable () async -> Void
  ) async -> Bool {
    if state.withLock({ $0.settled >= count }) { return true }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        while true {
          let known = forgettings ?? self.state.withLock { $0.forgettings }
          if await self.waitOnce(until: count, known) { return true }
          if Task.isCancelled { return false }
          if forgettings != nil { return true }
        }
      }
      group.addTask {
        await timeout()
        return false
      }
      let reached = await group.next() ?? false
      group.cancelAll()
      // Both may have ended, and then the group returns either result first.
      return reached || !Task.isCancelled && self.state.withLock { $0.settled >= count }
    }
  }

  /// Returns `false` if the calls were forgotten more often than `forgettings` says, or if the task
  /// is cancelled.
  private func waitOnce(until count: Int, _ forgettings: Int) async -> Bool {
    await state.wait { state, id, wake in
      if state.forgettings != forgettings { return .refuses }
      if state.settled >= count { return .passes }
      defer { state.refresh() }
      return state.waiters.add(id, at: count, wake)
    } remove: { state, id in
      defer { state.refresh() }
      return state.waiters.take(id)
    }
  }

  /// Waits until there are `count` settled calls that `matcher` matches, or until the timeout.
  func wait<C: Clock>(
    until count: Int, matching matcher: ArgumentsMatcher<Arguments>, _ timeout: C.Duration,
    of clock: C
  ) async -> Bool where C.Duration: Sendable {
    let deadline = clock.now.advanced(by: timeout)
    let id = Tick.next()
    // Later calls are counted when they are made, since the history may drop them.
    let (known, released, begin) = state.withLock { state in
      state.watches[id] = Watch(matcher: matcher)
      state.refresh()
      return (state.history.calls, state.history.released, state.forgettings)
    }
    defer {
      let watch = state.withLock { state in
        defer { state.refresh() }
        return state.watches.removeValue(forKey: id)
      }
      withExtendedLifetime(watch) {}
    }
    if released > 0 { report(releasedViolation(released)) }
    let earlier = known.count { matcher.miss($0.arguments) == nil }
    while true {
      let (seen, found, forgettings) = state.withLock {
        ($0.settled, $0.watches[id]?.count ?? 0, $0.forgettings)
      }
      let isReached = (forgettings == begin ? earlier : 0) + found >= count
      // An earlier call may not yet have counted for an expectation or used a stub.
      let isCalled = await wait(
        until: isReached ? callCount : seen + 1, unlessForgotten: forgettings
      ) {
        await clock.sleepInTurns(until: deadline)
      }
      if isReached || !isCalled { return isCalled }
    }
  }
}
