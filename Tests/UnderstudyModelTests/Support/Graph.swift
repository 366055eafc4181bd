// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// Random registrations that need each other, with diamonds, cycles and blocks that throw.
struct Graph {
  struct Node {
    var needs: [Int]
    /// The number of calls that throw, with `.max` for all.
    var failures: Int
  }

  enum Fate: Equatable {
    /// Always available, and always the same instance.
    case made
    /// Never available, since it needs itself or a block that always throws.
    case never
  }

  let nodes: [Node]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = 3 + generator.below(8)
    let hasCycles = generator.isOne(in: 2)
    nodes = (0..<count).map { index in
      let later =
        index + 1 < count
        ? (0..<generator.below(4)).map { _ in
          index + 1 + generator.below(count - index - 1)
        } : []
      let back = hasCycles && generator.isOne(in: 5) ? [generator.below(count)] : []
      let failures = [0, 0, 0, 0, 0, 1, 2, .max][generator.below(8)]
      return Node(needs: later + back, failures: failures)
    }
  }

  /// The result for a node, for any requester and in any order.
  func fate(of index: Int) -> Fate { fate(of: index, below: []) }

  private func fate(of index: Int, below path: Set<Int>) -> Fate {
    if path.contains(index) || nodes[index].failures == .max { return .never }
    let isNever = nodes[index].needs.contains {
      fate(of: $0, below: path.union([index])) == .never
    }
    return isNever ? .never : .made
  }

  /// True if neither the node nor anything that it needs ever throws.
  func isSound(_ index: Int) -> Bool {
    fate(of: index) == .made
      && nodes[index].failures == 0 && nodes[index].needs.allSatisfy { isSound($0) }
  }
}
