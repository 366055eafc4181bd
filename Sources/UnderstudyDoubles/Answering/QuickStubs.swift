// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The stubs of a double while each of them answers any number of calls, always in the same way.
///
/// Nothing is used up then, so a call can look through them outside the lock that it got them under: it is answered
/// by the stubs that were there when it was recorded.
@usableFromInline
final class QuickStubs<Arguments, Answer> {
  @usableFromInline
  final class Entry {
    @usableFromInline let miss: (Arguments) -> ArgumentsMiss?
    @usableFromInline let answer: Answer
    @usableFromInline let use: StubUse

    init(_ stub: Stub<Arguments, Answer>) {
      miss = stub.matcher.miss
      answer = stub.answers[0]
      use = stub.use
    }

    /// The answer, if the stub matches; that is noted.
    @inlinable @inline(__always)
    func answer(to arguments: Arguments) -> Answer? {
      guard miss(arguments) == nil else { return nil }
      use.note()
      return answer
    }
  }

  /// Oldest first.
  @usableFromInline let entries: [Entry]

  /// `nil` if some stub does not answer always and in the same way.
  init?(_ stubs: [Stub<Arguments, Answer>]) {
    guard !stubs.isEmpty, stubs.allSatisfy(\.isUnchanging) else { return nil }
    entries = stubs.map { Entry($0) }
  }

  /// What the newest stub that matches answers, which is noted. User code: under no lock.
  @inlinable @inline(__always)
  func answer(to arguments: Arguments) -> Answer? {
    var index = entries.count
    while index > 0 {
      index -= 1
      // Whoever calls this keeps the entries: no reference to one is counted.
      let entry = Unmanaged.passUnretained(entries[index])
      if let answer = entry._withUnsafeGuaranteedRef({ $0.answer(to: arguments) }) {
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
