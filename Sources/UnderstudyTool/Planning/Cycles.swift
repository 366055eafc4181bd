// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The cycles among positions, each of which has a list of the positions that it needs.
///
/// The generator's tool compiles this file, too. So it uses no other type of this module.
package enum Cycles {
  /// The largest number of reported cycles of one component. Below it, each member is in a reported
  /// cycle. A longer cycle may remain after the reported ones are broken.
  private static let limit = 64

  /// The cycles, up to the limit, each starting with the lowest position.
  package static func all(in needs: [[Int]]) -> [[Int]] {
    var cycles: [[Int]] = []
    for component in components(of: needs) {
      guard component.count > 1 || needs[component[0]].contains(component[0]) else { continue }
      let members = Set(component)
      var uncovered = members
      var found: Set<[Int]> = []
      for start in component.sorted() where uncovered.contains(start) {
        guard found.count < limit else { break }
        let cycle = shortestCycle(through: start, within: members, needs)
        uncovered.subtract(cycle)
        if found.insert(cycle).inserted { cycles.append(cycle) }
      }
    }
    return cycles.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func shortestCycle(
    through start: Int, within members: Set<Int>, _ needs: [[Int]]
  ) -> [Int] {
    var previous: [Int: Int] = [:]
    var queue = [start]
    var head = 0
    while head < queue.count {
      let node = queue[head]
      head += 1
      for need in needs[node] where members.contains(need) {
        if need == start {
          var cycle = [node]
          while let last = cycle.last, last != start, let before = previous[last] {
            cycle.append(before)
          }
          return rotated(cycle.reversed())
        }
        guard previous[need] == nil else { continue }
        previous[need] = node
        queue.append(need)
      }
    }
    return [start]
  }

  private static func rotated(_ cycle: [Int]) -> [Int] {
    guard let first = cycle.min(), let index = cycle.firstIndex(of: first) else { return cycle }
    return Array(cycle[index...] + cycle[..<index])
  }

  /// The strongly connected components, dependencies first (Tarjan's algorithm without recursion).
  package static func components(of needs: [[Int]]) -> [[Int]] {
    var components: [[Int]] = []
    var order = [Int](repeating: -1, count: needs.count)
    var low = order
    var isOpen = [Bool](repeating: false, count: needs.count)
    var open: [Int] = []
    var count = 0
    var calls: [(node: Int, next: Int)] = []
    for root in needs.indices where order[root] < 0 {
      calls.append((root, 0))
      while let call = calls.last {
        let node = call.node
        if call.next == 0 {
          order[node] = count
          low[node] = count
          count += 1
          open.append(node)
          isOpen[node] = true
        }
        if call.next < needs[node].count {
          calls[calls.count - 1].next += 1
          let need = needs[node][call.next]
          if order[need] < 0 {
            calls.append((need, 0))
          } else if isOpen[need] {
            low[node] = min(low[node], order[need])
          }
          continue
        }
        calls.removeLast()
        if let caller = calls.last?.node { low[caller] = min(low[caller], low[node]) }
        guard low[node] == order[node] else { continue }
        var component: [Int] = []
        while let member = open.popLast() {
          isOpen[member] = false
          component.append(member)
          if member == node { break }
        }
        components.append(component)
      }
    }
    return components
  }
}
