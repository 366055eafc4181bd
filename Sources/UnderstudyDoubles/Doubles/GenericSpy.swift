// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A double of a generic requirement: the answer is looked up by the type that is asked for.
///
/// ```swift
/// let decodes = GenericSpy<String>("decode(_:key:)")
/// func decode<T>(_ type: T.Type, key: String) throws -> T { try decodes(key, as: type) }
///
/// double.decodes.returns(User(id: 7))
/// double.decodes.when("age").returns(42)
/// ```
///
/// A stub answers only calls that ask for exactly its own type.
public struct GenericSpy<Arguments>: Spying {
  typealias Call = GenericCall<Arguments>
  typealias Answer = StubAnswer<Call, Any, any Error>

  let recorder: CallRecorder<Call, Answer>

  /// Makes a double that has no stubs.
  ///
  /// - `name`: The requirement as Swift names it, without what only says the type.
  /// - `unstubbed`: What a call means that no stub answers; `nil` leaves it to the layer.
  public init(
    _ name: String, unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder = CallRecorder(
      name, policy: unstubbed, madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Records a call and answers it with a value of the type that is asked for.
  ///
  /// - Throws: What the stub throws; `Unstubbed` if no stub answers.
  public func callAsFunction<Output>(
    _ arguments: Arguments, as type: Output.Type = Output.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Output {
    let call = Call(arguments: arguments, type: type)
    switch recorder.record(call, at: CallSite(fileID, filePath, line, column)) {
    case .answer(let answer):
      // The matcher of every stub asks for the type first; the cast is to that type.
      if let output = try answer.give(call) as? Output { return output }
      throw Unstubbed(Message("A stub of \(recorder.name) did not answer with \(type)."))
    case .unanswered(let call):
      return try recorder.goOn(call, with: LastResort<Output, any Error>(placeholder: nil))
    }
  }

  /// Records a call where nothing may be thrown; a call that no stub answers traps, or returns
  /// nothing or `nil` if that is what is asked for.
  public func value<Output>(
    _ arguments: Arguments, as type: Output.Type = Output.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Output {
    let call = Call(arguments: arguments, type: type)
    switch recorder.record(call, at: CallSite(fileID, filePath, line, column)) {
    case .answer(let answer):
      do {
        if let output = try answer.give(call) as? Output { return output }
        fatalError("A stub of \(recorder.name) did not answer with \(type).")
      } catch {
        fatalError("A stub of \(recorder.name) threw where nothing may be thrown: \(error)")
      }
    case .unanswered(let call):
      return recorder.goOn(call, with: LastResort<Output, Never>(placeholder: nil))
    }
  }

  /// Chooses the calls that `matcher` matches.
  public func stub(
    _ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite
  ) -> GenericStubbing<Arguments> {
    GenericStubbing(recorder: recorder, matcher: matcher, callSite: callSite)
  }

  /// The arguments of the calls that are kept, oldest first, whatever type they asked for.
  public var calls: [Arguments] { recorder.calls.map(\.arguments) }

  /// The arguments of the kept calls that asked for `type`, oldest first.
  public func calls(as type: Any.Type) -> [Arguments] {
    recorder.calls.filter { $0.type == type }.map(\.arguments)
  }

  /// How many calls there were, exactly, whatever is kept.
  public var callCount: Int { recorder.callCount }

  /// The kept calls that `matcher` matches.
  public func calls(matching matcher: ArgumentsMatcher<Arguments>) -> [Arguments] {
    calls.filter { matcher.miss($0) == nil }
  }

  /// A step of `expectOrder`: a call that `matcher` matches.
  public func step(matching matcher: ArgumentsMatcher<Arguments>) -> OrderStep {
    recorder.step(matching: .generic(nil, matcher))
  }

  /// Waits until there were at least `count` calls. A call wakes the waiter; nothing polls.
  ///
  /// - Parameters:
  ///   - count: How many calls to wait for, those made before included.
  ///   - timeout: How long to wait, by the continuous clock.
  /// - Returns: Whether there were; `false` after the timeout, and when the task is cancelled.
  public func calls(reach count: Int, within timeout: Duration) async -> Bool {
    await recorder.wait(until: count) { try? await Task.sleep(for: timeout) }
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

  /// Forgets the calls, and keeps the stubs and the expectations.
  public func forgetCalls() {
    recorder.forgetCalls()
  }

  /// Forgets the calls, the stubs and the expectations.
  public func reset() {
    recorder.reset()
  }
}

extension GenericSpy: Sendable where Arguments: Sendable {}
