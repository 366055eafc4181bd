// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Where a mistake was made: so a message can advise what the reader can write there.
package enum MessagePlace: Sendable {
  /// A process without tests.
  case program
  case swiftTesting
  case xctest

  /// The place of the calling code. Work of no known test is taken for that of Swift Testing,
  /// unless a case of XCTest runs.
  package static var current: MessagePlace {
    guard let host = TestHosts.current else {
      return TestProcess.runsTests ? .swiftTesting : .program
    }
    // A case of XCTest runs alone, so work that lost its context is taken for its own.
    let isCase =
      host.testOfCallingTask() == nil && host.runningCase()?.adoptsEscapedWork == true
    return isCase ? .xctest : .swiftTesting
  }

  /// What is written to give a test a layer.
  ///
  /// - Parameter resolver: What names the overridden resolver, if it is not the main one.
  package func layer(of resolver: String? = nil) -> String {
    switch self {
    case .xctest: "final class …: OverridesTestCase"
    case .swiftTesting, .program:
      "@Test(.overrides\(resolver.map { "(of: \($0))" } ?? "") { _ in })"
    }
  }

  /// What is written to override a key in a test.
  func overriding(_ key: AnyKey) -> String {
    switch self {
    case .xctest:
      "override func overrides(_ layer: OverrideLayer) { \(key.overrideCode(on: "layer")) }"
    case .swiftTesting, .program: "@Test(.overrides { \(key.overrideCode(on: "$0")) })"
    }
  }

  /// What is written to give the layer of a test an option: `.check(.unusedOverride, .off)`.
  func option(_ option: String) -> String {
    switch self {
    case .xctest: "override var overrideOptions: OverrideOptions { \(option) }"
    case .swiftTesting, .program: ".overrides(\(option)) { … }"
    }
  }

  /// What is written to switch a check off for a layer.
  func withoutCheck(_ check: String) -> String { option(".check(.\(check), .off)") }

  /// What is written to let production answer a type.
  ///
  /// - Parameters:
  ///   - metatype: The type, as an expression.
  ///   - trait: The same where a trait allows it.
  func allowing(_ metatype: String, trait: String) -> String {
    switch self {
    case .xctest: "override var allowedTypes: [any Any.Type] { [\(metatype)] }"
    case .swiftTesting, .program: trait
    }
  }
}
