// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A stub that answers any number of calls, always in the same way: nothing of it is used up, so a call may look at it
/// outside the lock that it got it under.
@usableFromInline
class QuickStub<Arguments, Answer> {
  /// Says how a call misses it; `nil` if none does.
  @usableFromInline final let miss: ((Arguments) -> ArgumentsMiss?)?
  @usableFromInline final let answer: Answer
  /// Where its use is noted; `nil` for what answers when no stub does.
  @usableFromInline final let use: StubUse?

  init(miss: ((Arguments) -> ArgumentsMiss?)?, answer: Answer, use: StubUse?) {
    self.miss = miss
    self.answer = answer
    self.use = use
  }

  @inlinable @inline(__always)
  final func answers(_ arguments: Arguments) -> Bool {
    if let miss, miss(arguments) != nil { return false }
    return use?.note() ?? true
  }
}

/// What answers a double's calls while all of it answers any number of them: the newest, which is asked first, and the
/// others.
@usableFromInline
final class QuickStubs<Arguments, Answer>: QuickStub<Arguments, Answer> {
  @usableFromInline let others: [QuickStub<Arguments, Answer>]

  /// The newest comes first; `nil` if there is none.
  init?(_ entries: [QuickStub<Arguments, Answer>]) {
    guard let newest = entries.first else { return nil }
    others = Array(entries.dropFirst())
    super.init(miss: newest.miss, answer: newest.answer, use: newest.use)
  }

  /// The newest that answers a call; its use is noted.
  @inlinable @inline(__always)
  func first(answering arguments: Arguments) -> QuickStub<Arguments, Answer>? {
    if answers(arguments) { return self }
    return others.isEmpty ? nil : others.first { $0.answers(arguments) }
  }
}
