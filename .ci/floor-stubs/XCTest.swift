// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The part of Apple's XCTest that the sources use, as Apple's documentation declares it: the module
// of the toolchain is the one for Linux.

@_exported public import Foundation

/// A case or a suite.
open class XCTest: NSObject {
  /// Its name.
  open var name: String { "" }
  /// Its run, while it runs.
  open var testRun: XCTestRun? { nil }
  /// Prepares a case.
  open func setUp() {}
  /// Prepares a case.
  open func setUp() async throws {}
  /// Prepares a case.
  open func setUpWithError() throws {}
  /// Ends a case.
  open func tearDown() {}
  /// Ends a case.
  open func tearDown() async throws {}
  /// Ends a case.
  open func tearDownWithError() throws {}
}

/// A case.
open class XCTestCase: XCTest {
  /// Prepares the class before its first case.
  open class func setUp() {}
  /// Ends the class after its last case.
  open class func tearDown() {}
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

/// A suite of cases.
open class XCTestSuite: XCTest {}

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
  /// Its text.
  public var compactDescription: String
  /// An issue without a place.
  public init(type: IssueType, compactDescription: String) {
    self.compactDescription = compactDescription
  }
}

/// The place of an issue.
public class XCTSourceCodeContext: NSObject {
  /// The place.
  public let location: XCTSourceCodeLocation?
  /// A context with a location alone.
  public init(location: XCTSourceCodeLocation?) { self.location = location }
}

/// A line of a file.
public class XCTSourceCodeLocation: NSObject {
  /// A line of a file.
  public init(filePath: String, lineNumber: Int) { self.lineNumber = lineNumber }
  /// The number of the line.
  public let lineNumber: Int
}

/// Gets told of cases, suites and bundles.
public protocol XCTestObservation: NSObjectProtocol {
  /// The tests of a bundle start.
  func testBundleWillStart(_ testBundle: Bundle)
  /// The cases of a suite have ended.
  func testSuiteDidFinish(_ testSuite: XCTestSuite)
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
public struct XCTSkip: Error {
  /// A reason in words.
  public init(_ message: @autoclosure () -> String? = nil) {}
}

/// Skips a case, unless a condition holds.
public func XCTSkipUnless(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String? = nil
) throws {}

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

extension XCTestCase {
  /// Makes something to wait for.
  public func expectation(description: String) -> XCTestExpectation {
    XCTestExpectation(description: description)
  }
  /// Waits on the thread.
  public func wait(for expectations: [XCTestExpectation], timeout: TimeInterval) {}
  /// Waits without blocking a thread.
  public func fulfillment(of expectations: [XCTestExpectation], timeout: TimeInterval) async {}
}

/// Fails the running case.
public func XCTFail(
  _ message: String = "", file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects a condition.
public func XCTAssertTrue(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects that a condition does not hold.
public func XCTAssertFalse(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects equal values.
public func XCTAssertEqual<Value: Equatable>(
  _ one: @autoclosure () throws -> Value, _ other: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects an error.
public func XCTAssertThrowsError<Value>(
  _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line,
  _ handle: (_ error: any Error) -> Void = { _ in }
) {}

/// Expects no error.
public func XCTAssertNoThrow<Value>(
  _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects no value.
public func XCTAssertNil(
  _ expression: @autoclosure () throws -> Any?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects a value.
public func XCTAssertNotNil(
  _ expression: @autoclosure () throws -> Any?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {}

/// Expects one object.
public func XCTAssertIdentical(
  _ one: @autoclosure () throws -> AnyObject?, _ other: @autoclosure () throws -> AnyObject?,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}

/// The value, or a failure of the case.
public func XCTUnwrap<Value>(
  _ expression: @autoclosure () throws -> Value?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) throws -> Value {
  guard let value = try expression() else { throw XCTSkip() }
  return value
}

/// Expects different values.
public func XCTAssertNotEqual<Value: Equatable>(
  _ one: @autoclosure () throws -> Value, _ other: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {}
