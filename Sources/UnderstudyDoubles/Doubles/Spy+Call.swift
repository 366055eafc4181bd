// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// There is one method for each number of arguments up to six, and a parameter pack for more. A
// debug build looks up the type of a pack at each call, which takes longer than the rest of the
// call. The method for one argument also accepts a tuple.

extension Spy {
  /// Records a call without arguments and answers it.
  @inlinable
  public func callAsFunction(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == Void {
    try answer((), fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction(
    _ a: Arguments, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output {
    try answer(a, fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction<A, B>(
    _ a: A, _ b: B, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (A, B) {
    try answer((a, b), fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction<A, B, C>(
    _ a: A, _ b: B, _ c: C, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (A, B, C) {
    try answer((a, b, c), fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction<A, B, C, D>(
    _ a: A, _ b: B, _ c: C, _ d: D, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (A, B, C, D) {
    try answer((a, b, c, d), fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction<A, B, C, D, E>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (A, B, C, D, E) {
    try answer((a, b, c, d, e), fileID, filePath, line, column)
  }

  /// Records a call and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @inlinable
  public func callAsFunction<A, B, C, D, E, F>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (A, B, C, D, E, F) {
    try answer((a, b, c, d, e, f), fileID, filePath, line, column)
  }

  /// Records a call with more than six arguments and answers it.
  ///
  /// - Throws: The error of the stub; `Unstubbed` if no stub answers and any error may be thrown.
  @_disfavoredOverload
  @inlinable
  public func callAsFunction<each Argument>(
    _ arguments: repeat each Argument, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output where Arguments == (repeat each Argument) {
    try answer((repeat each arguments), fileID, filePath, line, column)
  }

  /// Records a call and answers it. If no stub answers, the result is `placeholder`, which may
  /// depend on the arguments. Such a call is still a violation, unless the policy is `.relaxed`.
  ///
  /// - Throws: The error of the stub.
  public func callAsFunction(
    _ arguments: Arguments, placeholder: Output, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(Failure) -> Output {
    var spy = self
    spy.answers.lastResort = LastResort(placeholder: placeholder)
    return try spy.answer(arguments, fileID, filePath, line, column)
  }
}
