// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The places of the nodes when a graph is drawn. A node stands to the left of the nodes that it
/// needs. Nodes without an edge stand below all others.
struct GraphLayout {
  struct Box: Hashable {
    var x: Int
    var y: Int
  }

  static let boxWidth = 236
  static let boxHeight = 58
  /// The greatest width of a text within a box.
  static let textWidth = boxWidth - 2 * 11
  private static let columnGap = 84
  private static let rowGap = 14
  private static let margin = 24
  /// A column with more nodes is drawn as several columns.
  private static let maximumRows = 24

  private(set) var boxes: [Box]
  private(set) var width = 0
  private(set) var height = 0
  /// The top of the nodes without an edge, if there are any.
  private(set) var isolatedTop: Int?

  init(_ graph: DependencyGraph) {
    boxes = Array(repeating: Box(x: 0, y: 0), count: graph.nodes.count)
    let ranks = GraphLayout.ranks(of: graph)
    let isolated = graph.nodes.indices.filter { ranks[$0] == nil }
    var columns = GraphLayout.columns(ranks)
    GraphLayout.sort(&columns, by: graph)
    var x = GraphLayout.margin
    for column in columns {
      let parts = (column.count + GraphLayout.maximumRows - 1) / GraphLayout.maximumRows
      let rows = (column.count + parts - 1) / max(parts, 1)
      for (index, node) in column.enumerated() {
        place(
          node, x: x + index / rows * (GraphLayout.boxWidth + GraphLayout.rowGap),
          row: index % rows, top: GraphLayout.margin)
      }
      x +=
        parts * (GraphLayout.boxWidth + GraphLayout.rowGap) - GraphLayout.rowGap
        + GraphLayout.columnGap
    }
    placeIsolated(isolated)
  }

  private mutating func place(_ node: Int, x: Int, row: Int, top: Int) {
    let y = top + row * (GraphLayout.boxHeight + GraphLayout.rowGap)
    boxes[node] = Box(x: x, y: y)
    width = max(width, x + GraphLayout.boxWidth + GraphLayout.margin)
    height = max(height, y + GraphLayout.boxHeight + GraphLayout.margin)
  }

  private mutating func placeIsolated(_ nodes: [Int]) {
    guard !nodes.isEmpty else { return }
    let step = GraphLayout.boxWidth + GraphLayout.rowGap
    // As wide as the rest of the graph, or, if that is narrow, about as wide as high.
    let rowHeight = GraphLayout.boxHeight + GraphLayout.rowGap
    let square = (Double(nodes.count * rowHeight) / Double(step)).squareRoot()
    let perRow = max(3, (width - 2 * GraphLayout.margin) / step, Int(square.rounded(.up)))
    let title = height + GraphLayout.rowGap
    isolatedTop = title
    for (index, node) in nodes.enumerated() {
      place(
        node, x: GraphLayout.margin + index % perRow * step, row: index / perRow, top: title + 18)
    }
  }

  /// The number of steps from the nodes that no other node needs, or `nil` for a node without an
  /// edge.
  private static func ranks(of graph: DependencyGraph) -> [Int?] {
    var needs = [[Int]](repeating: [], count: graph.nodes.count)
    var ranks = [Int?](repeating: nil, count: graph.nodes.count)
    for edge in graph.edges {
      needs[edge.from].append(edge.to)
      ranks[edge.from] = 0
      ranks[edge.to] = 0
    }
    // A node comes before the nodes that it needs. The members of a cycle stand side by side.
    for component in Cycles.components(of: needs).reversed() {
      let rank = component.compactMap { ranks[$0] }.max() ?? 0
      for node in component where ranks[node] != nil { ranks[node] = rank }
      let members = Set(component)
      for need in component.flatMap({ needs[$0] }) where !members.contains(need) {
        ranks[need] = max(ranks[need] ?? 0, rank + 1)
      }
    }
    return ranks
  }

  private static func columns(_ ranks: [Int?]) -> [[Int]] {
    var columns = [[Int]](repeating: [], count: (ranks.compactMap { $0 }.max() ?? -1) + 1)
    for (node, rank) in ranks.enumerated() {
      if let rank { columns[rank].append(node) }
    }
    return columns
  }

  /// Moves each node near its neighbours, so that fewer edges cross.
  private static func sort(_ columns: inout [[Int]], by graph: DependencyGraph) {
    var neighbors = [[Int]](repeating: [], count: graph.nodes.count)
    for edge in graph.edges {
      neighbors[edge.from].append(edge.to)
      neighbors[edge.to].append(edge.from)
    }
    var position = [Double](repeating: 0, count: graph.nodes.count)
    func note(_ column: [Int]) {
      for (row, node) in column.enumerated() {
        position[node] = Double(row) / Double(max(1, column.count))
      }
    }
    columns.forEach(note)
    for _ in 0..<4 {
      for index in columns.indices {
        let weights = columns[index].map { node in
          let near = neighbors[node]
          let sum = near.reduce(0) { $0 + position[$1] }
          return (node: node, weight: near.isEmpty ? position[node] : sum / Double(near.count))
        }
        columns[index] = weights.sorted {
          $0.weight == $1.weight ? $0.node < $1.node : $0.weight < $1.weight
        }.map(\.node)
        note(columns[index])
      }
    }
  }
}
