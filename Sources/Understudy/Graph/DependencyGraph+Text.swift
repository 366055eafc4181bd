// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DependencyGraph: CustomStringConvertible {
  /// The graph as text: each node, and below it what it needs.
  ///
  /// ```
  /// Checkout  notCached
  /// ├─ any Mailer  autowired
  /// └─ any Store  autowired, optional
  /// any Mailer  notCached, layer 'a confirmed order'
  /// any Store  cached
  /// ```
  public var description: String { text }

  /// The graph as text: each node, and below it what it needs.
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
  /// The facts of a node besides its key, as they are drawn and printed.
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
  /// A node of a program that does not run.
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

  /// Makes the graph of a program from its source, to be drawn and checked like any other.
  ///
  /// - Parameters:
  ///   - nodes: The nodes; every text stands for one.
  ///   - edges: The edges, by the positions of the nodes.
  package init(written nodes: [WrittenNode], edges: [(from: Int, to: Int, kind: Edge.Kind)]) {
    self.nodes = nodes.map { node in
      Node(
        key: AnyKey(written: node.text), kind: node.isMissing ? .missing : .registered,
        lifecycle: node.lifecycle, retention: .strong, layer: nil, callSite: nil, argumentType: nil,
        isCompletedLater: false)
    }
    var known: [SIMD2<Int>: Int] = [:]
    self.edges = edges.reduce(into: []) { all, edge in
      let next = Edge(from: edge.from, to: edge.to, origin: .autowired, kind: edge.kind)
      if let position = known[SIMD2(edge.from, edge.to)] {
        if edge.kind.isStricter(than: all[position].kind) { all[position] = next }
      } else {
        known[SIMD2(edge.from, edge.to)] = all.count
        all.append(next)
      }
    }
    layers = []
    notices = []
  }
}

extension String {
  /// The text with an escape for each scalar that has no shape of its own: control characters,
  /// format characters (which change the direction of a text or hide its neighbours), and line and
  /// paragraph separators.
  ///
  /// A name can come from a file. Printed on a terminal or drawn on a page as it is, such a scalar
  /// could move the cursor, reverse the text, or join the next character to a cluster that an
  /// escaper does not look into. The escapes are those of Swift: `\n`, `\u{202E}`. Each scalar is
  /// judged alone, never a cluster of them.
  package var withInvisibleScalarsEscaped: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isInvisible {
        text.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
