// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Adds a stub, newest of all; one that is for no call is a violation instead.
  func stub(
    _ answers: [Answer], matching matcher: ArgumentsMatcher<Arguments>, times: Int?,
    at callSite: CallSite
  ) {
    adoptIfNeeded()
    if let times, times < 1 { return report(uselessStubViolation(matcher, times, at: callSite)) }
    let stub = Stub(
      id: Tick.next(), matcher: matcher, madeAt: callSite, answers: answers, remaining: times)
    state.withLock { state in
      // The uses so far belong to the stub that was the newest until now.
      state.refresh()
      state.stubs.add(stub)
      state.refresh()
    }
  }

  /// Sets what answers when no stub does.
  func fallBack(on answer: Answer) {
    adoptIfNeeded()
    let previous = state.withLock { state in
      state.refresh()
      defer {
        state.fallback = QuickStub(.any, answer: answer)
        state.refresh()
      }
      return state.fallback
    }
    withExtendedLifetime(previous) {}
  }

  // What is forgotten is released outside the lock: its deinitialisers are user code.

  /// Forgets the calls, the stubs, the expectations and the fallback; keeps the limit, the policy
  /// and the owner.
  func reset() {
    let forgotten = state.withLock { state in
      state.refresh()
      let forgotten = (state.history.removeAll(), state.stubs, state.expectations, state.fallback)
      state.stubs.removeAll()
      state.expectations.removeAll()
      state.fallback = nil
      state.isStrict = false
      state.refresh()
      return forgotten
    }
    for case let place? in forgotten.2.expectations.map(\.place) { place.order.leave(place.index) }
    withExtendedLifetime(forgotten) {}
  }

  func keepLast(_ limit: Int) {
    let before = state.withLock { $0.history.keepLast(max(limit, 0)) }
    withExtendedLifetime(before) {}
  }

  func forgetCalls() {
    let forgotten = state.withLock { $0.history.removeAll() }
    withExtendedLifetime(forgotten) {}
  }

  func beStrict() {
    adoptIfNeeded()
    state.withLock { state in
      state.isStrict = true
      state.refresh()
    }
  }

  var calls: [Arguments] { state.withLock { $0.history.calls }.map(\.arguments) }

  var callCount: Int { state.withLock { $0.history.count } }

  func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    calls.filter { matcher.miss($0) == nil }
  }

  func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    let (calls, total) = state.withLock { ($0.history.calls, $0.history.count) }
    return OrderStep(
      description: name.call(texts: matcher.texts),
      ticks: calls.filter { matcher.miss($0.arguments) == nil }.map(\.tick),
      calls: calls.map { OrderedCall(tick: $0.tick, text: name.call($0.arguments)) },
      unkept: total - calls.count)
  }
}
