// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Each form exists for both kinds of spies, since its parameter has to be a function type. Swift
// 6.3 crashes on a closure literal with typed throws if the type is an associated type or a generic
// parameter. No generic type has a function type with typed throws as an argument: systems before
// macOS 15 and iOS 18 do not support that.

extension Stubbing where Double == Spy<Arguments, Output, Failure> {
  /// Answers with the result of `handler`, or throws its error.
  ///
  /// - Parameters:
  ///   - times: The number of calls that it answers. `nil` stands for all calls.
  ///   - handler: Runs on the caller's thread, under no lock. A closure literal that throws a
  ///     concrete error has to say so: `{ id throws(RepoError) in … }`.
  /// - Returns: The chain, to add the answers of later calls.
  @discardableResult
  public func does(
    times: Int? = nil, _ handler: @escaping @Sendable (Arguments) throws(Failure) -> Output
  ) -> Self {
    adding([.handler(handler)], times: times)
  }
}

extension Spy {
  /// Answers with the result of `handler`, or throws its error.
  ///
  /// - Parameters:
  ///   - times: The number of calls that it answers. `nil` stands for all calls.
  ///   - handler: Runs on the caller's thread, under no lock. A closure literal that throws a
  ///     concrete error has to say so: `{ id throws(RepoError) in … }`.
  ///   - function: The calling function.
  @discardableResult
  public func does(
    times: Int? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, function: StaticString = #function,
    _ handler: @escaping @Sendable (Arguments) throws(Failure) -> Output
  ) -> Stubbing<Arguments, Output, Failure, Self> {
    every(fileID, filePath, line, column, function).does(times: times, handler)
  }

  /// Answers with `real` if no stub does. The calls are recorded all the same.
  ///
  /// Forwarding is no stub. Every stub wins over it, however late it is set, and it may stay
  /// unused.
  ///
  /// - Parameter real: The same call of the real object.
  public func forwards(to real: @escaping @Sendable (Arguments) throws(Failure) -> Output) {
    recorder.fallBack(on: .handler(real))
  }
}

extension Stubbing where Double == AsyncSpy<Arguments, Output, Failure> {
  /// Answers with the result of `handler`, or throws its error.
  ///
  /// - Parameters:
  ///   - times: The number of calls that it answers. `nil` stands for all calls.
  ///   - handler: Runs on the caller's actor, under no lock. A closure literal that throws a
  ///     concrete error has to say so: `{ id throws(RepoError) in … }`.
  /// - Returns: The chain, to add the answers of later calls.
  @discardableResult
  public func does(
    times: Int? = nil, _ handler: @escaping @Sendable (Arguments) async throws(Failure) -> Output
  ) -> Self {
    recorder.allowSuspending()
    return adding([.suspending(handler)], times: times)
  }
}

extension AsyncSpy {
  /// Answers with the result of `handler`, or throws its error.
  ///
  /// - Parameters:
  ///   - times: The number of calls that it answers. `nil` stands for all calls.
  ///   - handler: Runs on the caller's actor, under no lock. A closure literal that throws a
  ///     concrete error has to say so: `{ id throws(RepoError) in … }`.
  ///   - function: The calling function.
  @discardableResult
  public func does(
    times: Int? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, function: StaticString = #function,
    _ handler: @escaping @Sendable (Arguments) async throws(Failure) -> Output
  ) -> Stubbing<Arguments, Output, Failure, Self> {
    every(fileID, filePath, line, column, function).does(times: times, handler)
  }

  /// Answers with `real` if no stub does. The calls are recorded all the same.
  ///
  /// Forwarding is no stub. Every stub wins over it, however late it is set, and it may stay
  /// unused.
  ///
  /// - Parameter real: The same call of the real object.
  public func forwards(to real: @escaping @Sendable (Arguments) async throws(Failure) -> Output) {
    recorder.allowSuspending()
    recorder.fallBack(on: .suspending(real))
  }
}
