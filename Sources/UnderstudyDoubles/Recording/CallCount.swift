// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The expected number of calls: `.once`, `.never`, `3` or `.between(2...)`. `expects` and
/// `expectCalled` also take a variable and a range themselves, and so do the assertions about
/// resolutions.
public struct CallCount: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  let least: Int
  let most: Int?

  init(least: Int, most: Int?) {
    self.least = least
    self.most = most
  }

  /// Exactly `count` calls.
  public init(integerLiteral count: Int) {
    self.init(least: count, most: count)
  }

  /// Exactly one call.
  public static let once = CallCount(least: 1, most: 1)
  /// No call at all.
  public static let never = CallCount(least: 0, most: 0)

  /// Exactly `count` calls.
  public static func exactly(_ count: Int) -> CallCount {
    CallCount(least: count, most: count)
  }

  /// A number of calls that is in `range`.
  public static func between(_ range: some RangeExpression<Int>) -> CallCount {
    // A range that ends at the largest number, or before 0, cannot be made relative.
    if let range = range as? ClosedRange<Int> {
      return CallCount(least: range.lowerBound, most: range.upperBound)
    }
    if let range = range as? PartialRangeThrough<Int> {
      return CallCount(least: 0, most: range.upperBound)
    }
    if let range = range as? PartialRangeUpTo<Int>, range.upperBound < 0 {
      return CallCount(least: 0, most: -1)
    }
    // A range without an upper bound gets the upper bound of the range below.
    let bounds = range.relative(to: 0..<Int.max)
    guard !bounds.isEmpty else { return CallCount(least: 1, most: 0) }
    return CallCount(
      least: bounds.lowerBound, most: bounds.upperBound == Int.max ? nil : bounds.upperBound - 1)
  }

  /// Not for use: the compiler picks it, and names the range to write.
  @available(*, unavailable, message: "write the range: 1...")
  public static var atLeastOnce: CallCount { fatalError("The compiler accepts no use of this.") }

  /// Not for use: the compiler picks it, and names the range to write.
  @available(*, unavailable, message: "write the range: 2...")
  public static func atLeast(_ count: Int) -> CallCount {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the range to write.
  @available(*, unavailable, message: "write the range: ...2")
  public static func atMost(_ count: Int) -> CallCount {
    fatalError("The compiler accepts no call of this.")
  }

  /// Whether this number of calls satisfies it.
  package func allows(_ count: Int) -> Bool { least <= count && count <= most ?? .max }

  /// Whether no number of calls can satisfy it.
  package var isImpossible: Bool { least < 0 || (most.map { $0 < least } ?? false) }

  /// The reason and the remedy for such a count.
  static let impossible = (
    reason: "no number of calls satisfies it",
    remedy: "Expect a count from 0: .never, .once, 2..."
  )

  /// Whether any number of calls satisfies it.
  var isAny: Bool { least == 0 && most == nil }

  /// The expectation as a verb: `was expected once`, `was not expected`.
  var expectation: String { self == .never ? "was not expected" : "was expected \(self)" }

  /// `once`, `never`, `3 times`, `at least twice`, `1 to 3 times`, `at most twice`
  public var description: String {
    switch (least, most) {
    case (0, 0?): "never"
    case (let least, let most?) where most < least: "an impossible number of times"
    case (let least, let most?) where least == most: Self.times(least)
    case (0, let most?): "at most \(Self.times(most))"
    case (let least, let most?): "\(least) to \(most) times"
    case (let least, nil): "at least \(Self.times(least))"
    }
  }

  package static func times(_ count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }
}
