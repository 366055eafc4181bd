// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

/// Collects the issues of the run that a test file provokes, and passes all others on.
///
/// An issue of the run belongs to no test, so no test could expect it. The host stays installed,
/// and changes nothing for other tests.
struct RunIssues: TestHost {
  private static let recorded = Lock<[Violation]>([])
  private static let claimed = Lock<Set<String>>([])
  private static let installed: Void = {
    guard let process = TestHosts.current else { fatalError("no host was installed at the start") }
    TestHosts.install(RunIssues(process: process))
  }()

  /// The work for the end of the calling task's test.
  @TaskLocal private static var endOfTest: Transcript<@Sendable () -> Void>?

  private let process: any TestHost

  /// From now on, collects issues of the run whose place is in this file.
  static func claim(fileID: String = #fileID) {
    claimed.withLock { _ = $0.insert(fileID) }
    installed
  }

  /// Runs `body`, and then the work that it has for the end of its test. A case of XCTest runs such
  /// work, and a test of Swift Testing does not.
  static func endingTest<Result>(after body: () -> Result) -> Result {
    installed
    let work = Transcript<@Sendable () -> Void>()
    defer { for end in work.all { end() } }
    return $endOfTest.withValue(work, operation: body)
  }

  /// Removes and returns the collected issues that mention a word.
  static func take(mentioning word: String) -> [Violation] {
    recorded.withLock { recorded in
      let taken = recorded.filter { $0.description.contains(word) }
      recorded.removeAll { $0.description.contains(word) }
      return taken
    }
  }

  func testOfCallingTask() -> RunningTest? { process.testOfCallingTask() }

  func runningCase() -> RunningTest? { process.runningCase() }

  func isSkip(_ error: any Error) -> Bool { process.isSkip(error) }

  var forbidsLive: Bool { process.forbidsLive }

  var expectsExit: Bool { process.expectsExit }

  var isOnMainActor: Bool { process.isOnMainActor }

  func atEndOfTest(_ body: @escaping @Sendable (_ wasSkipped: Bool) -> Void) -> Bool {
    guard let work = RunIssues.endOfTest else { return process.atEndOfTest(body) }
    work.say { body(false) }
    return true
  }

  func callerOfDouble() -> CallerPlace? { process.callerOfDouble() }

  func report(_ violation: Violation) -> Bool {
    guard process.testOfCallingTask() == nil,
      RunIssues.claimed.withLock({ $0.contains(violation.callSite.fileID) })
    else { return process.report(violation) }
    RunIssues.recorded.withLock { $0.append(violation) }
    return false
  }
}
