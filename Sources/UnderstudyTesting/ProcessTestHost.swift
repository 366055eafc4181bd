// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
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

  /// Reports to Swift Testing from the task of one of its tests, and wherever no case of XCTest runs;
  /// to XCTest otherwise.
  func report(_ violation: Violation) {
    #if canImport(Testing)
      if Test.current != nil || !XCTestCases.isAnyRunning { return violation.recordIssue() }
    #endif
    #if canImport(XCTest)
      violation.fail()
    #endif
  }
}

/// Called by the loader when the process starts.
@_cdecl("understudy_install_test_host")
func installTestHost() {
  TestHosts.install(ProcessTestHost())
}

/// The cases of XCTest that run under a layer. One runs at a time.
enum XCTestCases {
  private static let running = Lock(0)

  static var isAnyRunning: Bool {
    understudy_link_test_host()
    return running.withLock { $0 > 0 }
  }

  static func begin() { running.withLock { $0 += 1 } }
  static func end() { running.withLock { $0 -= 1 } }
}

#if canImport(Testing)
  extension RunningTest {
    init(_ test: Test, adoptsEscapedWork: Bool = false) {
      self.init(name: test.displayName ?? test.name, adoptsEscapedWork: adoptsEscapedWork)
    }
  }
#endif
