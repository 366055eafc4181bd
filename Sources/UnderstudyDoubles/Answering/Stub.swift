// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// One stub: which calls it answers, with what, how often.
struct Stub<Arguments, Answer> {
  let id: UInt64
  let matcher: ArgumentsMatcher<Arguments>
  let madeAt: CallSite
  /// In turn; the last one stays.
  var answers: [Answer]
  /// How many calls it may still answer, or `nil` for any number.
  var remaining: Int?
  var uses = 0

  var isUsedUp: Bool { remaining == 0 }

  /// Whether every call that reaches it is answered, for ever, in the same way.
  var isConstant: Bool { matcher.isCatchAll && isUnchanging }

  /// Whether every call that it matches is answered, for ever, in the same way.
  var isUnchanging: Bool { remaining == nil && answers.count == 1 }

  /// Takes the answer whose turn it is, or `nil` if it is used up.
  mutating func take() -> Answer? {
    guard !isUsedUp else { return nil }
    remaining = remaining.map { $0 - 1 }
    uses += 1
    return answers.count > 1 ? answers.removeFirst() : answers.first
  }
}
