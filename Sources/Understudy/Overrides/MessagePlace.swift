// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The kind of code that made a mistake, so that a message can propose code for that place.
package enum MessagePlace: Sendable {
  /// A process without tests.
  case program
  case swiftTesting
  /// Work that lost its context, which each running test guards.
  case escapedWork
  /// An `OverridesTestCase`.
  case xctest
  /// Another case of XCTest.
  case plainXCTest
  /// A `withOverrides`.
  case operation

  /// The place of the calling code. Work of no known test counts as Swift Testing's, unless a case
  /// of XCTest runs.
  package static var current: MessagePlace {
    guard let host = TestHosts.current else {
      return TestProcess.runsTests ? .swiftTesting : .program
    }
    // A case of XCTest runs alone, so work that lost its context is taken for its own.
    guard host.testOfCallingTask() == nil, let running = host.runningCase(),
      running.adoptsEscapedWork
    else { return .swiftTesting }
    return running.hasLayer ? .xctest : .plainXCTest
  }

  /// The code that gives a test a layer.
  ///
  /// - Parameter resolver: The expression for the overridden resolver, unless it is the main one.
  package func layer(of resolver: String? = nil) -> String {
    switch self {
    case .xctest where resolver != nil: overridingAnother
    case .xctest, .plainXCTest: "final class …: OverridesTestCase"
    case .swiftTesting, .escapedWork:
      "@Test(.overrides(\(resolver.map { "of: \($0)" } ?? "")))"
    case .program, .operation:
      "withOverrides\(resolver.map { "(of: \($0))" } ?? "") { … } operation: { … }"
    }
  }

  /// The code that overrides another resolver than before.
  var overridingAnother: String {
    switch self {
    case .xctest: "override var overriddenResolver: Resolver { … }"
    case .plainXCTest, .program, .operation: "withOverrides(of: …) { … } operation: { … }"
    case .swiftTesting, .escapedWork: ".overrides(of: …) { … }"
    }
  }

  /// The code that overrides a key.
  ///
  /// - Parameters:
  ///   - argument: The type of the passed argument, if there is one.
  ///   - isOfAnother: Whether a resolver other than the main one is asked for it.
  func overriding(
    _ key: AnyKey, taking argument: (any Any.Type)? = nil, isOfAnother: Bool = false
  ) -> String {
    let resolver = isOfAnother ? "(of: …)" : ""
    let isInMethod = self == .xctest && !isOfAnother
    let code = key.overrideCode(on: isInMethod ? "layer" : "$0", taking: argument)
    if isInMethod { return "override func overrides(_ layer: OverrideLayer) { \(code) }" }
    switch self {
    case .xctest, .plainXCTest, .program, .operation:
      return "withOverrides\(resolver) { \(code) } operation: { … }"
    case .swiftTesting, .escapedWork: return "@Test(.overrides\(resolver) { \(code) })"
    }
  }

  /// What is written to override one more key where a layer overrides others.
  package func addingOverride(of key: AnyKey, taking argument: (any Any.Type)? = nil) -> String {
    self == .xctest
      ? overriding(key, taking: argument) : key.overrideCode(taking: argument)
  }

  /// The code that gives the layer of a test an option: `.check(.unusedOverride, .off)`.
  func option(_ option: String) -> String {
    switch self {
    case .xctest: "override var overrideOptions: OverrideOptions { \(option) }"
    case .plainXCTest, .program, .operation: "withOverrides(\(option)) { … } operation: { … }"
    case .swiftTesting, .escapedWork: ".overrides(\(option)) { … }"
    }
  }

  /// The code of a layer that shares none of production's instances.
  var boundary: String {
    switch self {
    case .xctest: "final class …: OverridesTestCase"
    case .swiftTesting, .escapedWork: "@Test(.overrides { … })"
    case .plainXCTest, .program, .operation:
      "withOverrides(isBoundary: true) { … } operation: { … }"
    }
  }

  func withoutCheck(_ check: OverrideOptions.Check) -> String { option(".check(.\(check), .off)") }

  /// The code that lets production answer a type, given as an expression.
  func allowing(_ metatype: String, under option: String = ".strict", trait: String) -> String {
    switch self {
    case .xctest: "override var allowedTypes: [any Any.Type] { [\(metatype)] }"
    case .plainXCTest, .program: "withOverrides(allowing: \(metatype)) { _ in } operation: { … }"
    case .operation: "withOverrides(\(option), allowing: \(metatype)) { … } operation: { … }"
    case .swiftTesting, .escapedWork: trait
    }
  }
}
