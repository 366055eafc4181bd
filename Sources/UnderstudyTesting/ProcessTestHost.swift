// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyTestHost

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import Dispatch
  internal import Foundation
  internal import XCTest
#endif

/// Connects the core with the test frameworks of this process.
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
      if let test = XCTestCases.running { return test }
    #endif
    return exitTest
  }

  /// The body of an exit test. No other test runs in its process.
  private var exitTest: RunningTest? {
    #if canImport(Testing) && (os(macOS) || os(Linux) || os(FreeBSD) || os(OpenBSD) || os(Windows))
      if ExitTest.current != nil {
        return RunningTest(name: "an exit test", adoptsEscapedWork: false, file: "")
      }
    #endif
    return nil
  }

  var forbidsLive: Bool { TestTarget.self is any MustOverrideLiveDependencies.Type }

  var expectsExit: Bool { exitTest != nil }

  /// The main actor runs on the main queue. On Linux, that queue leaves the main thread.
  var isOnMainActor: Bool {
    #if canImport(XCTest)
      DispatchQueue.getSpecific(key: ProcessTestHost.mainQueue) == true
    #else
      false
    #endif
  }

  #if canImport(XCTest)
    fileprivate static let mainQueue = DispatchSpecificKey<Bool>()
  #endif

  func callerOfDouble() -> CallerPlace? { CallerSearch.caller() }

  func atEndOfTest(_ body: @escaping @Sendable (_ wasSkipped: Bool) -> Void) -> Bool {
    #if canImport(XCTest)
      if testOfCallingTask() == nil { return XCTestCases.atEnd(body) }
    #endif
    return false
  }

  func isSkip(_ error: any Error) -> Bool {
    #if canImport(XCTest)
      if error is XCTSkip { return true }
    #endif
    #if canImport(Testing)
      // Swift Testing cancels a test with an error type that is not public.
      return Test.current != nil && Task.isCancelled && !(error is ExpectationFailedError)
        && String(reflecting: type(of: error)).hasPrefix("Testing.")
    #else
      return false
    #endif
  }

  /// Reports to XCTest while one of its cases runs, unless the task belongs to a test of Swift
  /// Testing. Everything else is reported to Swift Testing. A violation between two XCTest cases
  /// is stored for the next case.
  @discardableResult
  func report(_ violation: Violation) -> Bool {
    #if canImport(XCTest)
      if testOfCallingTask() == nil {
        if let testCase = XCTestCases.current {
          violation.fail(in: testCase)
          return false
        }
        if XCTestCases.keep(violation) { return false }
      }
    #endif
    #if canImport(Testing)
      return violation.recordIssue()
    #else
      return false
    #endif
  }
}

/// Called by the loader when the process starts, on its main thread.
@_cdecl("understudy_install_test_host")
func installTestHost() {
  TestHosts.install(ProcessTestHost())
  StrayViolations.listener = { ProcessTestHost().report($0) }
  Declaration.nameFinder.withLock { $0 = KnownSendable(DeclaredName.find) }
  #if canImport(XCTest)
    XCTestObservationCenter.shared.addTestObserver(XCTestCases())
    DispatchQueue.main.setSpecific(key: ProcessTestHost.mainQueue, value: true)
  #endif
}

#if canImport(Testing)
  extension RunningTest {
    init(_ test: Test, adoptsEscapedWork: Bool = false) {
      // Several cases of a parameterized test run at the same time, so it has no single place.
      self.init(
        name: test.displayName ?? test.name, adoptsEscapedWork: adoptsEscapedWork,
        file: test.isParameterized ? nil : test.sourceLocation.fileID,
        line: test.sourceLocation.line, isSuite: test.isSuite)
    }
  }
#endif

