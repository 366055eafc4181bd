// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The stubs of a double while each of them answers any number of calls, always in the same way.
///
/// Nothing is used up then, so a call can look through a copy of them outside the lock and count the
/// use afterwards.
@usableFromInline
struct QuickStubs<Arguments, Answer> {
  @usableFromInline
  struct Entry {
    @usableFromInline let miss: (Arguments) -> ArgumentsMiss?
    @usableFromInline let answer: Answer
  }

  /// Oldest first.
  @usableFromInline let entries: [Entry]
  /// Tells these stubs from those before and after a change.
  @usableFromInline let version: UInt64

  /// `nil` if some stub does not answer always and in the same way.
  init?(_ stubs: [Stub<Arguments, Answer>]) {
    guard !stubs.isEmpty, stubs.allSatisfy(\.isUnchanging) else { return nil }
    entries = stubs.map { Entry(miss: $0.matcher.miss, answer: $0.answers[0]) }
    version = Tick.next()
  }

  /// The newest entry that matches. User code: under no lock.
  @inlinable
  func match(_ arguments: Arguments) -> Int? {
    var index = entries.count
    while index > 0 {
      index -= 1
      if entries[index].miss(arguments) == nil { return index }
    }
    return nil
  }
}
