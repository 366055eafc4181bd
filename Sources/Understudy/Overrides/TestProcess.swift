// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
      || arguments.first?.hasSuffix("xctest") == true
      || arguments.contains { $0.hasSuffix(".xctest") || $0.hasSuffix("swiftpm-testing-helper") }
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

  /// Says that nothing reports what layers find, and has the process fail.
  ///
  /// Called for the first layer of a process that runs tests without `UnderstudyTesting`.
  static func noteMissingAdapter(at callSite: CallSite) {
    if TestHosts.areAny || !runsTests { return }
    let isFirst = isNoted.withLock { isNoted in
      defer { isNoted = true }
      return !isNoted
    }
    guard isFirst else { return }
    let message = Message(
      "A test pushes a layer, and its violations are reported nowhere: 'UnderstudyTesting' is not linked.",
      facts: [Message.Fact("Layer", "\(callSite)")],
      remedies: [
        "Link it to the test target, in Package.swift:  .product(name: \"UnderstudyTesting\", package: \"understudy\")"
      ])
    writeToStandardError(Violation(message, at: callSite).line)
    failAtExit()
  }
}