#if canImport(XCTest)
  /// Observes the running case of XCTest. One runs at a time, and a case may run another one within
  /// itself.
  final class XCTestCases: NSObject, XCTestObservation {
    /// The violations that were reported while no case ran.
    private enum Pending {
      /// XCTest has not started, and may never start.
      case inactive
      case nextCase([Violation])
      case afterLastCase
    }
    private static let pending = Lock(Pending.inactive)

    private struct Running {
      let testCase: KnownSendable<XCTestCase>
      let test: RunningTest
      /// The blocks to run at the end of the case. `nil` once all of them have run.
      var teardown: [@Sendable (_ wasSkipped: Bool) -> Void]? = []
    }
    /// The running case is the last one. The others wait for it.
    private static let cases = Lock<[Running]>([])

    static var current: XCTestCase? { cases.withLock { $0.last?.testCase.value } }
    static var running: RunningTest? { cases.withLock { $0.last?.test } }

    /// Lets `body` run before the `tearDown` of the running case, and after its teardown blocks.
    /// Returns `false` if no case runs, or if it is too late.
    static func atEnd(_ body: @escaping @Sendable (_ wasSkipped: Bool) -> Void) -> Bool {
      cases.withLock { cases in
        guard let last = cases.indices.last, cases[last].teardown != nil else { return false }
        cases[last].teardown?.append(body)
        return true
      }
    }

    /// Runs the blocks of a case, newest first, including those that are added in the meantime.
    private static func tearDown(_ id: ObjectIdentifier) {
      while true {
        let next = cases.withLock { cases -> (running: Running, body: (Bool) -> Void)? in
          guard let index = cases.lastIndex(where: { ObjectIdentifier($0.testCase.value) == id })
          else { return nil }
          guard let body = cases[index].teardown?.popLast() else {
            cases[index].teardown = nil
            return nil
          }
          return (cases[index], body)
        }
        guard let next else { return }
        next.body(next.running.testCase.value.testRun?.hasBeenSkipped == true)
      }
    }

    /// Stores a violation for the next case, or prints it if there is none. Returns `false` if
    /// XCTest is not running.
    static func keep(_ violation: Violation) -> Bool {
      let kept = pending.withLock { pending in
        if case .nextCase(let earlier) = pending { pending = .nextCase(earlier + [violation]) }
        return pending
      }
      if case .afterLastCase = kept { writeToStandardError(violation.line) }
      if case .inactive = kept { return false }
      return true
    }

    /// `class func tearDown` runs after the last case of its class, so the next case gets what that
    /// leaves, and the name of the class.
    func testSuiteDidFinish(_ testSuite: XCTestSuite) {
      let fact = Message.Fact("Found", "after the cases of '\(testSuite.name)'")
      XCTestCases.pending.withLock { pending in
        guard case .nextCase(let violations) = pending else { return }
        pending = .nextCase(violations.map { $0.addingOnce(fact) })
      }
    }

    private func takePending(leaving rest: Pending) -> [Violation] {
      let taken = XCTestCases.pending.withLock { exchange(&$0, with: rest) }
      if case .nextCase(let violations) = taken { return violations }
      return []
    }

    func testBundleWillStart(_ testBundle: Bundle) { _ = takePending(leaving: .nextCase([])) }

    /// XCTest cannot report a violation after its last case: it exits with the status of that case.
    /// So this ends the process, and another observer may not be notified. With Objective-C, tests
    /// of Swift Testing may follow in the process, so it fails when it ends.
    func testBundleDidFinish(_ testBundle: Bundle) {
      #if canImport(ObjectiveC)
        let pending = takePending(leaving: .inactive)
      #else
        let pending = takePending(leaving: .afterLastCase)
      #endif
      for violation in pending { writeToStandardError(violation.line) }
      guard pending.contains(where: { $0.severity == .error }) else { return }
      #if canImport(ObjectiveC)
        failAtExit()
      #else
        exit(EXIT_FAILURE)
      #endif
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
      // Its name contains the name of its class.
      let test = RunningTest(
        name: testCase.name, adoptsEscapedWork: true, file: "",
        hasLayer: testCase is OverridesTestCase)
      XCTestCases.cases.withLock {
        $0.append(Running(testCase: KnownSendable(testCase), test: test))
      }
      // The first block runs last. On Apple's systems it is sent to the main actor, and a case
      // cannot be sent.
      let id = ObjectIdentifier(testCase)
      testCase.addTeardownBlock { XCTestCases.tearDown(id) }
      for violation in takePending(leaving: .nextCase([])) { violation.fail(in: testCase) }
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
      // A case may have overridden `invokeTest` without running its teardown blocks.
      let ended = XCTestCases.cases.withLock { cases in
        cases.lastIndex { $0.testCase.value === testCase }.map { cases.remove(at: $0) }
      }
      for body in (ended?.teardown ?? []).reversed() {
        body(testCase.testRun?.hasBeenSkipped == true)
      }
      for violation in ended.map({ LiveLayers.closeAll(of: $0.test) }) ?? [] {
        ProcessTestHost().report(violation)
      }
    }
  }
#endif
