// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The reasons, over the whole process, why production's answer may not be the whole answer: layers that are
/// alive, instances that are being made to be kept, values that are completed later.
///
/// A resolution that finds none goes the short way after one relaxed load. That order is enough: whoever has
/// to know of a reason was shown what it is about, a layer or a block that is run on its behalf, by something
/// that is ordered after `begin`.
package enum Attention {
  /// Reasons come and go with every layer; what else lies in memory must not be fetched again for that.
  private struct OwnCacheLine: ~Copyable, Sendable {
    let before: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
    let reasons = Atomic<Int>(0)
    /// Those that concern also who sees no layer.
    let reasonsForAll = Atomic<Int>(0)
    let after: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
  }

  private static let line = OwnCacheLine()

  /// True if production's answer may not be the whole answer for somebody.
  package static var isWanted: Bool { line.reasons.load(ordering: .relaxed) != 0 }
  /// True if it may not be for who sees no layer.
  static var isWantedByAll: Bool { line.reasonsForAll.load(ordering: .relaxed) != 0 }

  static func begin() {
    line.reasonsForAll.add(1, ordering: .relaxed)
    line.reasons.add(1, ordering: .relaxed)
  }

  static func end() {
    line.reasons.subtract(1, ordering: .relaxed)
    line.reasonsForAll.subtract(1, ordering: .relaxed)
  }

  /// A layer concerns those who see it; and who sees none, where a test may be told of that.
  static func beginLayer() { line.reasons.add(1, ordering: .relaxed) }
  static func endLayer() { line.reasons.subtract(1, ordering: .relaxed) }
  static func noteTestHost() { line.reasonsForAll.add(1, ordering: .relaxed) }
}
