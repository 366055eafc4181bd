// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Which resolutions a fault was to hit, and whether it did.
package final class FaultStrikes: Sendable {
  private let count = Lock((asked: 0, hit: 0))
  private let isHit: @Sendable (Int) -> Bool
  /// True if a test that sets it counts on it: what is left to chance, or is to hit nothing, need
  /// not hit.
  let isExpected: Bool

  init(isExpected: Bool, where isHit: @escaping @Sendable (Int) -> Bool) {
    self.isExpected = isExpected
    self.isHit = isHit
  }

  /// Counts a resolution; returns its number if it is to go wrong.
  func next() -> Int? {
    let number = count.withLock { count in
      count.asked += 1
      return count.asked
    }
    guard isHit(number) else { return nil }
    count.withLock { $0.hit += 1 }
    return number
  }

  /// How many resolutions it left alone, if it hit none though it was to.
  var missed: Int? {
    let count = count.withLock(\.self)
    return isExpected && count.hit == 0 && count.asked > 0 ? count.asked : nil
  }
}
