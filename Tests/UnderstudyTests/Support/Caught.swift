// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// An issue as a test compares it, with all its parts.
struct Caught: Hashable, Sendable, CustomStringConvertible {
  var text: String
  var isError: Bool
  var line: Int
  var file: String

  init(_ text: String, isError: Bool = true, line: Int, file: String) {
    self.text = text
    self.isError = isError
    self.line = line
    self.file = file
  }

  /// An expected issue that points into the calling file.
  static func error(_ text: String, line: Int, file: String = #fileID) -> Caught {
    Caught(text, isError: true, line: line, file: file)
  }

  static func warning(_ text: String, line: Int, file: String = #fileID) -> Caught {
    Caught(text, isError: false, line: line, file: file)
  }

  init(_ issue: Issue) {
    self.init(
      issue.comments.map(\.rawValue).joined(separator: "\n"), isError: issue.severity == .error,
      line: issue.sourceLocation?.line ?? 0, file: issue.sourceLocation?.fileID ?? "")
  }

  init(_ violation: Violation) {
    self.init(
      violation.description, isError: violation.severity == .error, line: violation.callSite.line,
      file: violation.callSite.fileID)
  }

  var description: String {
    "\(isError ? "error" : "warning") at \(file):\(line)\n\(text)"
  }
}

/// Runs `body`, and expects exactly these issues in this order. They do not fail the test.
func expect(
  issues expected: [Caught], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @Sendable @escaping @concurrent () async throws -> Void
) async throws {
  let caught = Transcript<Caught>()
  let watch: IssueHandlingTrait = .compactMapIssues { issue in
    caught.say(Caught(issue))
    return nil
  }
  let test = try #require(Test.current, sourceLocation: sourceLocation)
  // Also if the body throws: the issue of a `#require` in it is caught here, and nowhere else.
  defer { #expect(caught.all == expected, sourceLocation: sourceLocation) }
  try await watch.provideScope(for: test, testCase: Test.Case.current, performing: body)
}

/// Expects exactly these issues of a test, including those that later traits record.
struct CatchingTrait: TestTrait, SuiteTrait, TestScoping {
  let expected: [Caught]
  let sourceLocation: SourceLocation

  /// True, so that a suite passes the trait on to each of its tests.
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> CatchingTrait? {
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let caught = Transcript<Caught>()
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      caught.say(Caught(issue))
      return nil
    }
    try await watch.provideScope(for: test, testCase: testCase, performing: function)
    #expect(caught.all == expected, sourceLocation: sourceLocation)
  }
}

extension Trait where Self == CatchingTrait {
  /// Expects exactly these issues. The trait has to come before the traits that record them.
  static func catching(
    _ expected: Caught..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> CatchingTrait {
    CatchingTrait(expected: expected, sourceLocation: sourceLocation)
  }
}
