// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is known of the process: whether it runs tests, and whether those may use live
/// dependencies.
enum TestProcess {
  /// True in a process that runs tests, whether or not `UnderstudyTesting` is linked.
  static var runsTests: Bool {
    TestHosts.areAny || isDetected && !TestHosts.runsNoTests.value
  }

  /// True if the process was started as test runners start theirs.
  private static let isDetected: Bool = {
    let names = ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
    if names.contains(where: { environmentValue(of: $0) != nil }) { return true }
    guard let program = CommandLine.arguments.first else { return false }
    return ["swiftpm-testing-helper", "xctest", ".xctest"].contains { program.hasSuffix($0) }
      || CommandLine.arguments.contains { $0.hasSuffix(".xctest") }
  }()

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
