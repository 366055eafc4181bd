// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Whoever must hear of changes: what was found out before one is not to be believed after it.
///
/// Safety of `@unchecked Sendable`: it has nothing of its own, and so nothing that is not safe; its subclasses are
/// `final`, and have only what is `Sendable` and immutable.
package class ChangeObserver: @unchecked Sendable {
  /// Hears that a change begins; returns what is to be let go of where no lock is held.
  package func changeBegins() -> Any? { nil }
  /// The same of a change of something that others observe, too. What is returned is let go of by whoever makes the
  /// change, so it keeps nothing but what belongs to that.
  package func changeBeginsElsewhere() -> Any? { nil }
  /// Hears that a change is done.
  package func changeEnds() {}

  /// Makes a change that this hears of. What is let go of because of it has gone before it is made.
  package final func changing<Result>(_ change: () -> Result) -> Result {
    drop()
    defer { changeEnds() }
    return change()
  }

  // A function of its own, so that a debug build keeps nothing either.
  private func drop() { withExtendedLifetime(changeBegins()) {} }
}

/// Those who hear of the changes of something.
///
/// Safety: an observer is told under the lock, and whoever added it keeps it until it is removed, under the lock. So who
/// is told is there, and is not let go of meanwhile; no reference to it is counted.
package final class ChangeObservers: ChangeObserver, @unchecked Sendable {
  @safe
  private struct Entry: Sendable {
    let observer: Unmanaged<ChangeObserver>
    /// How often it was added.
    var count = 1
  }

  private struct Observing: Sendable {
    var entries = PointerTable<Entry>()
    var changesUnderWay = 0

    func tell<Told>(_ tell: (ChangeObserver) -> Told?) -> [Told] {
      guard entries.count > 0 else { return [] }
      return entries.elements.compactMap { unsafe $0.observer._withUnsafeGuaranteedRef(tell) }
    }
  }

  private let state = Lock(Observing())

  /// How many hear of changes now.
  var count: Int { state.withLock { $0.entries.count } }

  /// Tells an observer of the changes that are under way, and of those to come. The caller keeps it until it removes it,
  /// as often as it added it.
  @unsafe
  func add(_ observer: ChangeObserver) {
    let dropped = state.withLock { state -> [Any?] in
      let identity = ObjectIdentifier(observer)
      if var entry = state.entries[identity] {
        entry.count += 1
        state.entries[identity] = entry
        return []
      }
      state.entries[identity] = unsafe Entry(observer: .passUnretained(observer))
      return (0..<state.changesUnderWay).map { _ in observer.changeBeginsElsewhere() }
    }
    withExtendedLifetime(dropped) {}
  }

  func remove(_ observer: ChangeObserver) {
    state.withLock { state in
      let identity = ObjectIdentifier(observer)
      guard var entry = state.entries[identity] else { return }
      entry.count -= 1
      state.entries[identity] = entry.count == 0 ? nil : entry
      // It will not be told that they are done.
      if entry.count == 0 { for _ in 0..<state.changesUnderWay { observer.changeEnds() } }
    }
  }

  package override func changeBegins() -> Any? {
    let dropped = state.withLock { state in
      state.changesUnderWay += 1
      return state.tell { $0.changeBeginsElsewhere() }
    }
    return dropped.isEmpty ? nil : dropped
  }

  package override func changeEnds() {
    state.withLock { state in
      state.changesUnderWay -= 1
      _ = state.tell { $0.changeEnds() }
    }
  }
}
