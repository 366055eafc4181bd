// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
  init(asking resolver: Resolver) {
    self.init(
      construction: .current, under: OverrideLayer.areAnyAlive ? OverrideLayer.bound : nil,
      asking: resolver)
  }
}
