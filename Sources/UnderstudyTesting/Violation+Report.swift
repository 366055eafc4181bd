// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  internal import Testing

  extension Violation {
    /// Records this as an issue of the current test, at the most helpful place.
    @discardableResult
    func recordIssue() -> Issue {
      Issue.record(
        Comment(rawValue: description), severity: severity == .error ? .error : .warning,
        sourceLocation: place ?? Test.current?.sourceLocation ?? #_sourceLocation)
    }

    /// `nil` if the place is unknown: Swift Testing traps on line 0.
    private var place: SourceLocation? {
      guard callSite.isKnown else { return nil }
      return SourceLocation(
        fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line,
        column: max(callSite.column, 1))
    }
  }
#endif

#if canImport(XCTest)
  internal import XCTest

  extension Violation {
    /// Fails the running case at the most helpful place. XCTest has no warnings, so a warning goes
    /// to the test's log.
    func fail() {
      switch severity {
      case .error: XCTFail(description, file: callSite.staticFilePath, line: UInt(callSite.line))
      case .warning: print(line)
      }
    }

    /// Fails a case. A violation without a place is reported for the case.
    func fail(in testCase: XCTestCase) {
      if callSite.isKnown { return fail() }
      guard severity == .error else { return print("\(testCase.name): warning: \(description)") }
      #if canImport(ObjectiveC)
        testCase.record(XCTIssue(type: .assertionFailure, compactDescription: description))
      #else
        testCase.recordFailure(
          withDescription: "failed - \(description)", inFile: "\(type(of: testCase))", atLine: 0,
          expected: true)
      #endif
    }
  }
#endif
