// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The store behind a double: owns the lock, asks the tables inside it and acts outside it.
///
/// The layer finishes it that keeps the instance that it is made for; made for none, the layer that is current.
/// Made under no layer, it is finished by the outermost of those that it is first stubbed, expected or called
/// under.
@usableFromInline
final class CallRecorder<Arguments, Answer>: Sendable {
  let state = Lock(RecorderState<Arguments, Answer>())
  /// Where that is, for the quick way.
  @usableFromInline let guarded: Guarded<RecorderState<Arguments, Answer>>
  let name: CallName
  let madeAt: CallSite

  // `free` is the answer of a double that returns nothing.
  init(_ name: String, policy: UnstubbedPolicy?, free: Answer? = nil, madeAt: CallSite) {
    self.name = CallName(name)
    self.madeAt = madeAt
    guarded = state.guarded
    state.withLock { state in
      state.policy = policy
      state.free = free.map { QuickStub(.any, answer: $0) }
    }
    OverrideLayer.adoptMade(self)
  }

  /// What a recorded call gets.
  enum Outcome {
    case answer(Answer)
    case unanswered(Unanswered)
  }

  /// A call that nothing answers, and the stubs that did not match.
  struct Unanswered {
    let arguments: Arguments
    let callSite: CallSite
    let misses: [String]
    /// The double's own policy, if it has one.
    let policy: UnstubbedPolicy?
    /// Whether something else than the stubs has already judged the call.
    let isJudged: Bool
    /// Whether it was reported then.
    let isReported: Bool
    /// Whether there was no stub at all.
    let hasNoStubs: Bool
  }

  /// Records a call unless it is recorded, checks it against the expectations, finds its answer.
  func record(
    _ arguments: Arguments, isRecorded: Bool = false, at callSite: CallSite
  ) -> Outcome {
    adoptIfNeeded()
    var evicted: RecordedCall<Arguments>?
    let (woken, stubs, expectations, late) = state.withLock { state in
      state.refresh()
      if !isRecorded { evicted = state.history.append(arguments) }
      let woken = state.waiters.take(reached: state.history.count)
      return (woken, state.stubs.stubs, state.expectations.expectations, state.owner.isFinished)
    }
    withExtendedLifetime(evicted) {}
    for wake in woken { wake.resume(returning: true) }
    defer { state.withLock { $0.refresh() } }
    if late { reportLateCall(arguments, at: callSite) }

    let expected = check(arguments, against: expectations, at: callSite)
    let (answer, misses) = answer(arguments, from: stubs)
    if let answer { return .answer(answer) }
    let (fallback, isStrict, policy) = state.withLock { ($0.fallback, $0.isStrict, $0.policy) }
    let isUnexpected = isStrict && !expected
    if isUnexpected { reportUnexpectedCall(arguments, misses: misses, at: callSite) }
    if let fallback { return .answer(fallback.answer) }
    return .unanswered(
      Unanswered(
        arguments: arguments, callSite: callSite, misses: misses.map(\.text), policy: policy,
        isJudged: expected || isStrict || late, isReported: late || isUnexpected,
        hasNoStubs: stubs.isEmpty))
  }

  /// Why a stub did not answer a call.
  struct StubMiss {
    let text: String
  }

  /// Asks the stubs, newest first. A stub that matches may be used up meanwhile; then the next one
  /// is asked.
  private func answer(
    _ arguments: Arguments, from stubs: [Stub<Arguments, Answer>]
  ) -> (Answer?, [StubMiss]) {
    var missed: [(stub: Stub<Arguments, Answer>, miss: ArgumentsMiss?)] = []
    for stub in stubs.reversed() {
      if let miss = stub.matcher.miss(arguments) {
        missed.append((stub, miss))
      } else if let answer = state.withLock({ $0.stubs.take(stub.id) }) {
        return (answer, [])
      } else {
        missed.append((stub, nil))
      }
    }
    let texts = missed.isEmpty ? [] : CallName.texts(of: arguments)
    let misses = missed.reversed().map { stub, miss in
      let reason = miss.map { stub.matcher.reason($0, in: texts) }
      let usedUp = "used up after \(CallCount.answers(stub.taken))"
      return StubMiss(
        text: "\(name.call(texts: stub.matcher.texts)), made at \(stub.madeAt): "
          + (reason ?? usedUp))
    }
    return (nil, misses)
  }
}

extension CallCount {
  static func answers(_ count: Int) -> String {
    count == 1 ? "1 answer" : "\(count) answers"
  }

  static func calls(_ count: Int) -> String {
    count == 1 ? "1 call" : "\(count) calls"
  }
}
