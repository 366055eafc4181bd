// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A double of a generic requirement. It finds the answer by the requested type.
///
/// ```swift
/// let decodes = GenericSpy<String>("decode(key:)")
/// func decode<T>(_ type: T.Type, key: String) throws -> T { try decodes(key, as: type) }
///
/// double.decodes.returns(User(id: 7))
/// double.decodes.when("age").returns(42)
/// ```
///
/// A stub answers only calls that request exactly its own type. It cannot suspend.
public struct GenericSpy<Arguments>: Spying {
  typealias Call = GenericCall<Arguments>
  typealias Answer = StubAnswer<Call, Any, any Error>

  let recorder: CallRecorder<Call, Answer>

  /// Creates a double without stubs.
  ///
  /// - Parameters:
  ///   - name: The requirement as Swift names it, without the parameter that only names the type.
  ///   - unstubbed: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public init(
    _ name: String, unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder = CallRecorder(
      CallName(name), policy: unstubbed, madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Records a call and answers it with a value of the requested type. If no stub answers, the
  /// result is `placeholder`. Such a call is still a violation, unless the policy is `.relaxed`.
  ///
  /// - Throws: The error of the stub, or `Unstubbed` if no stub answers and there is no
  ///   placeholder.
  public func callAsFunction<Output>(
    _ arguments: Arguments, as type: Output.Type = Output.self, placeholder: Output? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Output {
    try answer(
      arguments, type, (any Error).self, placeholder, CallSite(fileID, filePath, line, column))
  }

  /// Records and answers a call of a requirement that throws one type of errors. A call that no
  /// stub answers returns nothing, `placeholder`, `nil` or another obvious value if the type has
  /// one, and traps otherwise.
  ///
  /// - Throws: The error of the stub. An error of another type is a violation, and the call goes on
  ///   as one without a stub.
  public func callAsFunction<Output, Failure: Error>(
    _ arguments: Arguments, as type: Output.Type = Output.self, throwing failure: Failure.Type,
    placeholder: Output? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output {
    try answer(arguments, type, failure, placeholder, CallSite(fileID, filePath, line, column))
  }

  /// Records and answers a call of a requirement that throws nothing. A call that no stub answers
  /// returns nothing, `placeholder`, `nil` or another obvious value if the type has one, and traps
  /// otherwise. A stub that throws is a violation, and the call goes on as one without a stub.
  public func value<Output>(
    _ arguments: Arguments, as type: Output.Type = Output.self, placeholder: Output? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Output {
    answer(arguments, type, Never.self, placeholder, CallSite(fileID, filePath, line, column))
  }

  private func answer<Output, Failure: Error>(
    _ arguments: Arguments, _ type: Output.Type, _ failure: Failure.Type, _ placeholder: Output?,
    _ callSite: CallSite
  ) throws(Failure) -> Output {
    let call = Call(arguments: arguments, type: type)
    switch recorder.record(call, at: callSite) {
    case .answer(let answer):
      let value: Any
      do {
        value = try answer.give(call)
      } catch {
        if let error = error as? Failure { throw error }
        let violation = recorder.thrownViolation(error, by: call, at: callSite)
        let lastResort = LastResort<Output, Failure>(placeholder: placeholder)
        guard let output = try lastResort.output(throwing: error) else { recorder.trap(violation) }
        recorder.report(violation)
        return output
      }
      // The matcher of every stub compares the type first, so the cast succeeds.
      guard let output = value as? Output else {
        fatalError("A stub of \(recorder.name) did not answer with \(type).")
      }
      return output
    case .unanswered(let call):
      return try recorder.goOn(call, with: LastResort<Output, Failure>(placeholder: placeholder))
    }
  }

  /// Chooses the calls that `matcher` matches.
  public func stub(
    _ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite
  ) -> GenericStubbing<Arguments> {
    GenericStubbing(recorder: recorder, matcher: matcher, callSite: callSite)
  }

  /// The arguments of the recorded calls, oldest first, for all requested types.
  public var calls: [Arguments] { recorder.calls.map(\.arguments) }

  /// The arguments of the recorded calls that requested `type`, oldest first.
  public func calls(as type: Any.Type) -> [Arguments] {
    recorder.calls.filter { $0.type == type }.map(\.arguments)
  }

  /// The recorded calls that `matcher` matches.
  public func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    calls.filter { matcher.miss($0) == nil }
  }

  /// A step of `expectOrder`: a call that `matcher` matches.
  public func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    recorder.step(matching: .generic(nil, matcher))
  }

  /// The operations of the double that do not depend on its types.
  public var controls: DoubleControls { DoubleControls(recorder: recorder) }
}

extension GenericSpy: Sendable where Arguments: Sendable {}

/// The calls of a `GenericSpy` that `when` has chosen. Stub them, expect them, or wait for them.
///
/// The first `returns`, `throws` or `does` of a chain makes a stub for one requested type. Each
/// further one adds the answers of later calls to that stub. Stub another type in another chain.
public struct GenericStubbing<Arguments> {
  let recorder: CallRecorder<GenericCall<Arguments>, GenericSpy<Arguments>.Answer>
  let matcher: ArgumentsMatcher<Arguments>
  let callSite: CallSite
  /// The stub of this chain, once it exists.
  var stub: UInt64?
  /// The requested type of that stub. `nil` stands for any.
  fileprivate var type: Any.Type?
  var isOptional = false

  /// Answers calls that request exactly this type, with one value after the other. The last value
  /// stays.
  @discardableResult
  public func returns<Output>(_ output: Output, then others: Output...) -> Self {
    adding(([output] + others).map { .value($0) }, as: Output.self)
  }

  /// Answers a number of calls that request exactly this type with a value. The next answer of the
  /// chain, or an older stub, answers later calls.
  @discardableResult
  public func returns<Output>(_ output: Output, times: Int) -> Self {
    adding([.value(output)], as: Output.self, times: times)
  }

  /// Throws an error at calls that request exactly this type, a number of times or always.
  @discardableResult
  public func `throws`<Output>(_ error: any Error, as type: Output.Type, times: Int? = nil) -> Self
  {
    adding([.failure(error)], as: type, times: times)
  }

  /// Throws an error, `times` times or always. At the start of a chain, it answers calls of any
  /// type, and later only calls of the chain's type.
  @discardableResult
  public func `throws`(_ error: any Error, times: Int? = nil) -> Self {
    adding([.failure(error)], as: nil, times: times)
  }

  /// Answers calls that request exactly this type with the result of `handler`, or throws its
  /// error, a number of times or always.
  @discardableResult
  public func does<Output>(
    as type: Output.Type = Output.self, times: Int? = nil,
    _ handler: @escaping @Sendable (Arguments) throws -> Output
  ) -> Self {
    adding([.handler { call in try handler(call.arguments) }], as: type, times: times)
  }

  /// Runs `effect` at these calls, for any type, before their stub answers. It is no stub.
  @discardableResult
  public func onCall(_ effect: @escaping @Sendable (Arguments) -> Void) -> Self {
    recorder.addEffect({ effect($0.arguments) }, matching: .generic(nil, matcher))
    return self
  }

  /// Expects these calls a number of times, for any type, from now on.
  @discardableResult
  public func expects(_ count: CallCount = .once, in order: ExpectedOrder? = nil) -> Self {
    recorder.expect(count, matching: .generic(nil, matcher), in: order, at: callSite)
    return self
  }

  /// Expects these calls a number of times that a variable holds, for any type, from now on.
  @discardableResult
  public func expects(_ count: Int, in order: ExpectedOrder? = nil) -> Self {
    expects(.exactly(count), in: order)
  }

  /// Expects these calls as often as a range says, for any type: `2...`, `1...3`.
  @discardableResult
  public func expects(_ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil) -> Self {
    expects(.between(range), in: order)
  }

  /// Waits until there were at least `count` of these calls, for any type. The call itself wakes
  /// the waiter, and nothing polls.
  ///
  /// - Parameters:
  ///   - count: The number of calls to wait for. Earlier calls count, too, as far as they are kept.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many calls. `false` after the timeout, or if the task is
  ///   cancelled first.
  public func calls(reach count: Int, within timeout: Duration = .seconds(10)) async -> Bool {
    await calls(reach: count, within: timeout, of: ContinuousClock())
  }

  /// Waits until there were at least `count` of these calls, for any type. The call itself wakes
  /// the waiter, and nothing polls.
  ///
  /// - Parameters:
  ///   - count: The number of calls to wait for. Earlier calls count, too, as far as they are kept.
  ///   - timeout: The longest time to wait.
  ///   - clock: The clock that measures it, such as a `ManualClock`.
  /// - Returns: `true` if there were that many calls. `false` after the timeout, or if the task is
  ///   cancelled first.
  public func calls<C: Clock>(
    reach count: Int, within timeout: C.Duration, of clock: C
  ) async -> Bool where C.Duration: Sendable {
    await recorder.wait(until: count, matching: .generic(nil, matcher), timeout, of: clock)
  }

  /// Allows the stub of this chain to stay unused, wholly or in part.
  @discardableResult
  public func optional() -> Self {
    if let stub { recorder.excuse(stub) }
    return madeOptional()
  }

  /// Adds answers to the stub of this chain. The first answer creates the stub, and so does each
  /// one of another type, which is a violation.
  fileprivate func adding(
    _ answers: [GenericSpy<Arguments>.Answer], as type: Any.Type?, times: Int? = nil
  ) -> Self {
    let matcher = ArgumentsMatcher.generic(type, matcher)
    let isSameType = type == nil || type == self.type
    if let stub, isSameType,
      recorder.append(answers, times: times, to: stub, matching: matcher, at: callSite)
    {
      return self
    }
    if stub != nil, !isSameType {
      recorder.report(recorder.changedTypeViolation(self.type, to: matcher, at: callSite))
    }
    var stubbing = self
    stubbing.stub = recorder.stub(
      answers, matching: matcher, times: times, isOptional: isOptional, at: callSite)
    stubbing.type = type
    return stubbing
  }
}

// Stubs for every call.
extension GenericSpy {
  /// Answers calls that request exactly this type, with one value after the other. The last value
  /// stays.
  @discardableResult
  public func returns<Output>(
    _ output: Output, then others: Output..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function)
      .adding(([output] + others).map { .value($0) }, as: Output.self)
  }

  /// Answers a number of calls that request exactly this type with a value. Older stubs answer
  /// later calls.
  @discardableResult
  public func returns<Output>(
    _ output: Output, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).returns(output, times: times)
  }

