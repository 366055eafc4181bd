// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Adds a stub as the newest one, and returns its number. A stub that can answer no call is a
  /// violation instead.
  @discardableResult
  func stub(
    _ answers: [Answer], matching matcher: ArgumentsMatcher<Arguments>, times: Int?,
    isOptional: Bool = false, at callSite: CallSite
  ) -> UInt64? {
    adoptForPreparing()
    if let times, times < 1 {
      report(uselessStubViolation(matcher, times, at: callSite))
      return nil
    }
    var stub = Stub<Arguments, Answer>(id: Tick.next(), matcher: matcher, madeAt: callSite)
    stub.isOptional = isOptional || SharedSetUp.isCalling
    stub.append(answers, count: times)
    change { $0.stubs.add(stub) }
    checkAtEndOfTest()
    return stub.id
  }

  /// Adds answers for later calls to a stub. Returns `false` if it was removed.
  func append(
    _ answers: [Answer], times: Int?, to stub: UInt64,
    matching matcher: ArgumentsMatcher<Arguments>,
    at callSite: CallSite
  ) -> Bool {
    if let times, times < 1 {
      report(uselessStubViolation(matcher, times, at: callSite))
      return true
    }
    let (before, isThere) = change { state in
      let before = (state.stubs.stubs, state.quick)
      return (before, state.stubs.change(stub) { $0.append(answers, count: times) })
    }
    // A used answer may be removed. It is released here, outside the lock, since a deinit is user
    // code.
    withExtendedLifetime(before) {}
    return isThere
  }

  /// Allows a stub to stay unused.
  func excuse(_ stub: UInt64) {
    change { _ = $0.stubs.change(stub) { $0.isOptional = true } }
  }

  /// Allows all stubs so far to stay unused.
  func excuseStubs() {
    change { $0.stubs.excuseAll() }
  }

  /// Adds a side effect for each call that `matcher` matches.
  func addEffect(
    _ effect: @escaping @Sendable (Arguments) -> Void, matching matcher: ArgumentsMatcher<Arguments>
  ) {
    adoptForPreparing()
    change { $0.effects.append(SideEffect(matcher: matcher, run: effect)) }
  }

  /// Sets the function that makes snapshots of arguments for the history.
  func snapshot(by snapshot: @escaping @Sendable (Arguments) -> Arguments) {
    let previous = state.withLock { state in
      defer { state.refresh() }
      return exchange(&state.snapshot, with: snapshot)
    }
    withExtendedLifetime(previous) {}
  }

  /// Sets the double's own policy for calls without a stub.
  func setPolicy(_ policy: UnstubbedPolicy?) {
    change { state in
      state.policy = policy
      state.isFree = false
    }
  }

  /// Stores each later call until it has returned. Call it before adding an answer that may
  /// suspend.
  func allowSuspending() {
    change { $0.maySuspend = true }
  }

  private func change<Value>(
    _ body: (inout RecorderState<Arguments, Answer>) -> Value
  ) -> Value {
    state.withLock { state in
      // The constant answer's uses so far belong to the stub that was the newest one until now.
      state.refresh()
      defer { state.refresh() }
      return body(&state)
    }
  }

  /// Sets the answer for calls without a stub.
  func fallBack(on answer: Answer) {
    adoptForPreparing()
    let previous = state.withLock { state in
      defer {
        state.fallback = QuickStub(.any, answer: answer)
        state.refresh()
      }
      return state.fallback
    }
    withExtendedLifetime(previous) {}
  }

  // Everything that is forgotten is released outside the lock, since a deinit is user code.

  /// Forgets the calls, the stubs, the side effects, the expectations and the fallback. Keeps the
  /// limit, the policy, the snapshot and the owner.
  func reset() {
    let forgotten = state.withLock { state in
      state.refresh()
      let forgotten = (
        state.forgetCalls(), state.stubs, state.expectations, state.fallback, state.effects
      )
      state.stubs.removeAll()
      state.expectations.removeAll()
      state.fallback = nil
      state.effects = []
      state.isStrict = false
      state.mustGiveAllAnswers = false
      state.hasForgottenCalls = false
      state.hasReleasedHandlers = false
      state.refresh()
      return forgotten
    }
    for waiter in forgotten.0.waiters { waiter.resume(returning: false) }
    for case let place? in forgotten.2.expectations.map(\.place) { place.order.leave(place.index) }
    withExtendedLifetime(forgotten) {}
  }

  func keepLast(_ limit: Int) {
    let before = state.withLock { $0.history.keepLast(max(limit, 0)) }
    withExtendedLifetime(before) {}
  }

  func forgetCalls() {
    let forgotten = state.withLock { state in
      if state.history.count > 0 { state.hasForgottenCalls = true }
      return state.forgetCalls()
    }
    for waiter in forgotten.waiters { waiter.resume(returning: false) }
    withExtendedLifetime(forgotten) {}
  }

  func beStrict() {
    adoptForPreparing()
    change { $0.isStrict = true }
  }

  var calls: [Arguments] { recordedCalls.map(\.arguments) }

  /// The stored calls, for a test that reads them. Reading too late is a violation.
  private var recordedCalls: [RecordedCall<Arguments>] {
    let (calls, released) = state.withLock { ($0.history.calls, $0.history.released) }
    if released > 0 { report(releasedViolation(released)) }
    return calls
  }

  var callCount: Int { state.withLock { $0.history.count } }

  func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    calls.filter { matcher.miss($0) == nil }
  }

  var anyCall: OrderStep { step(matching: .any) }

  func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    let (calls, total) = (recordedCalls, callCount)
    let (wanted, description) = (matcher.texts, name.call(texts: matcher.texts))
    return OrderStep(
      description: description,
      ticks: calls.filter { matcher.miss($0.arguments) == nil }.map(\.tick),
      calls: OrderedCalls(
        double: ObjectIdentifier(self), name: name, madeAt: madeAt, ticks: calls.map(\.tick)
      ) { shown in
        let calls = self.state.withLock { $0.history.calls }
        return calls.filter { shown.contains($0.tick) }.map { call in
          let texts = CallName.texts(of: call.arguments)
          let text = self.name.call(texts: texts)
          let isAlike = text.hasPrefix(description)
          return (call.tick, text, isAlike ? { CallName.difference(texts, from: wanted) } : nil)
        }
      },
      unkept: total - calls.count, isCatchAll: matcher.isCatchAll, impossible: matcher.impossible)
  }
}
