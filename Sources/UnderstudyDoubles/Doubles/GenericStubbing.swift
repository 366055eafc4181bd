// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The calls that `when` has chosen of a `GenericSpy`: stub them, or expect them.
public struct GenericStubbing<Arguments> {
  let recorder: CallRecorder<GenericCall<Arguments>, GenericSpy<Arguments>.Answer>
  let matcher: ArgumentsMatcher<Arguments>
  let callSite: CallSite

  /// Answers calls that ask for exactly this type, one after the other; the last value stays.
  public func returns<Output>(_ output: Output, then others: Output...) {
    stub(([output] + others).map { .value($0) }, as: Output.self)
  }

  /// Throws an error at calls that ask for exactly this type.
  public func `throws`<Output>(_ error: any Error, as type: Output.Type) {
    stub([.failure(error)], as: type)
  }

  /// Throws an error at every call.
  public func `throws`(_ error: any Error) {
    stub([.failure(error)], as: nil)
  }

  /// Answers calls that ask for exactly this type with what `handler` returns or throws.
  public func does<Output>(
    as type: Output.Type = Output.self,
    _ handler: @escaping @Sendable (Arguments) throws -> Output
  ) {
    stub([.handler { call in try handler(call.arguments) }], as: type)
  }

  /// Expects these calls a number of times, for whatever type, from now on.
  @discardableResult
  public func expects(_ count: CallCount = .once, in order: ExpectedOrder? = nil) -> Self {
    recorder.expect(count, matching: .generic(nil, matcher), in: order, at: callSite)
    return self
  }

  /// Expects these calls a number of times that is in a range, for whatever type: `2...`, `1...3`.
  @discardableResult
  public func expects(_ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil) -> Self {
    expects(.between(range), in: order)
  }

  private func stub(_ answers: [GenericSpy<Arguments>.Answer], as type: Any.Type?) {
    recorder.stub(answers, matching: .generic(type, matcher), times: nil, at: callSite)
  }
}

// Stubbing every call.
extension GenericSpy {
  /// Answers calls that ask for exactly this type, one after the other; the last value stays.
  public func returns<Output>(
    _ output: Output, then others: Output..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let answers = ([output] + others).map { Answer.value($0) }
    recorder.stub(
      answers, matching: .generic(Output.self, .any), times: nil,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Throws an error at every call.
  public func `throws`(
    _ error: any Error, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    recorder.stub(
      [.failure(error)], matching: .generic(nil, .any), times: nil,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Answers calls that ask for exactly this type with what `handler` returns or throws.
  public func does<Output>(
    as type: Output.Type = Output.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ handler: @escaping @Sendable (Arguments) throws -> Output
  ) {
    recorder.stub(
      [.handler { call in try handler(call.arguments) }], matching: .generic(type, .any),
      times: nil, at: CallSite(fileID, filePath, line, column))
  }

  /// Expects a number of calls, with any arguments and for whatever type, from now on.
  public func expects(
    _ count: CallCount, in order: ExpectedOrder? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.expect(
      count, matching: .generic(nil, .any), in: order,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Expects a number of calls that is in a range, with any arguments and for whatever type: `2...`, `1...3`.
  public func expects(
    _ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    recorder.expect(
      .between(range), matching: .generic(nil, .any), in: order,
      at: CallSite(fileID, filePath, line, column))
  }
}
