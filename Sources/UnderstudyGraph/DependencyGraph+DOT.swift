// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph in the language of Graphviz.
  public var dot: String {
    let colors = Dictionary(uniqueKeysWithValues: styles.map { ($0.name, $0.color) })
    var lines = [
      "digraph dependencies {", "  rankdir=LR",
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"]",
    ]
    for (position, node) in nodes.enumerated() {
      let color = colors[style(of: node)]
      let text = node.label.escapedForDOT
      lines.append(
        "  n\(position) [label=\"\(text)\", fillcolor=\"\(color?.fill ?? "white")\", "
          + "color=\"\(color?.stroke ?? "black")\"]")
    }
    for edge in edges {
      let style =
        switch edge.kind {
        case .one: ""
        case .optional: " [style=dashed]"
        case .every: " [style=bold]"
        case .deferred: " [style=dotted]"
        }
      lines.append("  n\(edge.from) -> n\(edge.to)\(style)")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}
