// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// What was called, and what is expected to be.
extension AsyncSpy {
  /// The calls that are kept, oldest first, as plain values: the argument of each, or a tuple.
  public var calls: [Arguments] { recorder.calls }

  /// How many calls there were, exactly, whatever is kept.
  public var callCount: Int { recorder.callCount }

  /// The kept calls that `matcher` matches.
  public func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    recorder.calls(matching: matcher)
  }

  /// A step of `expectOrder`: a call that `matcher` matches.
  public func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    recorder.step(matching: matcher)
  }

  /// Waits until there were at least `count` calls. A call wakes the waiter; nothing polls.
  ///
  /// - Parameters:
  ///   - count: How many calls to wait for, those made before included.
  ///   - timeout: How long to wait, by the continuous clock.
  /// - Returns: Whether there were; `false` after the timeout, and when the task is cancelled.
  public func calls(reach count: Int, within timeout: Duration) async -> Bool {
    await calls(reach: count, within: timeout, of: ContinuousClock())
  }

  /// Waits until there were at least `count` calls. A call wakes the waiter; nothing polls.
  ///
  /// - Parameters:
  ///   - count: How many calls to wait for, those made before included.
  ///   - timeout: How long to wait.
  ///   - clock: The clock that measures it, such as a `ManualClock`.
  /// - Returns: Whether there were; `false` after the timeout, and when the task is cancelled.
  public func calls<C: Clock>(
    reach count: Int, within timeout: C.Duration, of clock: C
  ) async -> Bool where C.Duration: Sendable {
    await recorder.wait(until: count) { try? await clock.sleep(for: timeout) }
  }

  /// Keeps at most the newest `limit` calls from now on. The count stays exact, the memory flat.
  ///
  /// - Parameter limit: How many to keep; 0 only counts.
  /// - Returns: The same double, to configure it where it is made.
  @discardableResult
  public func keepsLast(_ limit: Int) -> Self {
    recorder.keepLast(limit)
    return self
  }

  /// Makes every call a violation that neither an expectation nor a stub speaks for.
  ///
  /// - Returns: The same double, to configure it where it is made.
  @discardableResult
  public func strict() -> Self {
    recorder.beStrict()
    return self
  }

  /// Expects a number of calls, with any arguments, from now on; checked when the double is
  /// finished.
  ///
  /// - `count`: How many: `.once`, `.never`, `3`.
  /// - `order`: The order that the calls have a place in, if any.
  public func expects(
    _ count: CallCount, in order: ExpectedOrder? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.expect(
      count, matching: .any, in: order, at: CallSite(fileID, filePath, line, column))
  }

  /// Expects a number of calls that is in a range, with any arguments: `2...`, `1...3`.
  ///
  /// - `range`: How many.
  /// - `order`: The order that the calls have a place in, if any.
  public func expects(
    _ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.expect(
      .between(range), matching: .any, in: order,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Forgets the calls, and keeps the stubs and the expectations.
  public func forgetCalls() {
    recorder.forgetCalls()
  }

  /// Forgets the calls, the stubs, the expectations, the forwarding and the strictness.
  public func reset() {
    recorder.reset()
  }
}

extension AsyncSpy where Output == Void {
  /// Answers every call by returning.
  public func returns(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    returns((), fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
