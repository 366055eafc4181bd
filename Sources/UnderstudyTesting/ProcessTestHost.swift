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
    return caseOfXCTest ?? exitTest
  }

  private var caseOfXCTest: RunningTest? {
    #if canImport(XCTest)
      XCTestCases.running.withLock { $0 }
    #else
      nil
    #endif
  }

  /// The body of an exit test, in whose process no test runs.
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

  /// The main actor works on the main queue, which on Linux leaves the main thread.
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

  func atEndOfTest(_ body: @escaping @Sendable () -> Void) -> Bool {
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
      // The error that Swift Testing cancels a test with has no public name.
      return Test.current != nil && Task.isCancelled
        && String(reflecting: type(of: error)).hasPrefix("Testing.")
    #else
      return false
    #endif
  }

  /// Reports to Swift Testing from the task of one of its tests, and wherever no case of XCTest
  /// runs; to XCTest otherwise. On Linux, what comes between two cases is kept for the next one.
  func report(_ violation: Violation) {
    #if canImport(XCTest)
      if testOfCallingTask() == nil {
        if caseOfXCTest != nil { return violation.fail() }
        if XCTestCases.keep(violation) { return }
      }
    #endif
    #if canImport(Testing)
      violation.recordIssue()
    #endif
  }
}

/// Called by the loader when the process starts, on its main thread.
@_cdecl("understudy_install_test_host")
func installTestHost() {
  TestHosts.install(ProcessTestHost())
  StrayViolations.listener = { ProcessTestHost().report($0) }
  Declaration.nameFinder.withLock { $0 = DeclaredName.find }
  #if canImport(XCTest)
    XCTestObservationCenter.shared.addTestObserver(XCTestCases())
    DispatchQueue.main.setSpecific(key: ProcessTestHost.mainQueue, value: true)
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
    /// What was reported while no case ran.
    private enum Untold {
      /// XCTest has not begun, and may not be what runs.
      case nobodys
      case ofNextCase([Violation])
      case ofTheEnd
    }
    private static let untold = Lock(Untold.nobodys)

    /// The same case, to add to its teardown.
    private static let runningCase = Lock<KnownSendable<XCTestCase>?>(nil)

    /// Has `body` run before the running case is torn down; false if none runs.
    static func atEnd(_ body: @escaping @Sendable () -> Void) -> Bool {
      let testCase = runningCase.withLock { $0?.value }
      testCase?.addTeardownBlock { body() }
      return testCase != nil
    }

    /// Keeps a violation for the next case, or writes it where none is to come; false where XCTest
    /// does not run.
    static func keep(_ violation: Violation) -> Bool {
      let kept = untold.withLock { untold in
        if case .ofNextCase(let earlier) = untold { untold = .ofNextCase(earlier + [violation]) }
        return untold
      }
      if case .ofTheEnd = kept { writeToStandardError(violation.line) }
      if case .nobodys = kept { return false }
      return true
    }

    private func takeUntold(leaving rest: Untold) -> [Violation] {
      let taken = XCTestCases.untold.withLock { exchange(&$0, with: rest) }
      if case .ofNextCase(let violations) = taken { return violations }
      return []
    }

    #if !canImport(ObjectiveC)
      // Elsewhere Swift Testing may run in the same process, and is told.
      func testBundleWillStart(_ testBundle: Bundle) { _ = takeUntold(leaving: .ofNextCase([])) }

      /// XCTest has no place for what is said after the last case, and ends with the status of
      /// that: so this ends the process, and another observer may not be told that the bundle did
      /// finish.
      func testBundleDidFinish(_ testBundle: Bundle) {
        let untold = takeUntold(leaving: .ofTheEnd)
        for violation in untold { writeToStandardError(violation.line) }
        if untold.contains(where: { $0.severity == .error }) { exit(EXIT_FAILURE) }
      }
    #endif

    func testCaseWillStart(_ testCase: XCTestCase) {
      // One runs at a time, whose name has that of its class.
      let test = RunningTest(name: testCase.name, adoptsEscapedWork: true, file: "")
      XCTestCases.running.withLock { $0 = test }
      XCTestCases.runningCase.withLock { $0 = KnownSendable(testCase) }
      #if !canImport(ObjectiveC)
        for violation in takeUntold(leaving: .ofNextCase([])) { violation.fail(in: testCase) }
      #endif
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
      XCTestCases.running.withLock { $0 = nil }
      XCTestCases.runningCase.withLock { $0 = nil }
    }
  }
#endif
