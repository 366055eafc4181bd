// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often something was resolved. Exact, however much was resolved.
public struct ResolutionCounts: Hashable, Sendable {
  /// Resolutions that got a value.
  public var resolved: Int { made + reused }
  /// Values that were made.
  public internal(set) var made = 0
  /// Values that came from a cache.
  public internal(set) var reused = 0
  /// Questions that nothing answered.
  public internal(set) var missed = 0
  /// Questions whose answer failed.
  public internal(set) var failed = 0

  mutating func count(_ outcome: ResolutionEvent.Outcome) {
    switch outcome {
    case .made: made += 1
    case .reused: reused += 1
    case .missed: missed += 1
    case .failed: failed += 1
    }
  }

  static func += (left: inout ResolutionCounts, right: ResolutionCounts) { left = left + right }

  static func + (left: ResolutionCounts, right: ResolutionCounts) -> ResolutionCounts {
    var sum = left
    sum.made += right.made
    sum.reused += right.reused
    sum.missed += right.missed
    sum.failed += right.failed
    return sum
  }
}
