// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A double of one requirement. It records every call as a plain value, and answers with stubs.
///
/// ```swift
/// final class RepoDouble: Repo {
///   let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
///   func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int { try removes(id, hard) }
/// }
/// ```
///
/// No call is ever lost or recorded twice, from any number of threads. Handlers, predicates and
/// comparisons run on the caller's thread, under no lock.
///
/// A spy is a reference: copies record into the same history. It is `Sendable` exactly if its
/// arguments and its output are.
///
/// The spy is verified at the end of the first of these layers that exists:
///
/// - the layer that owns the instance that contains the spy
/// - the layer under which the spy was created
/// - the outermost layer under which the test first stubs, expects or calls the spy
///
/// Without a layer, call `finish()` or `verify()`. An expectation that is unmet when the last
/// reference to the spy goes is an issue.
///
/// `Arguments` is `Void`, the argument, or a tuple of arguments **without labels**.
public struct Spy<Arguments, Output, Failure: Error>: Answering {
  /// A function that answers a call.
  public typealias Handler = @Sendable (Arguments) throws(Failure) -> Output

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
  ) throws(Failure) -> Output {
    var isRecorded = false
    if let answer = answers.recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
      return try answer.give(arguments)
    }
    return try answerSlowly(arguments, isRecorded, fileID, filePath, line, column)
  }

  @usableFromInline
  func answerSlowly(
    _ arguments: Arguments, _ isRecorded: Bool, _ fileID: StaticString, _ filePath: StaticString,
    _ line: Int, _ column: Int
  ) throws(Failure) -> Output {
    let callSite = CallSite(fileID, filePath, line, column)
    switch recorder.record(arguments, isRecorded: isRecorded, at: callSite) {
    case .answer(let answer): return try answer.give(arguments)
    case .unanswered(let call): return try recorder.goOn(call, with: answers.lastResort)
    }
  }

  /// Answers a get or a set of a `SpyProperty` with `value` if no stub answers.
  @discardableResult
  func answer(
    _ arguments: Arguments, orElse value: Output?, _ callSite: CallSite
  ) throws(Failure) -> Output {
    var isRecorded = false
    if let answer = answers.recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
      return try answer.give(arguments)
    }
    switch recorder.record(arguments, isRecorded: isRecorded, at: callSite) {
    case .answer(let answer): return try answer.give(arguments)
    case .unanswered(let call):
      if let value { return value }
      return try recorder.goOn(call, isGet: true, with: answers.lastResort)
    }
  }
}

extension Spy: Sendable where Arguments: Sendable, Output: Sendable {}
