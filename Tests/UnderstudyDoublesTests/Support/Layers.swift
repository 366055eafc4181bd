// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

// The one place in these tests that pushes and ends layers.

/// Runs `body` in a new layer, and returns the violations at the end of the layer.
func violations(
  _ options: OverrideOptions = [], _ body: (OverrideLayer) throws -> Void
) rethrows -> [String] {
  let layer = OverrideLayer.outermost(options)
  try OverrideLayer.binding(layer) { try body(layer) }
  return layer.end().map(\.description)
}

/// Runs `body` in a new layer, and returns the violations at the end of the layer.
func asyncViolations(_ body: (OverrideLayer) async throws -> Void) async rethrows -> [String] {
  let layer = OverrideLayer.outermost()
  try await OverrideLayer.binding(layer) { try await body(layer) }
  return layer.end().map(\.description)
}

extension OverrideLayer {
  static func outermost(_ options: OverrideOptions = []) -> OverrideLayer {
    var traits = LayerTraits(of: Resolver(), named: "doubles", on: nil, at: CallSite())
    traits.options = options
    return OverrideLayer(traits)
  }
}
