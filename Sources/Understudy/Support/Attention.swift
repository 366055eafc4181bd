// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The reasons, over the whole process, why production's answer may not be the whole answer: layers that are
/// alive, instances that are being made to be kept, values that are completed later.
///
/// A resolution that finds none goes the short way after a relaxed load or two. That order is enough: whoever has
/// to know of a reason was shown what it is about, a layer or a block that is run on its behalf, by something
/// that is ordered after `begin`.
package enum Attention {
  /// Reasons come and go with every layer; what else lies in memory must not be fetched again for that.
  private struct OwnCacheLine: ~Copyable, Sendable {
    let before: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
    let layers = Atomic<Int>(0)
    let others = Atomic<Int>(0)
    let after: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
  }

  private static let line = OwnCacheLine()

  /// A reason that concerns everybody, whatever layer they see.
  static func begin() { line.others.add(1, ordering: .relaxed) }
  static func end() { line.others.subtract(1, ordering: .relaxed) }

  /// A layer: it concerns those who see it.
  static func beginLayer() { line.layers.add(1, ordering: .relaxed) }
  static func endLayer() { line.layers.subtract(1, ordering: .relaxed) }

  /// True if there is any reason.
  package static var isWanted: Bool { areLayersAlive || isWantedByAll }
  static var areLayersAlive: Bool { line.layers.load(ordering: .relaxed) != 0 }
  /// True if there is one that concerns also those who see no layer.
  static var isWantedByAll: Bool { line.others.load(ordering: .relaxed) != 0 }
}
