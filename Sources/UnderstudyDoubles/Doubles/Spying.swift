// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The common interface of all doubles that record calls: `Spy`, `AsyncSpy`, `GenericSpy`.
///
/// You do not conform to it. It has the operations that do not depend on how a double answers.
public protocol Spying<Arguments>: Verifiable {
  /// The arguments of a call: one argument, or a tuple without labels.
  associatedtype Arguments
  /// The calls that `when` has chosen.
  associatedtype Stub

  /// The recorded calls, oldest first. Each is a plain value: the argument, or a tuple of them.
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
  /// A step that any call of the double reaches.
  var anyCall: OrderStep { get }
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

  /// The exact number of calls, also if only some of them are kept.
  public var callCount: Int { controls.recorder.callCount }

  /// Waits until there were at least `count` calls. The call itself wakes the waiter, and nothing
  /// polls. By then the call has counted for an expectation or used a stub. Its side effects and
  /// its handler may still run.
  ///
  /// A wait may begin while another thread still compares the arguments of a call with the matchers
  /// of stubs. If the double has only stubs that always answer alike, that call already counts.
  ///
  /// - Parameters:
  ///   - count: The number of calls to wait for. Earlier calls count, too.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many calls. `false` after the timeout, or if the task is
  ///   cancelled first.
  public func calls(reach count: Int, within timeout: Duration = .seconds(10)) async -> Bool {
    await calls(reach: count, within: timeout, of: ContinuousClock())
  }

  /// Waits until there were at least `count` calls. The call itself wakes the waiter, and nothing
  /// polls. By then the call has counted for an expectation or used a stub. Its side effects and
  /// its handler may still run.
  ///
  /// A wait may begin while another thread still compares the arguments of a call with the matchers
  /// of stubs. If the double has only stubs that always answer alike, that call already counts.
  ///
  /// - Parameters:
  ///   - count: The number of calls to wait for. Earlier calls count, too.
  ///   - timeout: The longest time to wait.
  ///   - clock: The clock that measures it, such as a `ManualClock`.
  /// - Returns: `true` if there were that many calls. `false` after the timeout, or if the task is
  ///   cancelled first.
  public func calls<C: Clock>(
    reach count: Int, within timeout: C.Duration, of clock: C
  ) async -> Bool where C.Duration: Sendable {
    let deadline = clock.now.advanced(by: timeout)
    return await controls.recorder.wait(until: count) {
      await clock.sleepInTurns(until: deadline)
    }
  }

  /// Keeps at most the newest `limit` calls from now on. This bounds the memory, and the count
  /// stays exact.
  ///
  /// - Parameter limit: The number of calls to keep. With 0, the calls are only counted.
  /// - Returns: The same double, so you can configure it where you create it.
  @discardableResult
  public func keepsLast(_ limit: Int) -> Self {
    controls.recorder.keepLast(limit)
    return self
  }

  /// Makes each call that is neither expected nor stubbed a violation.
  ///
  /// - Returns: The same double, so you can configure it where you create it.
  @discardableResult
  public func strict() -> Self {
    controls.recorder.beStrict()
    return self
  }

  /// Expects a number of calls, with any arguments, from now on. The end of the double checks it.
  ///
  /// - Parameters:
  ///   - count: The number: `.never`, `3`, or `.once`, which is the default.
  ///   - order: The order in which the calls have a place, if any.
  public func expects(
    _ count: CallCount = .once, in order: ExpectedOrder? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    controls.recorder.expectAnyCalls(
      count, in: order, at: CallSite(fileID, filePath, line, column))
  }

