// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Whoever must hear of changes: what was found out before one is not to be believed after it.
///
/// Safety of `@unchecked Sendable`: it has nothing of its own, and so nothing that is not safe; its subclasses are
/// `final`, and have only what is `Sendable` and immutable.
package class ChangeObserver: @unchecked Sendable {
  /// Hears that a change begins; returns what is to be let go of where no lock is held.
  package func changeBegins() -> Any? { nil }
  /// Hears that it is done.
  package func changeEnds() {}

  /// Makes a change that this hears of. What is let go of because of it has gone before it is made.
  package final func changing<Result>(_ change: () -> Result) -> Result {
    drop()
    defer { changeEnds() }
    return change()
  }

  // A function of its own, so that a debug build keeps nothing either.
  private func drop() { _ = changeBegins() }
}

/// Those who hear of the changes of something, for as long as they are alive.
///
/// Safety: an observer is told under the lock, and takes itself out under it before it goes. So whoever is told is
/// there, though its last reference may be gone, and no reference to it is counted.
package final class ChangeObservers: ChangeObserver, @unchecked Sendable {
  private struct Observing: Sendable {
    var observers = PointerTable<Unmanaged<ChangeObserver>>()
    var changesUnderWay = 0

    func tell<Told>(_ tell: (ChangeObserver) -> Told?) -> [Told] {
      guard observers.count > 0 else { return [] }
      return observers.elements.compactMap { $0._withUnsafeGuaranteedRef(tell) }
    }
  }

  private let state = Lock(Observing())

  /// How many hear of changes now.
  var count: Int { state.withLock { $0.observers.count } }

  /// Tells an observer of the changes that are under way, and of those to come.
  func add(_ observer: ChangeObserver) {
    let dropped = state.withLock { state -> [Any?] in
      let identity = ObjectIdentifier(observer)
      guard state.observers[identity] == nil else { return [] }
      state.observers[identity] = .passUnretained(observer)
      return (0..<state.changesUnderWay).map { _ in observer.changeBegins() }
    }
    withExtendedLifetime(dropped) {}
  }

  func remove(_ observer: ChangeObserver) {
    state.withLock { $0.observers[ObjectIdentifier(observer)] = nil }
  }

  package override func changeBegins() -> Any? {
    let dropped = state.withLock { state in
      state.changesUnderWay += 1
      return state.tell { $0.changeBegins() }
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
