// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import Foundation
  internal import XCTest
#endif

/// What the core asks about the test frameworks of this process, and tells them.
struct ProcessTestHost: TestHost {
  func testOfCallingTask() -> RunningTest? {
    #if canImport(Testing)
      if let test = Test.current { return RunningTest(test) }
    #endif
    return nil
  }

  func runningCase() -> RunningTest? {
    understudy_link_test_host()
    #if canImport(XCTest)
      return XCTestCases.running.withLock { $0 }
    #else
      return nil
    #endif
  }

  func isSkip(_ error: any Error) -> Bool {
    #if canImport(XCTest)
      if error is XCTSkip { return true }
    #endif
    #if canImport(Testing)
      // The error that Swift Testing cancels a test with has no public name.
      return Test.current != nil && Task.isCancelled
    #else
      return false
    #endif
  }

  /// Reports to Swift Testing from the task of one of its tests, and wherever no case of XCTest runs;
  /// to XCTest otherwise.
  func report(_ violation: Violation) {
    #if canImport(Testing)
      if Test.current != nil || runningCase() == nil { return violation.recordIssue() }
    #endif
    #if canImport(XCTest)
      violation.fail()
    #endif
  }
}

/// Called by the loader when the process starts, on its main thread.
@_cdecl("understudy_install_test_host")
func installTestHost() {
  TestHosts.install(ProcessTestHost())
  StrayViolations.listener = { ProcessTestHost().report($0) }
  #if canImport(XCTest)
    XCTestObservationCenter.shared.addTestObserver(XCTestCases())
  #endif
}

#if canImport(Testing)
  extension RunningTest {
    init(_ test: Test, adoptsEscapedWork: Bool = false) {
      // Of a test with arguments many cases run at a time.
      self.init(
        name: test.displayName ?? test.name, adoptsEscapedWork: adoptsEscapedWork,
        file: test.isParameterized ? nil : test.sourceLocation.fileID,
        line: test.sourceLocation.line)
    }
  }
#endif

#if canImport(XCTest)
  /// Knows the case of XCTest that runs: one at a time.
  final class XCTestCases: NSObject, XCTestObservation {
    static let running = Lock<RunningTest?>(nil)

    func testCaseWillStart(_ testCase: XCTestCase) {
      // One runs at a time, whose name has that of its class.
      let test = RunningTest(name: testCase.name, adoptsEscapedWork: true, file: "")
      XCTestCases.running.withLock { $0 = test }
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
      XCTestCases.running.withLock { $0 = nil }
    }
  }
#endif
