// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  internal import Testing

  extension Violation {
    /// Records this as an issue of the current test, at the most helpful place. Returns `true` if
    /// it is an error that the test expects.
    @discardableResult
    func recordIssue() -> Bool {
      let issue = Issue.record(
        Comment(rawValue: description), severity: severity == .error ? .error : .warning,
        sourceLocation: place.map(SourceLocation.init) ?? Test.current?.sourceLocation
          ?? #_sourceLocation)
      return severity == .error && !issue.isFailure
    }
  }

  extension SourceLocation {
    fileprivate init(_ place: CallerPlace) {
      self.init(
        fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: max(place.column, 1))
    }
  }
#endif

#if canImport(XCTest)
  internal import XCTest

  extension Violation {
    /// Fails a case at the most helpful place, or for the case as a whole. XCTest has no warnings,
    /// so a warning goes to the test's log.
    func fail(in testCase: XCTestCase) {
      guard severity == .error else {
        return print(place == nil ? "\(testCase.name): \(line)" : line)
      }
      #if canImport(ObjectiveC)
        var issue = XCTIssue(
          type: .assertionFailure, compactDescription: "failed - \(description)")
        if let place {
          issue.sourceCodeContext = XCTSourceCodeContext(
            location: XCTSourceCodeLocation(filePath: place.filePath, lineNumber: place.line))
        }
        testCase.record(issue)
      #else
        testCase.recordFailure(
          withDescription: "failed - \(description)",
          inFile: place?.filePath ?? "\(type(of: testCase))", atLine: place?.line ?? 0,
          expected: true)
      #endif
    }
  }
#endif
