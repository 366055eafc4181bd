// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization
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
  /// How many calls it has answered, as far as it may be used up.
  private(set) var taken = 0
  let use = StubUse()

  var isUsedUp: Bool { remaining == 0 }

  /// Whether every call that reaches it is answered, for ever, in the same way.
  var isConstant: Bool { matcher.isCatchAll && isUnchanging }

  /// Whether every call that it matches is answered, for ever, in the same way.
  var isUnchanging: Bool { remaining == nil && answers.count == 1 }

  /// Takes the answer whose turn it is, or `nil` if it is used up.
  mutating func take() -> Answer? {
    guard !isUsedUp else { return nil }
    remaining = remaining.map { $0 - 1 }
    taken += 1
    use.note()
    return answers.count > 1 ? answers.removeFirst() : answers.first
  }
}

/// Whether a stub has answered a call. That is noted where the stub is used, under a lock or not.
@usableFromInline
final class StubUse: Sendable {
  private let isNoted = Atomic<Bool>(false)

  var wasMade: Bool { isNoted.load(ordering: .relaxed) }

  @usableFromInline
  func note() {
    // Nothing is ordered by it, and most notes say nothing new: they need not write.
    if !wasMade { isNoted.store(true, ordering: .relaxed) }
  }
}
