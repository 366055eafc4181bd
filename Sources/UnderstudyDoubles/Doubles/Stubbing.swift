// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The calls that `when` has chosen of a `Spy`: stub them, or expect them.
///
/// The newest stub that matches a call answers it.
public struct Stubbing<Arguments, Output, Failure: Error> {
  let recorder: CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>
  let matcher: ArgumentsMatcher<Arguments>
  let callSite: CallSite

  /// Answers with values, one call after the other; the last one stays.
  public func returns(
    _ output: Output, then others: Output...
  ) {
    let answers = [output] + others
    recorder.stub(answers.map { .value($0) }, matching: matcher, times: nil, at: callSite)
  }

  /// Answers a limited number of calls with a value; older stubs answer those after.
  public func returns(
    _ output: Output, times: Int
  ) {
    recorder.stub([.value(output)], matching: matcher, times: times, at: callSite)
  }

  /// Throws an error at every call.
  public func `throws`(
    _ failure: Failure
  ) {
    recorder.stub([.failure(failure)], matching: matcher, times: nil, at: callSite)
  }

  /// Throws an error at a limited number of calls; older stubs answer those after.
  public func `throws`(
    _ failure: Failure, times: Int
  ) {
    recorder.stub([.failure(failure)], matching: matcher, times: times, at: callSite)
  }

  /// Answers with what `handler` returns or throws.
  ///
  /// - Parameters:
  ///   - times: How many calls it answers; `nil` for all of them.
  ///   - handler: Runs on the caller's thread, under no lock. A closure literal that throws a concrete
  ///     error has to say so: `{ id throws(RepoError) in … }`.
  public func does(
    times: Int? = nil,
    _ handler: @escaping @Sendable (Arguments) throws(Failure) -> Output
  ) {
    recorder.stub([.handler(handler)], matching: matcher, times: times, at: callSite)
  }

  /// Expects these calls a number of times, from now on; checked when the double is finished.
  ///
  /// - Parameters:
  ///   - count: How many: `.once`, `.never`, `3`.
  ///   - order: The order that the calls have a place in, if any.
  /// - Returns: The same calls, to stub them as well.
  @discardableResult
  public func expects(_ count: CallCount = .once, in order: ExpectedOrder? = nil) -> Self {
    recorder.expect(count, matching: matcher, in: order, at: callSite)
    return self
  }

  /// Expects these calls a number of times that is in a range: `2...`, `1...3`.
  ///
  /// - Parameters:
  ///   - range: How many.
  ///   - order: The order that the calls have a place in, if any.
  /// - Returns: The same calls, to stub them as well.
  @discardableResult
  public func expects(_ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil) -> Self {
    expects(.between(range), in: order)
  }
}

extension Stubbing where Output == Void {
  /// Answers by returning.
  public func returns() {
    returns(())
  }
}
