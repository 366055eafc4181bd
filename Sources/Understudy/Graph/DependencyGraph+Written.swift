// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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

  /// Creates the graph of a program from its source, with edges between positions of nodes.
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
