// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The calls of a `Spy` or an `AsyncSpy` that `when` has chosen. Stub them, expect them, or wait
/// for them.
///
/// The newest stub that matches a call answers it. The first `returns`, `throws` or `does` of a
/// chain makes a stub. Each further one adds the answers of later calls to that stub:
///
/// ```swift
/// fetches.when(7).returns(old).throws(Offline()).returns(new)
/// ```
public struct Stubbing<Arguments, Output, Failure: Error, Double> {
  let recorder: CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>
  let matcher: ArgumentsMatcher<Arguments>
  let callSite: CallSite
  /// The stub of this chain, once it exists.
  var stub: UInt64?
  var isOptional = false

  /// Answers each call with the next value. The last value stays.
  @discardableResult
  public func returns(_ output: Output, then others: Output...) -> Self {
    adding(([output] + others).map { .value($0) })
  }

  /// Answers a number of calls with a value. The next answer of the chain, or an older stub,
  /// answers later calls.
  @discardableResult
  public func returns(_ output: Output, times: Int) -> Self {
    adding([.value(output)], times: times)
  }

  /// Throws an error.
  @discardableResult
  public func `throws`(_ failure: Failure) -> Self {
    adding([.failure(failure)])
  }

  /// Throws an error at a number of calls. The next answer of the chain, or an older stub, answers
  /// later calls.
  @discardableResult
  public func `throws`(_ failure: Failure, times: Int) -> Self {
    adding([.failure(failure)], times: times)
  }

  /// Allows the stub of this chain to stay unused, wholly or in part.
  @discardableResult
  public func optional() -> Self {
    if let stub { recorder.excuse(stub) }
    return madeOptional()
  }

  /// Runs `effect` at these calls, after their stub is chosen, and before the stub answers.
  /// An effect is no stub, so a call still needs one.
  @discardableResult
  public func onCall(_ effect: @escaping @Sendable (Arguments) -> Void) -> Self {
    recorder.addEffect(effect, matching: matcher)
    return self
  }

  /// Expects these calls a number of times, from now on. The end of the double checks it.
  ///
  /// - Parameters:
  ///   - count: The number: `.once`, `.never`, `3`.
  ///   - order: The order in which the calls have a place, if any.
  /// - Returns: The same calls, to stub them as well.
  @discardableResult
  public func expects(_ count: CallCount = .once, in order: ExpectedOrder? = nil) -> Self {
    recorder.expect(count, matching: matcher, in: order, at: callSite)
    return self
  }

  /// Expects these calls a number of times that a variable holds, from now on.
  @discardableResult
  public func expects(_ count: Int, in order: ExpectedOrder? = nil) -> Self {
    expects(.exactly(count), in: order)
  }

  /// Expects these calls as often as a range says: `2...`, `1...3`.
  ///
  /// - Parameters:
  ///   - range: The accepted numbers of calls.
  ///   - order: The order in which the calls have a place, if any.
  /// - Returns: The same calls, to stub them as well.
  @discardableResult
  public func expects(_ range: some RangeExpression<Int>, in order: ExpectedOrder? = nil) -> Self {
    expects(.between(range), in: order)
  }

  /// Waits until there were at least `count` of these calls. The call itself wakes the waiter, and
  /// nothing polls.
  ///
  /// ```swift
  /// #expect(await saves.when(7, .any).calls(reach: 1, within: .seconds(1)))
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of calls to wait for. Earlier calls count, too, as far as they are kept.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many calls. `false` after the timeout, or if the task is
  ///   cancelled first.
  public func calls(reach count: Int, within timeout: Duration = .seconds(10)) async -> Bool {
    await calls(reach: count, within: timeout, of: ContinuousClock())
  }

  /// Waits until there were at least `count` of these calls. The call itself wakes the waiter, and
  /// nothing polls.
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
    await recorder.wait(until: count, matching: matcher, timeout, of: clock)
  }

  /// Adds answers to the stub of this chain. The first answer creates the stub, and so does each
  /// one after a reset of the spy.
  func adding(
    _ answers: [StubAnswer<Arguments, Output, Failure>], times: Int? = nil
  ) -> Self {
    if let stub,
      recorder.append(answers, times: times, to: stub, matching: matcher, at: callSite)
    {
      return self
    }
    var stubbing = self
    stubbing.stub = recorder.stub(
      answers, matching: matcher, times: times, isOptional: isOptional, at: callSite)
    return stubbing
  }
}

/// A chain whose stub may stay unused, without its types.
protocol OptionalStubbing {
  var isOptional: Bool { get set }
}

extension OptionalStubbing {
  func madeOptional() -> Self {
    var optional = self
    optional.isOptional = true
    return optional
  }
}

extension Stubbing: OptionalStubbing {}
extension GenericStubbing: OptionalStubbing {}

// Disfavoured, so that `.init(…)` makes an `Unchecked`.
extension Stubbing {
  /// Answers each call with the next value, as an `Unchecked`. The last value stays.
  @_disfavoredOverload
  @discardableResult
  public func returns<Value>(_ output: Value, then others: Value...) -> Self
  where Output == Unchecked<Value> {
    adding(([output] + others).map { .value(Unchecked($0)) })
  }

  /// Answers a number of calls with a value, as an `Unchecked`. The next answer of the chain, or an
  /// older stub, answers later calls.
  @_disfavoredOverload
  @discardableResult
  public func returns<Value>(_ output: Value, times: Int) -> Self
  where Output == Unchecked<Value> {
    returns(Unchecked(output), times: times)
  }
}

extension Stubbing where Output == Void {
  /// Answers by returning.
  @discardableResult
  public func returns() -> Self {
    returns(())
  }
}
