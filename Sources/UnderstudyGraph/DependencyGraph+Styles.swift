// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// How the nodes of one origin are drawn.
struct GraphStyle {
  /// The class of HTML and Mermaid.
  let name: String
  let color: GraphColor
  /// The text of the legend.
  let meaning: String
}

extension DependencyGraph {
  /// The styles that at least one node has.
  var styles: [GraphStyle] {
    var all = [
      GraphStyle(name: "production", color: .production, meaning: "production"),
      GraphStyle(name: "declared", color: .declared, meaning: "declared, by default"),
    ]
    for (index, name) in layers.enumerated() {
      all.append(
        GraphStyle(
          name: "layer\(index)", color: .layer(index),
          meaning: "layer '\(name.withInvisibleScalarsEscaped)'"))
    }
    all.append(GraphStyle(name: "missing", color: .missing, meaning: "missing"))
    let used = Set(nodes.map { style(of: $0) })
    return all.filter { used.contains($0.name) }
  }

  /// The name of a node's style.
  func style(of node: Node) -> String {
    switch node.kind {
    case .missing: return "missing"
    case .declared: return "declared"
    case .registered:
      return node.layerIndex.map { "layer\($0)" } ?? "production"
    }
  }
}
