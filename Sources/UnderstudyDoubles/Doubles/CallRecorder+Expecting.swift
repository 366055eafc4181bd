// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Adds an expectation. One that can never be met, or that comes too late, is a violation.
  func expect(
    _ count: CallCount, matching matcher: ArgumentsMatcher<Arguments>, in order: ExpectedOrder?,
    at callSite: CallSite
  ) {
    adoptForPreparing()
    let text = name.call(texts: matcher.texts)
    // The calls of an earlier scope of the test are not too early.
    let (calls, total, owner) = state.withLock {
      ($0.history.calls, $0.history.count - $0.earlierCalls, $0.owner)
    }
    // A matcher for any arguments also matches calls that are no longer stored.
    let early =
      matcher.isCatchAll
      ? total : calls.suffix(total).count { matcher.miss($0.arguments) == nil }
    let problem = problem(count, matcher, early: early, of: owner)
    if let problem {
      report(
        Violation(
          Message(
            "The expectation of \(text) \(count) cannot be met: \(problem.reason).",
            facts: [Message.Fact("Expected at", "\(callSite)")], remedies: problem.remedies),
          at: callSite))
    }
    add(count, matcher, text: text, isReported: problem != nil, in: order, at: callSite)
  }

  func expectAnyCalls(_ count: CallCount, in order: ExpectedOrder?, at callSite: CallSite) {
    expect(count, matching: .any, in: order, at: callSite)
  }

  /// Makes each further call a violation, unless an earlier expectation has room for it.
  func expectNoMoreCalls(at callSite: CallSite) {
    adoptForPreparing()
    let text = name.call(texts: ArgumentsMatcher<Arguments>.any.texts)
    add(.never, .any, text: text, forbidsMore: true, at: callSite)
  }

  private func add(
    _ count: CallCount, _ matcher: ArgumentsMatcher<Arguments>, text: String,
    isReported: Bool = false, forbidsMore: Bool = false, in order: ExpectedOrder? = nil,
    at callSite: CallSite
  ) {
    // No other call of the order waits for one that may have come already.
    let place = order.map { (order: $0, index: $0.add(text, least: isReported ? 0 : count.least)) }
    let expectation = ExpectedCalls(
      id: Tick.next(), matcher: matcher, text: text, count: count, madeAt: callSite, place: place,
      isReported: isReported, forbidsMore: forbidsMore)
    state.withLock { state in
      state.expectations.add(expectation)
      state.refresh()
    }
    checkAtEndOfTest()
  }

  private func problem(
    _ count: CallCount, _ matcher: ArgumentsMatcher<Arguments>, early: Int, of owner: DoubleOwner
  ) -> (reason: String, remedies: [String])? {
    if owner.isFinished {
      return ("its double was finished", Self.remediesAfterEnd(by: owner.finisher))
    }
    if count.isImpossible {
      return (CallCount.impossible.reason, [CallCount.impossible.remedy])
    }
    if let impossible = matcher.impossible {
      return (impossible.reason, [impossible.remedy])
    }
    guard early > 0, !count.isAny else { return nil }
    return (
      "it was called \(CallCount.times(early)) before, and only later calls count",
      ["Expect calls before they are made, or check them afterwards:  expectCalled(…)"]
    )
  }

  /// Counts a call for the expectations, and reports it if it is wrong.
  ///
  /// - Returns: Whether an expectation counts the call, and whether the call was reported.
  func check(
    _ arguments: Arguments, against expectations: [ExpectedCalls<Arguments>], at callSite: CallSite
  ) -> (isExpected: Bool, isWrong: Bool) {
    guard !expectations.isEmpty else { return (false, false) }
    let texts = CallName.texts(of: arguments)
    let call = name.call(texts: texts)
    var (ids, differences): ([UInt64], [UInt64: String]) = ([], [:])
    for expectation in expectations {
      if let miss = expectation.matcher.miss(arguments) {
        // A generic call has its type at the end.
        guard call.hasPrefix(expectation.text) else { continue }
        differences[expectation.id] = expectation.matcher.reason(miss, in: texts)
      } else {
        ids.append(expectation.id)
      }
    }
    let verdict = state.withLock { [ids, differences] in
      $0.expectations.count(call, matching: ids, differences: differences)
    }
    switch verdict {
    case .unmatched: return (false, false)
    case .excessive(let expectation, let diff):
      report(excessiveViolation(expectation, call: call, diff: diff, at: callSite))
    case .expected(let expectation):
      guard let (order, index) = expectation.place, let problem = order.enter(index) else {
        return (true, false)
      }
      report(disorderedViolation(expectation, call: call, problem: problem, at: callSite))
    }
    return (true, true)
  }
}