  /// Throws an error at every call, or at a number of calls.
  @discardableResult
  public func `throws`(
    _ error: any Error, times: Int? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).throws(error, times: times)
  }

  /// Throws an error at calls that request exactly this type, a number of times or always.
  @discardableResult
  public func `throws`<Output>(
    _ error: any Error, as type: Output.Type, times: Int? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function
  ) -> Stub {
    every(fileID, filePath, line, column, function).throws(error, as: type, times: times)
  }

  /// Answers calls that request exactly this type with the result of `handler`, or throws its
  /// error, a number of times or always.
  @discardableResult
  public func does<Output>(
    as type: Output.Type = Output.self, times: Int? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    function: StaticString = #function,
    _ handler: @escaping @Sendable (Arguments) throws -> Output
  ) -> Stub {
    every(fileID, filePath, line, column, function).does(as: type, times: times, handler)
  }

  /// Runs `effect` at every call, before its stub answers. It is no stub.
  @discardableResult
  public func onCall(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ effect: @escaping @Sendable (Arguments) -> Void
  ) -> Stub {
    stub(.any, CallSite(fileID, filePath, line, column)).onCall(effect)
  }

  /// Records a snapshot of the arguments in place of the arguments themselves. Stubs, side effects
  /// and handlers get the original.
  ///
  /// - Parameter snapshot: Runs once for each call, on the caller's thread, under no lock.
  /// - Returns: The same double, so you can configure it where you create it.
  @discardableResult
  public func recording(_ snapshot: @escaping @Sendable (Arguments) -> Arguments) -> Self {
    recorder.snapshot { Call(arguments: snapshot($0.arguments), type: $0.type) }
    return self
  }
}

