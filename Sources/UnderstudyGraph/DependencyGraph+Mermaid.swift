// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph as a diagram of Mermaid.
  public var mermaid: String {
    var lines = ["graph LR"]
    for (position, node) in nodes.enumerated() {
      lines.append("  n\(position)[\"\(node.label.escapedForMermaid)\"]:::\(style(of: node))")
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
    for style in styles {
      lines.append(
        "  classDef \(style.name) fill:\(style.color.fill),stroke:\(style.color.stroke),color:#1f2328"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
