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
  /// - Parameter isOfAnother: Whether a resolver other than the main one is overridden.
  package func layer(isOfAnother: Bool = false) -> String {
    switch self {
    case _ where isOfAnother: overridingAnother
    case .xctest, .plainXCTest: "final class …: OverridesTestCase"
    case .swiftTesting, .escapedWork: "@Test(.overrides())"
    case .program, .operation: "withOverrides { … } operation: { … }"
    }
  }

  /// The code that overrides another resolver than before. A trait cannot name a resolver that the
  /// test makes.
  var overridingAnother: String {
    self == .xctest
      ? "override var overriddenResolver: Resolver { … }"
      : "withOverrides(of: …) { … } operation: { … }"
  }

  /// The code that overrides a key.
  ///
  /// - Parameters:
  ///   - argument: The type of the passed argument, if there is one.
  ///   - isOfAnother: Whether a resolver other than the main one is asked for it.
  func overriding(
    _ key: AnyKey, taking argument: (any Any.Type)? = nil, isOfAnother: Bool = false
  ) -> String {
    // The class of the case, or its superclass, may have overrides already: the layer keeps those.
    let isOfCase = self == .xctest && !isOfAnother
    let code = key.overrideCode(on: isOfCase ? "overrides" : "$0", taking: argument)
    switch self {
    case _ where isOfAnother: return "withOverrides(of: …) { \(code) } operation: { … }"
    case .xctest: return code
    case .plainXCTest, .program, .operation: return "withOverrides { \(code) } operation: { … }"
    case .swiftTesting, .escapedWork: return "@Test(.overrides { \(code) })"
    }
  }

  /// What is written to override one more key where a layer overrides others.
  package func addingOverride(of key: AnyKey, taking argument: (any Any.Type)? = nil) -> String {
    self == .xctest
      ? overriding(key, taking: argument) : key.overrideCode(taking: argument)
  }

  /// The code that gives the layer of a test an option: `.check(.unusedOverride, .off)`.
  ///
  /// - Parameter others: The options that the layer has already.
  func option(_ option: String, besides others: [String] = []) -> String {
    // A new weight replaces the one of the same check.
    let kept = others.filter { $0.prefix { $0 != "," } != option.prefix { $0 != "," } }
    let option = kept.isEmpty ? option : "[\((kept + [option]).joined(separator: ", "))]"
    return switch self {
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
