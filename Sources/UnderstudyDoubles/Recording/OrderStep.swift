// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A step of `expectOrder`: a call, in prose, and when it was made.
public struct OrderStep: Hashable, Sendable, CustomStringConvertible {
  /// The call that is looked for: `fetch(7)`.
  public let description: String

  /// The ticks of the calls that match, oldest first.
  let ticks: [UInt64]
  /// All kept calls of the same double.
  let calls: [OrderedCall]
  /// How many calls of the double are not kept.
  let unkept: Int
}

/// A call in prose and its place among the calls of all doubles.
struct OrderedCall: Hashable, Sendable {
  let tick: UInt64
  let text: String
}
