// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
    return lines.isEmpty ? "Nothing is registered." : lines.joined(separator: "\n")
  }
}

extension DependencyGraph.Node {
  /// The other facts of a node, as they are drawn and printed.
  package var traits: [String] {
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

extension DependencyGraph {
  /// A node of a program that is not running.
  package struct WrittenNode: Hashable, Sendable {
    package var text: String
    package var lifecycle: Lifecycle
    package var isMissing: Bool

    package init(_ text: String, lifecycle: Lifecycle = .notCached, isMissing: Bool = false) {
      self.text = text
      self.lifecycle = lifecycle
      self.isMissing = isMissing
    }
  }

  /// Creates the graph of a program from its source. It is drawn and checked like any other.
  ///
  /// - Parameters:
  ///   - nodes: The nodes, each with its text.
  ///   - edges: The edges, by the positions of the nodes.
  package init(written nodes: [WrittenNode], edges: [(from: Int, to: Int, kind: Edge.Kind)]) {
    self.nodes = nodes.map { node in
      Node(
        key: AnyKey(written: node.text), kind: node.isMissing ? .missing : .registered,
        lifecycle: node.lifecycle, retention: .strong, layer: nil, callSite: nil, argumentType: nil,
        isCompletedLater: false)
    }
    var unique = Edges()
    for edge in edges {
      unique.append(Edge(from: edge.from, to: edge.to, origin: .autowired, kind: edge.kind))
    }
    self.edges = unique.all
    layers = []
    notices = []
  }
}
