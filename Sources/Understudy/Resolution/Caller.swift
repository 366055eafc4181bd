// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Where code runs: the block that it is a part of, and the layers that it sees.
struct Surroundings {
  let construction: Construction?
  let top: OverrideLayer?

  static var current: Surroundings {
    Surroundings(
      construction: .current, top: OverrideLayer.areAnyAlive ? OverrideLayer.bound : nil)
  }

  /// `Resolver.current`.
  var resolver: Resolver { Resolver.current(within: construction) }

  /// The layer under which the calling code makes an object, for a wrapper to hold.
  ///
  /// `nil` in production, and while an instance is created that a level is to store: its context is
  /// that of its owner.
  var origin: (any AnyObject & Sendable)? {
    guard let top, construction?.creation == nil else { return nil }
    return top.keeper ?? top
  }
}

/// What a caller sees when it makes a request: the block that it runs, and the layers.
struct Caller {
  /// The block on whose behalf the request is made.
  let construction: Construction?
  /// The innermost layer; `nil` if the caller sees production alone.
  let top: OverrideLayer?
  /// The innermost layer that overrides the resolver: the one that logs the request.
  let layer: OverrideLayer?

  init(construction: Construction?, under top: OverrideLayer?, asking resolver: Resolver) {
    self.construction = construction
    self.top = top
    layer = top?.nearest(of: resolver)
  }

  /// The caller that runs now.
  init(_ surroundings: Surroundings = .current, asking resolver: Resolver) {
    self.init(
      construction: surroundings.construction, under: surroundings.top, asking: resolver)
  }
}
