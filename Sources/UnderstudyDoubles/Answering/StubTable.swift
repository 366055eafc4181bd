// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The stubs of one double, oldest first. A call is answered by the newest matching stub that is
/// not used up.
///
/// This is a pure table. Matching is user code, and happens between `stubs` and `take`.
struct StubTable<Arguments, Answer> {
  private(set) var stubs: [Stub<Arguments, Answer>] = []

  mutating func add(_ stub: Stub<Arguments, Answer>) {
    stubs.append(stub)
  }

  /// Changes a stub. Returns `false` if it was removed.
  @discardableResult
  mutating func change(_ id: UInt64, _ change: (inout Stub<Arguments, Answer>) -> Void) -> Bool {
    guard let index = stubs.firstIndex(where: { $0.id == id }) else { return false }
    change(&stubs[index])
    return true
  }

  /// Allows all stubs to stay unused.
  mutating func excuseAll() {
    for index in stubs.indices { stubs[index].isOptional = true }
  }

  /// Closes all stubs. Their later uses are not recorded.
  func close() {
    for stub in stubs { stub.close() }
  }

  mutating func removeAll() {
    close()
    stubs = []
  }

  /// The stubs that can answer a call, the newest one first, or `nil` if one of them can be used
  /// up.
  var quick: [QuickStub<Arguments, Answer>]? {
    var entries: [QuickStub<Arguments, Answer>] = []
    for stub in stubs.reversed() where !stub.isUsedUp {
      guard let entry = stub.quick else { return nil }
      entries.append(entry)
      // This stub answers every call, so no older one answers any.
      if entry.isCatchAll { break }
    }
    return entries
  }

  /// True if a stub has user code.
  var hasHandlers: Bool { stubs.contains(where: hasUserCode) }

  private func hasUserCode(_ stub: Stub<Arguments, Answer>) -> Bool {
    stub.hasHandler || stub.matcher.hasPredicate
  }

  /// Removes the stubs with user code. One with an object in its matcher answers a late call with
  /// any arguments.
  mutating func removeHandlers() {
    stubs.removeAll(where: hasUserCode)
    for index in stubs.indices where stubs[index].matcher.mayRetainObjects {
      stubs[index].releaseObjects()
    }
  }

  /// Takes the answer of a matching stub, or returns `nil` if the stub was used up or removed in
  /// the meantime.
  mutating func take(_ id: UInt64) -> Answer? {
    guard let index = stubs.firstIndex(where: { $0.id == id }) else { return nil }
    return stubs[index].take()
  }

  /// The newer stub that answers every call of the stub at `index` before it, if there is one.
  func hides(_ index: Int) -> Stub<Arguments, Answer>? {
    stubs[(index + 1)...].first { $0.isUnlimited && $0.matcher.covers(stubs[index].matcher) }
  }

  /// The stubs that have answered no call.
  ///
  /// A stub for any arguments is a default. It may stay unused if other stubs for its type answer,
  /// unless a newer one hides it. A stub for a number of calls is not a default, but a step of a
  /// script. An optional stub may always stay unused.
  var unused: [(stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?)] {
    let answeredTypes = stubs.filter(\.use.wasMade).map(\.matcher.requestedType)
    return stubs.indices.compactMap { index in
      let stub = stubs[index]
      guard !stub.use.wasMade, !stub.isOptional else { return nil }
      let hiddenBy = hides(index)
      let isDefault = stub.matcher.matchesAllArguments && stub.isUnlimited
      let type = stub.matcher.requestedType
      // An answer for any type may have been one for this type.
      let othersAnswer = answeredTypes.contains { type == nil || $0 == nil || $0 == type }
      if isDefault, othersAnswer, hiddenBy == nil { return nil }
      return (stub, hiddenBy)
    }
  }

  /// The used stubs with answers that were not given.
  var unfinished: [Stub<Arguments, Answer>] {
    stubs.filter { $0.use.wasMade && !$0.isOptional && $0.unaskedAnswers > 0 }
  }
}
