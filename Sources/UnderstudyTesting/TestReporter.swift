// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// The framework that the calling code is tested by.
enum TestReporter: Hashable {
  /// A test of Swift Testing runs this task.
  case swiftTesting
  /// None does: a test of XCTest may be running.
  case xcTest

  static var current: TestReporter {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
    #endif
    return .xcTest
  }

  /// Fails the running test.
  func report(_ violation: Violation) {
    switch self {
    case .swiftTesting:
      #if canImport(Testing)
        violation.record()
      #endif
    case .xcTest:
      #if canImport(XCTest)
        violation.fail()
      #endif
    }
  }
}
