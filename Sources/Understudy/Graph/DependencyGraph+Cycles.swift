// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DependencyGraph {
  /// The cycles, each with exactly its members, starting with the one that was registered first.
  ///
  /// Every node on a cycle is in one of the returned cycles, up to the limit.
  package func cycles() -> [[Int]] {
    let needs = adjacency
    guard nodes.contains(where: \.isCompletedLater) else { return Cycles.all(in: needs) }
    // A completion closes its cycle after everything is created. But if nothing in the cycle is
    // cached, each value would need another new value.
    let atOnce = needs.indices.map { nodes[$0].isCompletedLater ? [] : needs[$0] }
    let unkept = needs.indices.map { nodes[$0].lifecycle == .cached ? [] : needs[$0] }
    return Set(Cycles.all(in: atOnce) + Cycles.all(in: unkept))
      .sorted { $0.lexicographicallyPrecedes($1) }
  }
}
