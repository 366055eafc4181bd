// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The stubs of one double, oldest first. The newest stub that matches a call and is not used up
/// answers it.
///
/// A pure table: matching is user code and happens elsewhere, between `candidates` and `take`.
struct StubTable<Arguments, Answer> {
  private(set) var stubs: [Stub<Arguments, Answer>] = []

  mutating func add(_ stub: Stub<Arguments, Answer>) {
    stubs.append(stub)
  }

  /// Closes all stubs: no use of one is noted from now on.
  func close() {
    for stub in stubs { stub.use.close() }
  }

  mutating func removeAll() {
    close()
    stubs = []
  }

  /// What answers every call that a stub answers, while nothing of it can be used up; the newest comes first. What is
  /// used up is none of it.
  var quick: [QuickStub<Arguments, Answer>]? {
    var entries: [QuickStub<Arguments, Answer>] = []
    for stub in stubs.reversed() where !stub.isUsedUp {
      guard let entry = stub.quick else { return nil }
      entries.append(entry)
      // None that is older answers a call.
      if entry.isCatchAll { break }
    }
    return entries
  }

  /// Takes the answer of a stub that matched, or `nil` if it was used up or removed meanwhile.
  mutating func take(_ id: UInt64) -> Answer? {
    guard let index = stubs.firstIndex(where: { $0.id == id }) else { return nil }
    return stubs[index].take()
  }

  /// The newer stub that answers every call before the stub at `index` is asked, if there is one.
  func hides(_ index: Int) -> Stub<Arguments, Answer>? {
    stubs[(index + 1)...].first { $0.matcher.isCatchAll && $0.remaining == nil }
  }

  /// The stubs that were made for nothing: they answered no call.
  ///
  /// A stub for any arguments is a default. It may stay unused while other stubs answer, unless a
  /// newer one hides it.
  var unused: [(stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?)] {
    let someAnswered = stubs.contains(where: \.use.wasMade)
    return stubs.indices.compactMap { index in
      let stub = stubs[index]
      let hiddenBy = hides(index)
      guard !stub.use.wasMade else { return nil }
      if stub.matcher.isCatchAll, someAnswered, hiddenBy == nil { return nil }
      return (stub, hiddenBy)
    }
  }
}
