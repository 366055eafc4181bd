// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph for Mermaid.
  public var mermaid: String {
    var lines = ["graph LR"]
    for (position, node) in nodes.enumerated() {
      let text = node.label.escaped(["&": "#amp;", "\"": "#quot;", "<": "#lt;", ">": "#gt;"])
      lines.append("  n\(position)[\"\(text)\"]:::\(style(of: node))")
    }
    for edge in edges {
      let arrow =
        switch edge.kind {
        case .one: "-->"
        case .optional: "-.->"
        case .every: "==>"
        case .deferred: "-. later .->"
        }
      lines.append("  n\(edge.from) \(arrow) n\(edge.to)")
    }
    for (style, color, _) in styles {
      lines.append("  classDef \(style) fill:\(color.fill),stroke:\(color.stroke),color:#1b1b1f")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
