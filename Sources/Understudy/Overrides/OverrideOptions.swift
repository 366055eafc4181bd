// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer checks, and how much a finding weighs.
///
/// Options combine: `[.strict, .reportsSurvivors]`. A layer has those of the process, then those of
/// the layer that it was pushed on, then its own; the last that mentions a check decides. They are
/// the same in debug and release.
public struct OverrideOptions: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Something that a layer can check.
  public enum Check: Hashable, Sendable, CaseIterable {
    /// A resolution that no layer answers and production does (O8). Off unless asked for.
    case fallThrough
    /// An override that was never resolved (O8). A warning unless told otherwise.
    case unusedOverride
    /// An override of something that production does not know (O8). Off unless asked for.
    case unknownKey
    /// An override that was pushed when what it overrides had been captured (O9). A warning.
    case lateOverride
    /// An object that two tests resolve while both run (O13). A warning.
    case sharedInstance
    /// An instance of the layer that is alive after its end (O11). Off unless asked for.
    case survivor
    /// Blocks that still run when the layer ends (O9). An error.
    case unfinishedWork
  }

  /// How much a finding weighs.
  public enum Weight: Hashable, Sendable {
    /// Not looked at.
    case off
    /// The test is marked where the framework can, and passes.
    case warning
    /// The test fails.
    case error
  }

  private var weights: [Check: Weight]

  private init(_ weights: [Check: Weight]) {
    self.weights = weights
  }

  /// Combines options; a later one wins.
  public init(arrayLiteral options: OverrideOptions...) {
    weights = options.reduce(into: [:]) { $0.merge($1.weights) { $1 } }
  }

  /// Falling through to production fails the test unless allowed, and so does an override that was
  /// never resolved (O8).
  public static let strict = OverrideOptions([.fallThrough: .error, .unusedOverride: .error])

  /// Lists the layer's instances that are alive after its end.
  public static let reportsSurvivors = OverrideOptions([.survivor: .error])

  /// Weighs one check.
  public static func check(_ check: Check, _ weight: Weight) -> OverrideOptions {
    OverrideOptions([check: weight])
  }

  /// How much a finding of a check weighs.
  public func weight(of check: Check) -> Weight { weights[check] ?? check.usualWeight }

  /// What every layer of the process starts with.
  public static var processDefault: OverrideOptions {
    get { process.withLock { $0 } }
    set { process.withLock { $0 = newValue } }
  }

  private static let process = Lock<OverrideOptions>([])

  package func merging(_ inner: OverrideOptions) -> OverrideOptions { [self, inner] }
}

extension OverrideOptions.Check {
  fileprivate var usualWeight: OverrideOptions.Weight {
    switch self {
    case .fallThrough, .unknownKey, .survivor: .off
    case .unusedOverride, .lateOverride, .sharedInstance: .warning
    case .unfinishedWork: .error
    }
  }
}

extension Violation {
  /// What a check found, or `nil` if it is off.
  package init?(
    _ message: Message, of check: OverrideOptions.Check, under options: OverrideOptions,
    at callSite: CallSite
  ) {
    switch options.weight(of: check) {
    case .off: return nil
    case .warning: self.init(message, severity: .warning, at: callSite)
    case .error: self.init(message, severity: .error, at: callSite)
    }
  }
}
