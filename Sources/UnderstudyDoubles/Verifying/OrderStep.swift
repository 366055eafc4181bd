// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A step of `expectOrder` or `expectCalls`: a call, in prose, and when it was made.
public struct OrderStep: Hashable, Sendable, CustomStringConvertible {
  /// The expected call: `fetch(7)`.
  public let description: String

  /// The ticks of the matching calls, oldest first.
  let ticks: [UInt64]
  /// All recorded calls of the same double.
  let calls: OrderedCalls
  /// The number of calls of the double that are not stored.
  let unkept: Int
  /// Whether it matches every call of the double, even those that are not stored.
  let isCatchAll: Bool
  /// The reason, if no call can ever match.
  let impossible: ImpossibleMatch?

  /// The finding about a step that no call can match. It says nothing, however many calls are made.
  func impossibleViolation(at callSite: CallSite) -> Violation? {
    impossible.map { impossible in
      Violation(
        Message(
          "No call can match \(self): \(impossible.reason).",
          facts: [
            Message.Fact("Expected at", "\(callSite)"),
            Message.Fact("Double", "\(calls.name), made at \(calls.madeAt)"),
          ],
          remedies: [impossible.remedy]),
        at: callSite)
    }
  }

  /// Distinguishes equal calls of two doubles.
  var token: String { "\(calls.double) \(description)" }
}

/// The calls of a double, by their positions among the calls of all doubles. Only the calls that a
/// message shows are described.
struct OrderedCalls: Hashable, Sendable {
  let double: ObjectIdentifier
  let name: CallName
  let madeAt: CallSite
  let ticks: [UInt64]
  /// The texts of those calls that the double still has, and how one that prints like the step
  /// differs from it.
  let texts: @Sendable (Set<UInt64>) -> [(tick: UInt64, text: String, difference: (() -> String)?)]

  static func == (one: OrderedCalls, other: OrderedCalls) -> Bool { one.ticks == other.ticks }

  func hash(into hasher: inout Hasher) { hasher.combine(ticks) }
}
