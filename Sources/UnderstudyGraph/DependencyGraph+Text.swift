// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph: CustomStringConvertible {
  /// The graph as text: each node, and below it its dependencies.
  ///
  /// ```
  /// Checkout  notCached
  /// ├─ any Mailer  autowired
  /// └─ any Store  autowired, optional
  /// any Mailer  notCached, layer 'a confirmed order'
  /// any Store  cached
  /// ```
  public var description: String { text }

  /// The graph as text: each node, and below it its dependencies.
  public var text: String {
    let needs = Dictionary(grouping: edges, by: \.from)
    var lines: [String] = []
    for (position, node) in nodes.enumerated() {
      lines.append("\(node.label)  \(node.traits.joined(separator: ", "))")
      let needs = needs[position] ?? []
      for (index, edge) in needs.enumerated() {
        let branch = index == needs.count - 1 ? "└─" : "├─"
        let kind = edge.kind == .one ? "" : ", \(edge.kind.rawValue)"
        lines.append("\(branch) \(nodes[edge.to].label)  \(edge.origin.rawValue)\(kind)")
      }
    }
    if lines.isEmpty { lines.append("Nothing is registered.") }
    if let droppedNotice { lines.append("(\(droppedNotice))") }
    return lines.joined(separator: "\n")
  }

  /// A notice that edges may be missing, or `nil` if the log dropped no resolution.
  var droppedNotice: String? {
    guard droppedEvents > 0 else { return nil }
    return "the log dropped \(counted(droppedEvents, "resolution")), so edges may be missing"
  }
}

extension DependencyGraph.Node {
  /// The key as it is drawn and printed: `any Mailer named "wall"`.
  var label: String { key.visibleStep }

  /// The other facts of a node, as they are drawn and printed.
  var traits: [String] {
    guard kind != .missing else { return ["missing"] }
    var traits = ["\(lifecycle)"]
    if retention == .weak { traits.append("weak") }
    if let argumentType {
      traits.append("takes \(TypeDescription.of(argumentType).withInvisibleScalarsEscaped)")
    }
    if kind == .declared { traits.append("declared") }
    if let layer { traits.append("layer '\(layer.withInvisibleScalarsEscaped)'") }
    return traits
  }
}
