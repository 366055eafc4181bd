// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  internal import Testing

  extension Violation {
    /// Records this on the test whose task is calling, at the place that helps.
    func recordIssue() {
      Issue.record(
        Comment(rawValue: description), severity: severity == .error ? .error : .warning,
        sourceLocation: SourceLocation(
          fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line,
          column: callSite.column))
    }
  }
#endif

#if canImport(XCTest)
  internal import XCTest

  extension Violation {
    /// Fails the running case at the place that helps. XCTest has no warnings: one is an entry of the
    /// test's log.
    func fail() {
      switch severity {
      case .error: XCTFail(description, file: callSite.staticFilePath, line: UInt(callSite.line))
      case .warning: print("\(callSite.filePath):\(callSite.line): warning: \(description)")
      }
    }
  }
#endif
