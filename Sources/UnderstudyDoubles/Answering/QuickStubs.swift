// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A stub that answers any number of calls, always in the same way: nothing of it is used up, so a call may look at it
/// outside the lock that it got it under.
@usableFromInline
final class QuickStub<Arguments, Answer> {
  let isCatchAll: Bool
  @usableFromInline let miss: (Arguments) -> ArgumentsMiss?
  @usableFromInline let answer: Answer
  @usableFromInline let use: StubUse

  init(_ matcher: ArgumentsMatcher<Arguments>, answer: Answer, use: StubUse = StubUse()) {
    isCatchAll = matcher.isCatchAll
    miss = matcher.miss
    self.answer = answer
    self.use = use
  }

  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    guard miss(arguments) == nil, use.note() else { return nil }
    return answer
  }
}

/// What answers a double's calls while all of it answers any number of them; the newest comes first.
@usableFromInline
final class QuickStubs<Arguments, Answer> {
  /// The answer to every call, if the newest misses none.
  @usableFromInline let constant: Answer?
  @usableFromInline let entries: [QuickStub<Arguments, Answer>]

  /// `nil` if there is none.
  init?(_ entries: [QuickStub<Arguments, Answer>]) {
    guard let newest = entries.first else { return nil }
    constant = newest.isCatchAll ? newest.answer : nil
    self.entries = entries
  }

  /// Notes that the newest has answered.
  func noteConstantUse() { entries.first?.use.note() }

  /// The answer of the newest that answers a call; its use is noted.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    var index = 0
    while index < entries.count {
      // Safety: whoever calls this keeps the entries: no reference to one is counted.
      let entry = unsafe Unmanaged.passUnretained(entries[index])
      if let answer = unsafe entry._withUnsafeGuaranteedRef({ $0.answer(to: arguments) }) {
        return answer
      }
      index += 1
    }
    return nil
  }
}
