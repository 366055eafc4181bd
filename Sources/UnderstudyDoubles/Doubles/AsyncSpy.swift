// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A double of one asynchronous requirement. It is a `Spy` whose stubs may suspend.
///
/// ```swift
/// fetches.does { id in try await gate.wait(); return User(id: id) }
/// ```
///
/// A call runs on the caller's actor. A call that has not returned when the double is finished is a
/// violation.
public struct AsyncSpy<Arguments, Output, Failure: Error>: Answering {
  /// A function that answers a call. It may suspend.
  public typealias Handler = @Sendable (Arguments) async throws(Failure) -> Output

  @usableFromInline
  let recorder: CallRecorder<Arguments, StubAnswer<Arguments, Output, Failure>>
  var lastResort: LastResort<Output, Failure>

  /// Creates a double without stubs.
  ///
  /// - `name`: The requirement as Swift names it: `remove(_:hard:)`. Messages use this name.
  /// - `unstubbed`: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public init(
    _ name: String, unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder = CallRecorder(
      name, policy: unstubbed, free: LastResort<Output, Failure>.nothing.map { .value($0) },
      madeAt: CallSite(fileID, filePath, line, column))
    lastResort = LastResort(placeholder: nil)
  }

  /// Creates a double without stubs that has a placeholder.
  ///
  /// - `name`: The requirement as Swift names it: `remove(_:hard:)`. Messages use this name.
  /// - `placeholder`: The result of a call that no stub answers. Such a call is still a violation,
  ///   unless the policy is `.relaxed`.
  /// - `unstubbed`: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public init(
    _ name: String, placeholder: Output, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    recorder = CallRecorder(
      name, policy: unstubbed, madeAt: CallSite(fileID, filePath, line, column))
    lastResort = LastResort(placeholder: placeholder)
  }

  @inlinable
  func answer(
    _ arguments: Arguments, _ fileID: StaticString, _ filePath: StaticString, _ line: Int,
    _ column: Int
  ) async throws(Failure) -> Output {
    var isRecorded = false
    if let answer = recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
      guard answer.maySuspend else { return try answer.give(arguments) }
      return try await answerSuspended(arguments, answer)
    }
    return try await answerSlowly(arguments, isRecorded, fileID, filePath, line, column)
  }

  @usableFromInline
  func answerSlowly(
    _ arguments: Arguments, _ isRecorded: Bool, _ fileID: StaticString, _ filePath: StaticString,
    _ line: Int, _ column: Int
  ) async throws(Failure) -> Output {
    let callSite = CallSite(fileID, filePath, line, column)
    switch recorder.record(arguments, isRecorded: isRecorded, at: callSite) {
    case .answer(let answer): return try await answerSuspended(arguments, answer)
    case .unanswered(let call): return try recorder.goOn(call, with: lastResort)
    }
  }

  /// Runs an answer that may suspend, and records that the call has not returned until it has.
  @usableFromInline
  func answerSuspended(
    _ arguments: Arguments, _ answer: StubAnswer<Arguments, Output, Failure>
  ) async throws(Failure) -> Output {
    guard answer.maySuspend else { return try answer.give(arguments) }
    let id = Tick.next()
    // Stored as text, since the double may end on another thread while the call uses the arguments.
    let call = recorder.name.call(arguments)
    recorder.state.withLock { $0.suspended[id] = call }
    defer { recorder.state.withLock { _ = $0.suspended.removeValue(forKey: id) } }
    return try await answer.giveSuspending(arguments)
  }

  /// Chooses the calls that `matcher` matches.
  public func stub(
    _ matcher: ArgumentsMatcher<Arguments>, _ callSite: CallSite
  ) -> Stubbing<Arguments, Output, Failure, Self> {
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

extension AsyncSpy: Sendable where Arguments: Sendable, Output: Sendable {}
