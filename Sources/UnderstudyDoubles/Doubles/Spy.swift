// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

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
/// A layer verifies the spy at its end. It is the first of these:
///
/// - the layer that owns the instance that contains the spy
/// - the layer under which the spy was created
/// - the outermost layer of the test that first stubs, expects or calls the spy, has its double as
///   a value, or hands its double out
///
/// Without a layer, call `finish()` or `verify()`. An expectation that is unmet when the last
/// reference to the spy goes is an issue.
///
/// `Arguments` is `Void`, the argument, or a tuple of arguments **without labels**.
public struct Spy<Arguments, Output, Failure: Error>: Answering {
  /// A function that answers a call.
  public typealias Handler = @Sendable (Arguments) throws(Failure) -> Output

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
  ) throws(Failure) -> Output {
    var isRecorded = false
    if let answer = recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
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
    case .unanswered(let call): return try recorder.goOn(call, with: lastResort)
    }
  }

  /// Answers a call with `value` if no stub answers.
  @discardableResult
  func answer(
    _ arguments: Arguments, orElse value: Output?, _ callSite: CallSite
  ) throws(Failure) -> Output {
    var isRecorded = false
    if let answer = recorder.quickAnswer(arguments, isRecorded: &isRecorded) {
      return try answer.give(arguments)
    }
    switch recorder.record(arguments, isRecorded: isRecorded, at: callSite) {
    case .answer(let answer): return try answer.give(arguments)
    case .unanswered(let call):
      if let value { return value }
      return try recorder.goOn(call, with: lastResort)
    }
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

extension Spy: Sendable where Arguments: Sendable, Output: Sendable {}
