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
    // An answer that may suspend is never quick.
    if let answer = answers.recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
      return try answer.give(arguments)
    }
    return try await answerSlowly(arguments, isRecorded, fileID, filePath, line, column)
  }

  @usableFromInline
  func answerSlowly(
    _ arguments: Arguments, _ isRecorded: Bool, _ fileID: StaticString, _ filePath: StaticString,
    _ line: Int, _ column: Int
  ) async throws(Failure) -> Output {
    let callSite = CallSite(fileID, filePath, line, column)
    let id = Tick.next()
    defer { recorder.state.withLock { _ = $0.suspended.removeValue(forKey: id) } }
    switch recorder.record(arguments, isRecorded: isRecorded, at: callSite, as: id) {
    case .answer(let answer): return try await answer.giveSuspending(arguments)
    case .unanswered(let call): return try recorder.goOn(call, with: answers.lastResort)
    }
  }
}

extension AsyncSpy: Sendable where Arguments: Sendable, Output: Sendable {}
