// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension DependencyGraph {
  struct Color: Hashable {
    let fill: String
    let stroke: String
  }

  private static let palette = [
    Color(fill: "#ffe0a3", stroke: "#a86400"), Color(fill: "#d3f0c2", stroke: "#3b7a1d"),
    Color(fill: "#e6d5ff", stroke: "#6b3fb0"), Color(fill: "#c8eff0", stroke: "#0c7478"),
    Color(fill: "#fbd3e6", stroke: "#a3246a"),
  ]

  /// The styles that are used, with what they mean.
  var styles: [(name: String, color: Color, meaning: String)] {
    let all =
      [
        ("production", Color(fill: "#dbe6f6", stroke: "#3a5f95"), "production"),
        ("declared", Color(fill: "#eceff3", stroke: "#6a7280"), "declared, by default"),
      ]
      + layers.enumerated().map { index, name in
        (
          "layer\(index)", DependencyGraph.palette[index % DependencyGraph.palette.count],
          "layer '\(name)'"
        )
      } + [("missing", Color(fill: "#ffd6d6", stroke: "#b3151c"), "missing")]
    let used = Set(nodes.map { style(of: $0) })
    return all.filter { used.contains($0.0) }
  }

  func style(of node: Node) -> String {
    switch node.kind {
    case .missing: return "missing"
    case .declared: return "declared"
    case .registered:
      guard let layer = node.layer, let index = layers.firstIndex(of: layer) else {
        return "production"
      }
      return "layer\(index)"
    }
  }
}
