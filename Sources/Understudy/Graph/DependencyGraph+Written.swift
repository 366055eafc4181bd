// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
