// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The part of Apple's XCTest that the sources use, as Apple's documentation declares it: the module
// of the toolchain is the one for Linux.

public import Foundation

/// A case or a suite.
open class XCTest: NSObject {
  /// Its name.
  open var name: String { "" }
  /// Its run, while it runs.
  open var testRun: XCTestRun? { nil }
  /// Prepares a case.
  open func setUp() async throws {}
  /// Prepares a case.
  open func setUpWithError() throws {}
}

/// A case.
open class XCTestCase: XCTest {
  /// Runs its method.
  open func invokeTest() {}
  /// Adds an issue.
  open func record(_ issue: XCTIssue) {}
  /// Adds a block that runs before `tearDown`.
  @preconcurrency
  public func addTeardownBlock(_ block: @escaping @MainActor @Sendable () throws -> Void) {}
  /// Adds a block that runs before `tearDown`.
  public func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {}
}

/// A run of a case or a suite.
open class XCTestRun: NSObject {
  /// Whether it was skipped.
  open var hasBeenSkipped: Bool { false }
}

/// What a case reports.
public struct XCTIssue {
  /// The kind of an issue.
  public enum IssueType: Sendable { case assertionFailure }
  /// The place of the issue.
  public var sourceCodeContext = XCTSourceCodeContext(location: nil)
  /// An issue without a place.
  public init(type: IssueType, compactDescription: String) {}
}

/// The place of an issue.
public class XCTSourceCodeContext: NSObject {
  /// A context with a location alone.
  public init(location: XCTSourceCodeLocation?) {}
}

/// A line of a file.
public class XCTSourceCodeLocation: NSObject {
  /// A line of a file.
  public init(filePath: String, lineNumber: Int) {}
}

/// Gets told of cases and bundles.
public protocol XCTestObservation: NSObjectProtocol {
  /// The tests of a bundle start.
  func testBundleWillStart(_ testBundle: Bundle)
  /// The tests of a bundle have ended.
  func testBundleDidFinish(_ testBundle: Bundle)
  /// A case starts.
  func testCaseWillStart(_ testCase: XCTestCase)
  /// A case has ended.
  func testCaseDidFinish(_ testCase: XCTestCase)
}

/// Tells observers.
open class XCTestObservationCenter: NSObject, @unchecked Sendable {
  /// The one of this process.
  open class var shared: XCTestObservationCenter { XCTestObservationCenter() }
  /// Adds an observer.
  open func addTestObserver(_ observer: any XCTestObservation) {}
}

/// A reason not to run a case.
public struct XCTSkip: Error {}

/// What a waiter waits for.
open class XCTestExpectation: NSObject, @unchecked Sendable {
  /// An expectation.
  public init(description: String) {}
  /// Meets it.
  open func fulfill() {}
}

/// Waits.
open class XCTWaiter: NSObject {
  /// How a wait ended.
  public enum Result: Sendable { case completed }
  /// Waits for all of them.
  open func wait(for expectations: [XCTestExpectation], timeout seconds: TimeInterval) -> Result {
    .completed
  }
}
