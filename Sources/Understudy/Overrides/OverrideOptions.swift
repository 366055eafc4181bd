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
    /// An object that two tests resolve while both run. A warning.
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

  /// Two bits for each check: 0 where nothing is said of it, else one more than its weight. Every
  /// layer has options, and few say anything.
  private var said: UInt32 = 0

  private init(said: UInt32) {
    self.said = said
  }

  private init(_ weights: [(Check, Weight)]) {
    for (check, weight) in weights {
      said &= ~(0b11 << check.place)
      said |= UInt32(weight.number + 1) << check.place
    }
  }

  /// Combines options. A later one wins.
  public init(arrayLiteral options: OverrideOptions...) {
    for option in options { self = merging(option) }
  }

  /// A request that falls through to production fails the test, unless its type is allowed. So does
  /// an override that was never resolved.
  public static let strict = OverrideOptions([
    (.fallThrough, .error), (.unusedOverride, .error), (.ignoredArgument, .error),
  ])

  /// Reports the layer's instances that are alive after its end.
  public static let reportsSurvivors = OverrideOptions([(.survivor, .error)])

  /// Says whether production may answer at all under the layer: `.live(.mustBeOverridden)`.
  ///
  /// Types that the layer allows are exempt. If each live layer has this guard, it also holds for
  /// work that lost its context.
  public static func live(_ liveGuard: LiveGuard) -> OverrideOptions {
    OverrideOptions(said: (liveGuard == .allowed ? 1 : 2) << livePlace)
  }

  /// Whether production may answer; `nil` if nothing is said of it.
  var live: LiveGuard? {
    switch said >> OverrideOptions.livePlace & 0b11 {
    case 1: .allowed
    case 2: .mustBeOverridden
    default: nil
    }
  }

  private static var livePlace: UInt32 { 30 }

  /// Weighs one check.
  public static func check(_ check: Check, _ weight: Weight) -> OverrideOptions {
    OverrideOptions([(check, weight)])
  }

  /// The weight of a check's findings.
  public func weight(of check: Check) -> Weight {
    Weight(number: Int(said >> check.place & 0b11) - 1) ?? check.usualWeight
  }

  /// The options that every layer of the process starts with.
  public static var processDefault: OverrideOptions {
    get { OverrideOptions(said: UInt32(process.value)) }
    set { process.store(Int(newValue.said)) }
  }

  private static var process: AtomicInt { .processOptions }

  package func merging(_ inner: OverrideOptions) -> OverrideOptions {
    // Both bits of every check that the inner options mention.
    let low = (inner.said | inner.said >> 1) & 0x5555_5555
    var merged = self
    merged.said = said & ~(low * 0b11) | inner.said
    return merged
  }
}

extension OverrideOptions.Weight {
  fileprivate var number: Int {
    switch self {
    case .off: 0
    case .warning: 1
    case .error: 2
    }
  }

  fileprivate init?(number: Int) {
    switch number {
    case 0: self = .off
    case 1: self = .warning
    case 2: self = .error
    default: return nil
    }
  }
}

extension OverrideOptions.Check {
  /// Where the bits of this check lie.
  fileprivate var place: UInt32 {
    switch self {
    case .fallThrough: 0
    case .unusedOverride: 2
    case .unknownKey: 4
    case .lateOverride: 6
    case .sharedInstance: 8
    case .survivor: 10
    case .unfinishedWork: 12
    case .ignoredArgument: 14
    case .leakedRegistration: 16
    case .unsharedDouble: 18
    case .unusedStub: 20
    }
  }

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

extension Violation {
  /// What a check found, or `nil` if it is off: then its message is not made.
  package init?(
    _ message: @autoclosure () -> Message, of check: OverrideOptions.Check,
    under options: OverrideOptions,
    at callSite: CallSite
  ) {
    let weight = options.weight(of: check)
    if weight == .off { return nil }
    self.init(
      message(), severity: weight == .error ? .error : .warning,
      ofOmission: check == .unusedOverride || check == .unusedStub, at: callSite)
  }
}
