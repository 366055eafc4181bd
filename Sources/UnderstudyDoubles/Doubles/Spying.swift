// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The common interface of all doubles that record calls: `Spy`, `AsyncSpy`, `GenericSpy`.
///
/// You do not conform to it. It is there so that everything that does not depend on how a double
/// answers reads the same on every kind of double.
public protocol Spying<Arguments>: Verifiable {
  /// The arguments of a call: the argument itself if there is one, a tuple without labels for more.
  associatedtype Arguments
  /// The calls that `when` has chosen.
  associatedtype Stub

  /// The recorded calls, oldest first, as plain values: the argument of each, or a tuple.
  var calls: [Arguments] { get }
  /// The operations of the double that do not depend on its types.
  var controls: DoubleControls { get }

  /// Chooses the calls that `matcher` matches.
  func stub(_ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite) -> Stub
  /// The recorded calls that `matcher` matches.
  func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments]
  /// A step of `expectOrder`: a call that `matcher` matches.
  func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep
}

/// The operations of a double that do not depend on its types.
public struct DoubleControls: Sendable {
  let recorder: any RecorderControls
}

/// A recorder without its types.
protocol RecorderControls: AnyObject, Sendable {
  var callCount: Int { get }
  func keepLast(_ limit: Int)
  func forgetCalls()
  func reset()
  func beStrict()
  func setPolicy(_ policy: UnstubbedPolicy?)
  func expectAnyCalls(_ count: CallCount, in order: ExpectedOrder?, at callSite: CallSite)
  func expectNoMoreCalls(at callSite: CallSite)
  func finish(isOfLayer: Bool) -> [Violation]
  func verify() -> [Violation]
  func wait(until count: Int, timeout: @escaping @Sendable () async -> Void) async -> Bool
}

extension CallRecorder: RecorderControls {}

extension Spying {
  /// The double itself.
  public var parts: [DoubleControls] { [controls] }

  /// How many calls there were, exactly, however many are kept.
  public var callCount: Int { controls.recorder.callCount }

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
    await controls.recorder.wait(until: count) { try? await clock.sleep(for: timeout) }
  }

  /// Keeps at most the newest `limit` calls from now on. The count stays exact, the memory flat.
  ///
  /// - Parameter limit: How many to keep; 0 only counts.
  /// - Returns: The same double, to configure it where it is made.
  @discardableResult
  public func keepsLast(_ limit: Int) -> Self {
    controls.recorder.keepLast(limit)
    return self
  }

  /// Makes every call a violation that is neither expected nor stubbed.
  ///
  /// - Returns: The same double, to configure it where it is made.
  @discardableResult
  public func strict() -> Self {
    controls.recorder.beStrict()
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
    controls.recorder.expectAnyCalls(
      count, in: order, at: CallSite(fileID, filePath, line, column))
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
    controls.recorder.expectAnyCalls(
      .between(range), in: order, at: CallSite(fileID, filePath, line, column))
  }

  /// Forgets the calls, and keeps the stubs and the expectations.
  public func forgetCalls() {
    controls.recorder.forgetCalls()
  }
}

/// A double of one requirement whose answers have one type: `Spy`, `AsyncSpy`.
///
/// You do not conform to it. The forms that stub every call stand here once for both.
public protocol Answering<Arguments, Output, Failure>: Spying
where Stub == Stubbing<Arguments, Output, Failure, Handler> {
  /// The result of a call.
  associatedtype Output
  /// The error that a call throws; `Never` if it throws none.
  associatedtype Failure: Error
  /// A function that answers a call. That of an `AsyncSpy` may suspend.
  associatedtype Handler
}

extension Answering {
  /// Answers with values, one call after the other; the last one stays.
  ///
  /// - Returns: The stub, to add the answers of later calls:
  ///   `.returns(1).throws(Broken()).returns(2)`.
  @discardableResult
  public func returns(
    _ output: Output, then others: Output..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).adding(([output] + others).map { .value($0) })
  }

  /// Answers a limited number of calls with a value; older stubs answer those after.
  @discardableResult
  public func returns(
    _ output: Output, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).returns(output, times: times)
  }

  /// Throws an error at every call.
  @discardableResult
  public func `throws`(
    _ failure: Failure, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).throws(failure)
  }

  /// Throws an error at a limited number of calls; older stubs answer those after.
  @discardableResult
  public func `throws`(
    _ failure: Failure, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).throws(failure, times: times)
  }

  /// Runs `effect` at every call, before the call is answered. It is no stub.
  @discardableResult
  public func onCall(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ effect: @escaping @Sendable (Arguments) -> Void
  ) -> Stub {
    every(fileID, filePath, line, column).onCall(effect)
  }

  /// Records a snapshot of the arguments in place of the arguments themselves.
  ///
  /// ```swift
  /// saves.recording { $0.copy() }
  /// ```
  ///
  /// Use it for arguments that change after the call. Stubs, side effects and handlers get the
  /// original.
  ///
  /// - Parameter snapshot: Runs once for each call, on the caller's thread, under no lock.
  /// - Returns: The same double, to configure it where it is made.
  @discardableResult
  public func recording(_ snapshot: @escaping @Sendable (Arguments) -> Arguments) -> Self {
    every(#fileID, #filePath, #line, #column).recorder.snapshot(by: snapshot)
    return self
  }

  func every(
    _ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int,
    _ function: StaticString = ""
  ) -> Stub {
    var every = stub(.any, CallSite(fileID, filePath, line, column))
    every.isOptional = SharedSetUp.isName(function)
    return every
  }
}

extension Answering where Output == Void {
  /// Answers every call by returning.
  @discardableResult
  public func returns(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    returns(
      (), fileID: fileID, filePath: filePath, line: line, column: column, function: function)
  }
}
