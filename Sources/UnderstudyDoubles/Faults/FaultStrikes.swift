// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The resolutions that a fault should strike, and whether it did.
final class FaultStrikes: Sendable {
  private let count = Lock((asked: 0, hit: 0))
  private let isHit: @Sendable (Int) -> Bool
  /// True if the fault should strike at least once. A random schedule, and one that strikes
  /// nothing, need not.
  private let isExpected: Bool

  init(isExpected: Bool, where isHit: @escaping @Sendable (Int) -> Bool) {
    self.isExpected = isExpected
    self.isHit = isHit
  }

  /// Counts a resolution. Returns its number if the fault strikes it.
  func next() -> Int? {
    let number = count.withLock { count in
      count.asked += 1
      return count.asked
    }
    guard isHit(number) else { return nil }
    count.withLock { $0.hit += 1 }
    return number
  }

  /// The number of resolutions, if the fault should have struck and did not.
  var missed: Int? {
    let count = count.withLock(\.self)
    return isExpected && count.hit == 0 && count.asked > 0 ? count.asked : nil
  }
}
