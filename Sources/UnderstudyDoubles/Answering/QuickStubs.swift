// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A stub that answers any number of calls, always in the same way: nothing of it is used up, so a call may look at it
/// outside the lock that it got it under.
@usableFromInline
final class QuickStub<Arguments, Answer> {
  @usableFromInline let miss: (Arguments) -> ArgumentsMiss?
  @usableFromInline let answer: Answer
  @usableFromInline let use: StubUse

  init(miss: @escaping (Arguments) -> ArgumentsMiss?, answer: Answer, use: StubUse) {
    self.miss = miss
    self.answer = answer
    self.use = use
  }

  /// The answer, if the stub matches and is still there; the use is noted then. User code: under no lock.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    guard miss(arguments) == nil, use.note() else { return nil }
    return answer
  }
}

/// The stubs of a double while all of them are such.
@usableFromInline
final class QuickStubs<Arguments, Answer> {
  /// Oldest first.
  @usableFromInline let entries: [QuickStub<Arguments, Answer>]

  /// `nil` if there is none, or one that does not answer always and in the same way.
  init?(_ stubs: [Stub<Arguments, Answer>]) {
    entries = stubs.compactMap { $0.quick }
    guard !entries.isEmpty, entries.count == stubs.count else { return nil }
  }

  /// What the newest stub answers that matches. User code: under no lock.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    var index = entries.count
    while index > 0 {
      index -= 1
      // Safety: whoever calls this keeps the entries: no reference to one is counted.
      let entry = unsafe Unmanaged.passUnretained(entries[index])
      if let answer = unsafe entry._withUnsafeGuaranteedRef({ $0.answer(to: arguments) }) {
        return answer
      }
    }
    return nil
  }
}

/// What is known of a call's answer under the lock.
@usableFromInline
enum QuickAnswer<Arguments, Answer> {
  case answer(Answer)
  case stubs(QuickStubs<Arguments, Answer>)
  case none
}
