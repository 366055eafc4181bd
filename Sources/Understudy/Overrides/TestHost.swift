// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package struct RunningTest: Hashable, Sendable {
  package let name: String
  /// True if work that lost its context may be taken for this test's, as long as no other is live:
  /// one case runs at a time, or the test says so.
  package let adoptsEscapedWork: Bool
  /// The place of the test, if no two runs of it overlap. So two outermost layers with the same
  /// place belong to one test.
  private let file: String?
  private let line: Int
  /// True if the test's own class or trait gives it a layer.
  package let hasLayer: Bool
  /// True for a suite, while its own code runs around all of its tests.
  let isSuite: Bool

  package init(
    name: String, adoptsEscapedWork: Bool, file: String? = nil, line: Int = 0,
    hasLayer: Bool = true, isSuite: Bool = false
  ) {
    self.name = name
    self.adoptsEscapedWork = adoptsEscapedWork
    self.file = file
    self.line = line
    self.hasLayer = hasLayer
    self.isSuite = isSuite
  }

  /// The test of a layer within that of another one: work that escapes is taken if either says so.
  /// A test within a suite is the more precise one.
  static func joined(_ outer: RunningTest?, _ inner: RunningTest?) -> RunningTest? {
    guard let outer else { return inner }
    if outer.isSuite, let inner { return inner }
    guard let inner, inner.adoptsEscapedWork, !outer.adoptsEscapedWork else { return outer }
    return RunningTest(
      name: outer.name, adoptsEscapedWork: true, file: outer.file, line: outer.line,
      hasLayer: outer.hasLayer)
  }

  /// True if this is the same test, whatever its layers take.
  package func isSameTest(as other: RunningTest) -> Bool {
    name == other.name && file == other.file && line == other.line
  }

  /// True if this is known to be the same run of the same test.
  package func isSameRun(as other: RunningTest) -> Bool {
    file != nil && isSameTest(as: other)
  }
}

/// The connection of the core to a test framework.
package protocol TestHost: Sendable {
  /// The test whose task is calling.
  func testOfCallingTask() -> RunningTest?
  /// The running case of a framework that runs one case at a time and does not bind it to tasks.
  func runningCase() -> RunningTest?
  /// True if an error says that the test is skipped or cancelled: not for a cancelled task in it.
  func isSkip(_ error: any Error) -> Bool
  /// True if the test target says that production must not answer in tests.
  var forbidsLive: Bool { get }
  /// True in the process of an exit test, which is to end.
  var expectsExit: Bool { get }
  /// True if the caller is known to be on the main actor, whatever thread that uses.
  var isOnMainActor: Bool { get }
  /// Runs `body` when the calling test ends, and passes whether the test was skipped. Returns
  /// `false` if that end cannot be known.
  func atEndOfTest(_ body: @escaping @Sendable (_ wasSkipped: Bool) -> Void) -> Bool
  /// The code that called the double whose call the thread is running, or `nil` if the stack does
  /// not show it.
  func callerOfDouble() -> CallerPlace?
  /// Reports a violation on the calling task's test, or on the run if it has none. True if the test
  /// expects the violation as a known issue.
  @discardableResult
  func report(_ violation: Violation) -> Bool
}

extension TestHost {
  package var forbidsLive: Bool { false }
  package var expectsExit: Bool { false }
  package var isOnMainActor: Bool { false }
  package func atEndOfTest(
    _ body: @escaping @Sendable (_ wasSkipped: Bool) -> Void
  ) -> Bool { false }
  package func callerOfDouble() -> CallerPlace? { nil }
}

/// The test frameworks of this process. None in production.
package enum TestHosts {
  private static let installed = Lock<(any TestHost)?>(nil)

  /// False in production: one load.
  package static var areAny: Bool { AtomicInt.testHostIsInstalled.isSet }

  package static var current: (any TestHost)? { areAny ? installed.withLock { $0 } : nil }

  /// True under the carried context of a test without a layer.
  @TaskLocal static var isCarried = false

  /// True if the calling work belongs to a test: its task does, or it carries its context.
  package static var knowTestOfCaller: Bool { isCarried || current?.testOfCallingTask() != nil }

  package static func install(_ host: (any TestHost)?) {
    AtomicInt.processHasNoTests.store(host == nil ? 1 : 0)
    installed.withLock { $0 = host }
    AtomicInt.testHostIsInstalled.store(host == nil ? 0 : 1)
  }

  /// Reports on the calling task's test, or on the run; to standard error in a process that has no
  /// tests.
  static func report(_ violation: Violation) {
    if let host = current { host.report(violation) } else { writeToStandardError(violation.line) }
  }

  /// Reports something that belongs to no live test, once for the layers that it is about.
  package static func reportOnRun(_ violation: Violation, about layers: [OverrideLayer]) {
    // Two threads that each note one of the layers first would both report it.
    let isNew = noting.withLock { _ in layers.map { $0.noteReport(violation) } }
    if isNew.contains(true) { report(violation) }
  }

  private static let noting = Lock(())
}

/// What is known of the process: whether it runs tests, and whether those may use live
/// dependencies.
package enum TestProcess {
  /// True in a process that runs tests, whether or not `UnderstudyTesting` is linked.
  static var runsTests: Bool {
    TestHosts.areAny || isDetected && !AtomicInt.processHasNoTests.isSet
  }

  private static let isDetected = isStarted(with: CommandLine.arguments, environmentValue(of:))

  /// True if test runners start a process with such arguments or variables of the environment.
  package static func isStarted(
    with arguments: some Collection<String>, _ variable: (String) -> String?
  ) -> Bool {
    ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
      .contains { variable($0) != nil }
      // A tool may get a bundle of tests as an argument.
      || ["xctest", "swiftpm-testing-helper"].contains { arguments.first?.hasSuffix($0) == true }
  }

  /// The setting which says that production must not answer in tests, in words; `nil` if none does.
  static var guardian: String? {
    guardianOfEnvironment ?? (TestHosts.current?.forbidsLive == true ? "the test target" : nil)
  }

  private static let guardianOfEnvironment: String? = environmentValue(of: "UNDERSTUDY_LIVE")
    .flatMap { value in
      switch value {
      case "forbidden": "UNDERSTUDY_LIVE=forbidden"
      case "", "allowed": nil
      // A misspelt guard guards.
      default: "UNDERSTUDY_LIVE=\(value), which should read 'forbidden' or 'allowed'"
      }
    }

  private static let isNoted = Lock(false)

  /// Reports that the findings of layers and doubles are lost, and makes the process fail.
  ///
  /// Called in a process that runs tests without `UnderstudyTesting`: for its first layer, or for a
  /// double whose findings are lost.
  package static func noteMissingAdapter(of finder: String = "Layer", at callSite: CallSite) {
    if TestHosts.areAny || !runsTests || isNoted.withLock({ exchange(&$0, with: true) }) { return }
    let message = Message(
      "A test has a \(finder.lowercased()), and its violations are reported nowhere: "
        + "'UnderstudyTesting' is not linked.",
      facts: [Message.Fact(finder, "\(callSite)")],
      remedies: [
        "Link it to the test target, in Package.swift:  .product(name: \"UnderstudyTesting\", package: \"understudy\")"
      ])
    writeToStandardError(Violation(message, at: callSite).line)
    failAtExit()
  }
}
