// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Understudy

/// The declared dependencies of the program. Each has its production value beside its name, so it
/// cannot be missing. `\.clock` requests it.
///
/// Within one module, `static let clock = Dependency<any WallClock> { SystemClock() }` is enough.
/// These are also requested from the module of the tests. There, a key path to a stored static of
/// an extension crashes in debug builds of Swift 6.3 (swiftlang/swift#89609). A key path to a
/// computed static does not.
extension Dependencies {
  /// The present time.
  public static var clock: Dependency<any WallClock> { Dependency { SystemClock() } }

  /// The prices of seats.
  public static var pricing: Dependency<any PricingPolicy> { Dependency { StandbyPricing() } }

  /// The output of the program.
  public static var console: Dependency<any Console> { Dependency { StandardConsole() } }
}