  /// Expects a number of calls that a variable holds, with any arguments, from now on.
  ///
  /// - Parameters:
  ///   - count: The number of calls.
  ///   - order: The order in which the calls have a place, if any.
  public func expects(
    _ count: Int, in order: ExpectedOrder? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    expects(
      .exactly(count), in: order, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Expects as many calls as a range says, with any arguments: `2...`, `1...3`.
  ///
  /// - Parameters:
  ///   - range: The accepted numbers of calls.
  ///   - order: The order in which the calls have a place, if any.
  public func expects(
    _ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    expects(
      .between(range), in: order, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Forgets the calls, and keeps the stubs and the expectations.
  public func forgetCalls() {
    controls.recorder.forgetCalls()
  }
}

/// A double whose answers all have one type: `Spy`, `AsyncSpy`.
///
/// You do not conform to it. It has the forms that stub every call.
public protocol Answering<Arguments, Output, Failure>: Spying
where Stub == Stubbing<Arguments, Output, Failure, Self> {
  /// The result of a call.
  associatedtype Output
  /// The error that a call throws, or `Never`.
  associatedtype Failure: Error

  /// The calls and the stubs of the double.
  var answers: DoubleControls.Answers<Arguments, Output, Failure> { get }

  /// Creates a double with the calls and the stubs of another one.
  init(answers: DoubleControls.Answers<Arguments, Output, Failure>)
}

extension DoubleControls {
  /// The calls and the stubs of a double whose answers all have one type.
  public struct Answers<Arguments, Output, Failure: Error> {
    @usableFromInline
    let recorder: CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>
    var lastResort: LastResort<Output, Failure>
  }
}

extension DoubleControls.Answers: Sendable where Arguments: Sendable, Output: Sendable {}

extension Answering {
  /// Allows all stubs so far to stay unused.
  package func excuseStubs() { answers.recorder.excuseStubs() }

  /// Not for use: the compiler picks it for a spy without a name, and says so.
  @available(
    *, unavailable,
    message: "give the spy the name of its requirement: Spy<…>(\"send(_:)\")"
  )
  public init() {
    fatalError("The compiler accepts no call of this.")
  }

  /// Creates a double without stubs.
  ///
  /// - Parameters:
  ///   - name: The requirement as Swift names it: `remove(_:hard:)`. Messages use this name.
  ///   - unstubbed: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public init(
    _ name: String, unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      name, placeholder: nil, unstubbed: unstubbed,
      madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Creates a double without stubs that has a placeholder.
  ///
  /// - Parameters:
  ///   - name: The requirement as Swift names it: `remove(_:hard:)`. Messages use this name.
  ///   - placeholder: The result of a call that no stub answers. Such a call is still a violation,
  ///     unless the policy is `.relaxed`.
  ///   - unstubbed: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public init(
    _ name: String, placeholder: Output, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      name, placeholder: placeholder, unstubbed: unstubbed,
      madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Creates a double without stubs. One without a placeholder that returns nothing may be called
  /// freely.
  init(
    _ name: String, placeholder: Output?, unstubbed: UnstubbedPolicy? = nil,
    isSetter: Bool = false, madeAt: CallSite
  ) {
    let free = placeholder == nil ? LastResort<Output, Failure>.nothing : nil
    let recorder = CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>(
      CallName(name, isSetter: isSetter), policy: unstubbed, free: free.map { .value($0) },
      madeAt: madeAt)
    self.init(
      answers: DoubleControls.Answers(
        recorder: recorder, lastResort: LastResort(placeholder: placeholder)))
  }

  var recorder: CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>> {
    answers.recorder
  }

  /// Chooses the calls that `matcher` matches.
  public func stub(_ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite) -> Stub {
    Stubbing(recorder: recorder, matcher: matcher, callSite: callSite)
  }

  /// The operations of the double that do not depend on its types.
  public var controls: DoubleControls { DoubleControls(recorder: recorder) }

  /// The recorded calls, oldest first. Each is a plain value: the argument, or a tuple of them.
  public var calls: [Arguments] { recorder.calls }

  /// The recorded calls that `matcher` matches.
  public func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    recorder.calls(matching: matcher)
  }

  /// A step of `expectOrder`: a call that `matcher` matches.
  public func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    recorder.step(matching: matcher)
  }
}

extension Answering {
  /// Answers each call with the next value. The last value stays.
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

  /// Answers a number of calls with a value. Older stubs answer later calls.
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

  /// Throws an error at a number of calls. Older stubs answer later calls.
  @discardableResult
  public func `throws`(
    _ failure: Failure, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).throws(failure, times: times)
  }

  /// Runs `effect` at every call, after its stub is chosen, and before the stub answers. It is no
  /// stub.
  @discardableResult
  public func onCall(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ effect: @escaping @Sendable (Arguments) -> Void
  ) -> Stub {
    stub(.any, CallSite(fileID, filePath, line, column)).onCall(effect)
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
  /// - Returns: The same double, so you can configure it where you create it.
  @discardableResult
  public func recording(_ snapshot: @escaping @Sendable (Arguments) -> Arguments) -> Self {
    recorder.snapshot(by: snapshot)
    return self
  }
}

// Disfavoured, so that `.init(…)` makes an `Unchecked`.
extension Answering {
  /// Answers each call with the next value, as an `Unchecked`. The last value stays.
  ///
  /// - Returns: The stub, to add the answers of later calls.
  @_disfavoredOverload
  @discardableResult
  public func returns<Value>(
    _ output: Value, then others: Value..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Output == Unchecked<Value> {
    every(fileID, filePath, line, column, function)
      .adding(([output] + others).map { .value(Unchecked($0)) })
  }

  /// Answers a number of calls with a value, as an `Unchecked`. Older stubs answer later calls.
  @_disfavoredOverload
  @discardableResult
  public func returns<Value>(
    _ output: Value, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub where Output == Unchecked<Value> {
    every(fileID, filePath, line, column, function).returns(Unchecked(output), times: times)
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
