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
    /// Layers are counted in the lower half, all other reasons in the upper one.
    let reasons = Atomic<UInt64>(0)
    let after: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
  }

  private static let line = OwnCacheLine()

  private static var layer: UInt64 { 1 }
  private static var other: UInt64 { 0x1_0000_0000 }

  /// A reason that concerns everybody, whatever layer they see.
  static func begin() { line.reasons.add(other, ordering: .relaxed) }
  static func end() { line.reasons.subtract(other, ordering: .relaxed) }

  /// A layer: it concerns those who see it.
  static func beginLayer() { line.reasons.add(layer, ordering: .relaxed) }
  static func endLayer() { line.reasons.subtract(layer, ordering: .relaxed) }

  private static var reasons: UInt64 { line.reasons.load(ordering: .relaxed) }

  /// True if there is any reason.
  package static var isWanted: Bool { reasons != 0 }
  static var areLayersAlive: Bool { reasons & (other - 1) != 0 }
  /// True if there is one that concerns also those who see no layer.
  static var isWantedByAll: Bool { reasons >= other }
}
