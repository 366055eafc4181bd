// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What was found out at some cost, for as long as nothing has changed.
///
/// Everything is dropped when a change begins, so what is found is from a time after the last change. When something
/// else changes, which others look through to as well, only what belongs to that is dropped: the rest is found no more,
/// and goes with the next change here, so that nobody else lets go of it.
///
/// Whoever looks takes the generation first. There is none while a change is under way, and a new one
/// when one begins: what is taken in was seen while nothing changed. A place may be taken by something
/// else; then it is looked for again.
///
/// What is dropped is released outside the lock: it may be the last reference to a user's object.
///
/// Safety: what is kept is of the type `Element`, since `keep` alone takes anything in. `@unchecked Sendable`, as its
/// superclass is: it has a lock, and nothing else.
package final class Recollection<Element: AnyObject & Sendable>: ChangeObserver, @unchecked Sendable
{
  private let state: Lock<Recollected>

  /// Of what lies behind another's lock, so that what is found can be used together with what that guards. No other
  /// recollection is of the same.
  @unsafe
  package init(_ state: Lock<Recollected>) { self.state = state }

  // What is remembered may keep the box that the lock is in.
  deinit { withExtendedLifetime(changeBegins()) {} }

  /// The generation that something found out from now on belongs to; `nil` while a change is under way,
  /// for it may be seen or not, and be done before what was found out is taken in.
  package var generation: Int? {
    state.withLock { $0.changesUnderWay == 0 ? $0.generation : nil }
  }

  /// The mutex that is locked for what follows.
  @inline(__always)
  var mutexAddress: UnsafeMutablePointer<Mutex> { unsafe state.address }

  /// What was found out, kept for as long as the mutex is held. No reference is counted.
  @inline(__always)
  package func element(_ key: RecollectionKey, _ held: borrowing HeldMutex) -> Unmanaged<Element>? {
    guard let place = unsafe state.access(held, { unsafe $0[key] }) else { return nil }
    return unsafe .fromOpaque(place)
  }

  /// Takes in what was found out since `generation` was read, if no change has begun meanwhile.
  ///
  /// - Parameters:
  ///   - element: What was found out.
  ///   - key: What it is found by.
  ///   - isElsewhere: True if what it keeps belongs to something else.
  ///   - generation: That of the time before anything was looked at.
  package func keep(
    _ element: Element, for key: RecollectionKey, isElsewhere: Bool = false, since generation: Int
  ) {
    let displaced = state.withLock { state in
      state.generation == generation ? state.keep(element, for: key, isElsewhere) : nil
    }
    withExtendedLifetime(displaced) {}
  }

  package override func changeBegins() -> Any? { state.withLock { $0.changeBegins() } }

  package override func changeBeginsElsewhere() -> Any? {
    state.withLock { $0.changeBeginsElsewhere() }
  }

  package override func changeEnds() {
    state.withLock { $0.changesUnderWay -= 1 }
  }
}

/// What an element is found by: who asks, and for what.
package struct RecollectionKey: Equatable, Sendable {
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

/// What is kept, whatever its type: a debug build looks up a type that is made of another wherever it is named.
package struct Recollected: Sendable {
  private struct Place: Sendable {
    var key = RecollectionKey(asker: 0, subject: 0, type: ObjectIdentifier(Never.self))
    var element: (any AnyObject & Sendable)?
    var generation = 0
    var isElsewhere = false
  }

  private static let placeCount = 32

  private var places: [Place] = []
  fileprivate var generation = 0
  fileprivate var changesUnderWay = 0
  private var countElsewhere = 0

  package init() {}

  /// Where what is kept for a key is.
  @inline(__always)
  fileprivate subscript(key: RecollectionKey) -> UnsafeMutableRawPointer? {
    let place = key.place
    guard place < places.count else { return nil }
    // Once: a debug build copies the whole for each look at a part.
    let found = places[place]
    guard found.key == key, found.generation == generation, let element = found.element else {
      return nil
    }
    return unsafe Unmanaged.passUnretained(element).toOpaque()
  }

  /// Keeps an element, and returns what had its place.
  fileprivate mutating func keep(
    _ element: any AnyObject & Sendable, for key: RecollectionKey, _ isElsewhere: Bool
  ) -> AnyObject? {
    if places.isEmpty { places = Array(repeating: Place(), count: Recollected.placeCount) }
    let displaced = places[key.place]
    if displaced.isElsewhere { countElsewhere -= 1 }
    if isElsewhere { countElsewhere += 1 }
    places[key.place] = Place(
      key: key, element: element, generation: generation, isElsewhere: isElsewhere)
    return displaced.element
  }

  /// Drops everything, and returns it.
  fileprivate mutating func changeBegins() -> Any? {
    generation += 1
    changesUnderWay += 1
    guard !places.isEmpty else { return nil }
    defer { (places, countElsewhere) = ([], 0) }
    return places
  }

  /// Drops what belongs elsewhere, and returns it.
  fileprivate mutating func changeBeginsElsewhere() -> Any? {
    generation += 1
    changesUnderWay += 1
    guard countElsewhere > 0 else { return nil }
    var dropped: [Place] = []
    for place in places.indices where places[place].isElsewhere {
      dropped.append(places[place])
      places[place] = Place()
    }
    countElsewhere = 0
    return dropped
  }
}
