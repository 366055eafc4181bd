// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// Stubbing every call.
extension AsyncSpy {
  /// Answers with values, one call after the other; the last one stays.
  public func returns(
    _ output: Output, then others: Output..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let answers = [output] + others
    recorder.stub(
      answers.map { .value($0) }, matching: .any, times: nil,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Answers a limited number of calls with a value; older stubs answer those after.
  public func returns(
    _ output: Output, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.stub(
      [.value(output)], matching: .any, times: times, at: CallSite(fileID, filePath, line, column))
  }

  /// Throws an error at every call.
  public func `throws`(
    _ failure: Failure, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.stub(
      [.failure(failure)], matching: .any, times: nil, at: CallSite(fileID, filePath, line, column))
  }

  /// Throws an error at a limited number of calls; older stubs answer those after.
  public func `throws`(
    _ failure: Failure, times: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder.stub(
      [.failure(failure)], matching: .any, times: times,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Answers with what `handler` returns or throws.
  ///
  /// - `times`: How many calls it answers; `nil` for all of them.
  /// - `handler`: Runs on the caller's actor, under no lock. A closure literal that throws a concrete
  ///   error has to say so: `{ id throws(RepoError) in … }`.
  public func does(
    times: Int? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ handler: @escaping @Sendable (Arguments) async throws(Failure) -> Output
  ) {
    recorder.stub(
      [.handler(handler)], matching: .any, times: times,
      at: CallSite(fileID, filePath, line, column))
  }

  /// Answers with `real` where no stub does; the calls are recorded all the same.
  ///
  /// It is no stub: however late it is set, every stub wins over it, and it may stay unused.
  ///
  /// - Parameter real: The same call of what this double stands in for.
  public func forwards(
    to real: @escaping @Sendable (Arguments) async throws(Failure) -> Output
  ) {
    recorder.fallBack(on: .handler(real))
  }
}
