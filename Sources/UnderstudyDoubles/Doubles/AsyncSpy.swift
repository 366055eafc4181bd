// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

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

  /// The calls and the stubs of the double.
  public internal(set) var answers: DoubleControls.Answers<Arguments, Output, Failure>

  /// Creates a double with the calls and the stubs of another one.
  public init(answers: DoubleControls.Answers<Arguments, Output, Failure>) {
    self.answers = answers
  }

  @inlinable
  func answer(
    _ arguments: Arguments, _ fileID: StaticString, _ filePath: StaticString, _ line: Int,
    _ column: Int
  ) async throws(Failure) -> Output {
    var isRecorded = false
    if let answer = answers.recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
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
    case .unanswered(let call): return try recorder.goOn(call, with: answers.lastResort)
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
}

extension AsyncSpy: Sendable where Arguments: Sendable, Output: Sendable {}
