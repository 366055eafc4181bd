// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Understudy

/// What the program declares. A declared dependency has its production value beside its name, so it
/// cannot be missing, and `\.clock` asks for it.
///
/// Within one module `static let clock = Dependency<any WallClock> { SystemClock() }` is all. These
/// are asked for from other modules too, the tests', and there a key path to a stored static of an
/// extension crashes in debug builds of Swift 6.3 (swiftlang/swift#89609). One to a computed static
/// does not.
extension Dependencies {
  /// The present time.
  public static var clock: Dependency<any WallClock> { Dependency { SystemClock() } }

  /// The prices of seats.
  public static var pricing: Dependency<any PricingPolicy> { Dependency { StandbyPricing() } }

  /// Where the program speaks.
  public static var console: Dependency<any Console> { Dependency { StandardConsole() } }
}