/// A call of a generic requirement: the arguments and the requested type.
struct GenericCall<Arguments>: CustomReflectable, CustomDebugStringConvertible, ArgumentsHolder,
  TypedCall
{
  let arguments: Arguments
  let type: Any.Type

  var heldArguments: Any { arguments }

  // A call is printed with its arguments, and the type at the end.
  var customMirror: Mirror {
    let texts = CallName.texts(of: arguments).map { Verbatim(text: $0) }
    return Mirror(
      self, unlabeledChildren: texts + [Verbatim(text: "as \(type)")], displayStyle: .tuple)
  }

  var debugDescription: String { "\(CallName.texts(of: self))" }

  private struct Verbatim: CustomDebugStringConvertible {
    let text: String
    var debugDescription: String { text }
  }
}

extension ArgumentsMatcher {
  /// Matches calls of a generic requirement that request `type`, or any type if it is `nil`.
  static func generic<Inner>(
    _ type: Any.Type?, _ matcher: ArgumentsMatcher<Inner>
  ) -> ArgumentsMatcher where Arguments == GenericCall<Inner> {
    var generic = ArgumentsMatcher(
      matcher.argumentTexts, matchesAllArguments: matcher.matchesAllArguments, requestedType: type,
      impossible: matcher.impossible
    ) { call in
      if let type, call.type != type { return ArgumentsMiss(argument: .max) }
      return matcher.miss(call.arguments)
    }
    generic.mayRetainObjects = matcher.mayRetainObjects
    generic.hasExactTexts = matcher.hasExactTexts
    generic.hasPredicate = matcher.hasPredicate
    return generic
  }
}
