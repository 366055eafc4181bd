// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The surroundings of running code: the block that it belongs to, and the layers that it sees.
struct Surroundings {
  let construction: Construction?
  /// The innermost layer, or `nil` if the caller sees only production.
  let top: OverrideLayer?

  static var current: Surroundings {
    Surroundings(construction: .current, top: OverrideLayer.areAnyAlive ? OverrideLayer.bound : nil)
  }

  var resolver: Resolver { Resolver.current(within: construction) }

  /// The layer under which the calling code creates an object, for a wrapper to store.
  ///
  /// `nil` in production, and while an instance is created that a level will store: its context
  /// depends on its owner.
  var origin: (any AnyObject & Sendable)? {
    guard let top, construction?.creation == nil else { return nil }
    return top.keeper ?? top
  }
}
