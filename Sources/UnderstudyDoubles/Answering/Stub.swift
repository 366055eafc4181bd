// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// One stub: which calls it answers, with what, how often.
struct Stub<Arguments, Answer> {
  let id: UInt64
  let matcher: ArgumentsMatcher<Arguments>
  let madeAt: CallSite
  let use = StubUse()
  /// In turn; the last one stays.
  private(set) var answers: [Answer]
  /// How many calls it may still answer, or `nil` for any number.
  private(set) var remaining: Int?
  /// How many calls it has answered, as far as it may be used up.
  private(set) var taken = 0
  /// The same for calls that look at it outside the lock, once it answers always in the same way.
  private(set) var quick: QuickStub<Arguments, Answer>?

  init(
    id: UInt64, matcher: ArgumentsMatcher<Arguments>, madeAt: CallSite, answers: [Answer],
    remaining: Int?
  ) {
    self.id = id
    self.matcher = matcher
    self.madeAt = madeAt
    self.answers = answers
    self.remaining = remaining
    settle()
  }

  var isUsedUp: Bool { remaining == 0 }

  /// Takes the answer whose turn it is, or `nil` if it is used up.
  mutating func take() -> Answer? {
    guard !isUsedUp else { return nil }
    remaining = remaining.map { $0 - 1 }
    taken += 1
    use.note()
    guard answers.count > 1 else { return answers.first }
    defer { settle() }
    return answers.removeFirst()
  }

  private mutating func settle() {
    guard remaining == nil, answers.count == 1 else { return }
    quick = QuickStub(matcher, answer: answers[0], use: use)
  }
}
