// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The checks of a layer, and the weights of their findings.
///
/// Options combine: `[.strict, .reportsSurvivors]`. A layer has the options of the process, then
/// those of the layer that it was pushed on, then its own. The last one that mentions a check
/// decides. Debug and release builds check the same.
public struct OverrideOptions: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// A check of a layer.
  public enum Check: Hashable, Sendable, CaseIterable {
    /// A request that production answers, since no layer does. Off by default.
    case fallThrough
    /// An override that was never resolved, or a fault that never struck. A warning by default.
    case unusedOverride
    /// An override of a key that production does not know. The key is neither registered nor
    /// declared, and the override answered no declared dependency, no `T?` and no element of `[T]`.
    /// Off by default.
    case unknownKey
    /// An override of a key whose instance an object of the test has captured before. A warning.
    case lateOverride
    /// An object that two tests resolve while both run. One warning for each object.
    case sharedInstance
    /// An instance of the layer that is alive after the layer's end. Off by default.
    case survivor
    /// Blocks that still run when the layer ends. An error.
    case unfinishedWork
    /// An argument that no block took. The registration takes none, or its cached instance was
    /// created with another one. A warning, and an error under `.strict`.
    case ignoredArgument
    /// A registration on `Resolver.main` while a test's layer is live: other tests see it, too. A
    /// warning.
    case leakedRegistration
    /// An override that creates a double for each request, where production shares one instance. A
    /// warning.
    case unsharedDouble
    /// A stub that answered no call. An error by default.
    case unusedStub
  }

  /// The weight of a finding.
  public enum Weight: Hashable, Sendable {
    /// The check is off.
    case off
    /// The test passes, with a mark if the framework has one.
    case warning
    /// The test fails.
    case error
  }

  private var weights: [Check: Weight] = [:]
  /// Whether production may answer. `nil` if the options do not say.
  private(set) var live: LiveGuard?

  /// Combines options. A later one wins.
  public init(arrayLiteral options: OverrideOptions...) {
    for option in options { self = merging(option) }
  }

  /// A request that falls through to production fails the test, unless its type is allowed. So do
  /// an override that was never resolved, and an argument that no block took.
  public static let strict: OverrideOptions = [
    .check(.fallThrough, .error), .check(.unusedOverride, .error), .check(.ignoredArgument, .error),
  ]

  /// Reports the layer's instances that are alive after its end.
  public static let reportsSurvivors = check(.survivor, .error)

  /// Says whether production may answer at all under the layer: `.live(.mustBeOverridden)`.
  ///
  /// Types that the layer allows are exempt. If each live layer has this guard, it also holds for
  /// work that lost its context.
  public static func live(_ liveGuard: LiveGuard) -> OverrideOptions {
    var options = OverrideOptions()
    options.live = liveGuard
    return options
  }

  /// Sets the weight of one check.
  public static func check(_ check: Check, _ weight: Weight) -> OverrideOptions {
    var options = OverrideOptions()
    options.weights[check] = weight
    return options
  }

  /// The weight of a check's findings.
  package func weight(of check: Check) -> Weight {
    (weights.isEmpty ? nil : weights[check]) ?? check.usualWeight
  }

  /// The options that every layer of the process starts with.
  public static var processDefault: OverrideOptions {
    get { process.withLock { $0 } }
    set { process.withLock { $0 = newValue } }
  }

  private static let process = Lock(OverrideOptions())

  /// These options, and those of an inner layer, which win.
  package func merging(_ inner: OverrideOptions) -> OverrideOptions {
    var merged = self
    if !inner.weights.isEmpty { merged.weights.merge(inner.weights) { $1 } }
    merged.live = inner.live ?? live
    return merged
  }
}

extension OverrideOptions {
  /// The code of the options that others do not have.
  func code(beyond others: OverrideOptions) -> [String] {
    let strict = OverrideOptions.strict
    let isStrict = merging(strict) == self && others.merging(strict) != others
    let known = isStrict ? others.merging(strict) : others
    let checks: [String] = Check.allCases.compactMap { check in
      guard let weight = weights[check], weight != known.weights[check] else { return nil }
      return ".check(.\(check), .\(weight))"
    }
    let guards = live.map { $0 == others.live ? [] : [".live(.\($0))"] } ?? []
    return (isStrict ? [".strict"] : []) + checks + guards
  }
}

extension OverrideOptions.Check {
  fileprivate var usualWeight: OverrideOptions.Weight {
    switch self {
    case .fallThrough, .unknownKey, .survivor: .off
    case .unusedOverride, .lateOverride, .sharedInstance, .ignoredArgument, .leakedRegistration,
      .unsharedDouble:
      .warning
    case .unfinishedWork, .unusedStub: .error
    }
  }
}
