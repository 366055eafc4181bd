// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What was found out at some cost, for as long as nothing has changed.
///
/// Everything is dropped when a change begins, so what is found is from a time after the last change.
/// Whoever looks takes the generation first. There is none while a change is under way, and a new one
/// when one begins: what is taken in was seen while nothing changed. A place may be taken by something
/// else; then it is looked for again.
///
/// What is dropped is released outside the lock: it may be the last reference to a user's object.
package final class Recollection<Element: AnyObject & Sendable>: Sendable {
  /// What an element is found by: who asks, and for what.
  package struct Key: Equatable, Sendable {
    let asker: Int
    let subject: Int
    let type: ObjectIdentifier

    package init(asker: Int, subject: Int, type: ObjectIdentifier) {
      self.asker = asker
      self.subject = subject
      self.type = type
    }

    fileprivate var place: Int {
      let bits = UInt64(truncatingIfNeeded: subject ^ asker &<< 40) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: bits >> 59)
    }
  }

  private struct Place {
    var key = Key(asker: 0, subject: 0, type: ObjectIdentifier(Never.self))
    var element: Element?
  }

  private struct State {
    var places: [Place] = []
    var generation = 0
    var changesUnderWay = 0
  }

  private static var placeCount: Int { 32 }
  private let state: Lock<State>

  /// Guarded by the mutex of another lock, so that what is found can be used together with what that guards.
  package init(sharing mutex: SharedMutex) { state = Lock(State(), sharing: mutex) }

  /// The generation that something found out from now on belongs to; `nil` while a change is under way,
  /// for it may be seen or not, and be done before what was found out is taken in.
  package var generation: Int? {
    state.withLock { $0.changesUnderWay == 0 ? $0.generation : nil }
  }

  /// Locks the mutex, for the caller to unlock.
  @inline(__always)
  func lock() -> HeldMutex { state.lock() }

  /// What was found out, kept for as long as the mutex is held. No reference is counted.
  @inline(__always)
  package func element(_ key: Key, _ held: HeldMutex) -> Unmanaged<Element>? {
    state.access(held) { state in
      let place = key.place
      guard place < state.places.count, state.places[place].key == key else { return nil }
      return state.places[place].element.map { .passUnretained($0) }
    }
  }

  /// Takes in what was found out since `generation` was read, if no change has begun meanwhile.
  package func keep(_ element: Element, for key: Key, since generation: Int) {
    let displaced = state.withLock { state in
      guard state.generation == generation else { return nil as Element? }
      if state.places.isEmpty {
        state.places = Array(repeating: Place(), count: Recollection.placeCount)
      }
      let displaced = state.places[key.place].element
      state.places[key.place] = Place(key: key, element: element)
      return displaced
    }
    withExtendedLifetime(displaced) {}
  }

  package func changeBegins() {
    let dropped = state.withLock { state in
      defer { state.places = [] }
      state.generation += 1
      state.changesUnderWay += 1
      return state.places
    }
    withExtendedLifetime(dropped) {}
  }

  package func changeEnds() {
    state.withLock { $0.changesUnderWay -= 1 }
  }
}
