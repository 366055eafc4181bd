// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Every instance of the process that is being made to be kept: single-flight, and no deadlock.
///
/// The board decides under one lock and acts outside. It is asked only when no cache can answer.
/// Blocks never run under it.
final class FlightBoard: Sendable {
  static let shared = FlightBoard()

  private struct Place: Hashable {
    let registration: ObjectIdentifier
    let store: ObjectIdentifier

    init(_ registration: AnyRegistration, _ store: RegistrationStore) {
      self.registration = ObjectIdentifier(registration)
      self.store = ObjectIdentifier(store)
    }
  }

  private let flights = Lock<[Place: Flight]>([:])

  /// What a caller that found no usable instance does next.
  enum Turn {
    /// Look again: what was looked at has changed.
    case lookAgain
    /// Make it; others wait.
    case lead
    /// Wait for the one who makes it, then look again.
    case wait(Flight)
    /// Waiting would never end: who is made waits for what the caller makes.
    case cycle([Flight])
    /// Make it for itself: waiting would never end, but only because another task, with other
    /// overrides, is in between.
    case leadAlone
  }

  /// Takes a turn for a flight that is wanted.
  ///
  /// - Parameters:
  ///   - flight: What the caller would make.
  ///   - scan: The caches that the caller looked at, and what it saw there.
  ///   - requester: The flight on whose behalf the caller asks, if there is one.
  ///   - isCurrent: False if the registration is gone; asked under the lock, and runs no user code.
  /// - Returns: What the caller does next.
  func take(
    _ flight: Flight, after scan: [CacheScan.Entry], for requester: Flight?, isCurrent: () -> Bool
  ) -> Turn {
    flights.withLock { flights in
      for entry in scan {
        if let other = flights[Place(flight.registration, entry.store)] {
          return wait(for: other, by: requester, wanting: flight)
        }
        guard entry.isCurrent(of: flight.registration) else { return .lookAgain }
      }
      guard isCurrent() else { return .lookAgain }
      flights[Place(flight.registration, flight.store)] = flight
      requester?.block(on: flight)
      return .lead
    }
  }

  /// Keeps an instance that nobody has to make, unless one is there, or somebody is making one.
  ///
  /// - Parameters:
  ///   - instance: What is kept.
  ///   - registration: Whose it is.
  ///   - store: Where it is kept; one that is closed keeps nothing.
  ///   - isCurrent: False if the registration is gone; asked under the lock, and runs no user code.
  /// - Returns: `lead` if the value is the caller's to hand out.
  func hold(
    _ instance: AnyInstance, of registration: AnyRegistration, in store: RegistrationStore,
    isCurrent: () -> Bool
  ) -> Turn {
    flights.withLock { flights in
      if !flights.isEmpty, let other = flights[Place(registration, store)] { return .wait(other) }
      // In this order: who claims a registration lets go of its instance after that. And nobody else keeps one here
      // now, since that is done under the lock.
      guard store.keeps(nil, of: registration), isCurrent() else { return .lookAgain }
      _ = store.keep(instance, of: registration)
      return .lead
    }
  }

  private func wait(for other: Flight, by requester: Flight?, wanting wanted: Flight) -> Turn {
    guard let requester else { return .wait(other) }
    guard let route = other.route(to: requester) else {
      requester.block(on: other)
      return .wait(other)
    }
    guard !route.allSatisfy({ $0.top === requester.top }) else { return .cycle(route) }
    requester.block(on: wanted)
    return .leadAlone
  }

  /// Moves a flight inwards, to a layer that turned out to have a part in it (O5).
  func raise(_ flight: Flight, to layer: OverrideLayer) {
    let latch: Latch? = flights.withLock { flights in
      guard (flight.owner?.level ?? 0) < layer.level else { return nil }
      let old = Place(flight.registration, flight.store)
      let wasListed = flights[old] === flight
      if wasListed { flights[old] = nil }
      let latch = flight.move(to: layer)
      let new = Place(flight.registration, layer.store)
      if wasListed, flights[new] == nil { flights[new] = flight }
      return latch
    }
    latch?.open()
  }

  /// Ends a flight, keeps what it made, and lets those who wait look again.
  func land(_ flight: Flight, with instance: AnyInstance?, for requester: Flight?) {
    let (latch, store, replaced) = flights.withLock { flights in
      let place = Place(flight.registration, flight.store)
      if flights[place] === flight { flights[place] = nil }
      requester?.unblock(from: flight)
      let store = flight.store
      let replaced = instance.flatMap { store.keep($0, of: flight.registration) }
      return (flight.land(), store, replaced)
    }
    latch?.open()
    // What was held weakly is remembered by nobody.
    if let replaced, flight.registration.retention == .strong { store.letGo(of: replaced) }
    withExtendedLifetime(replaced) {}
  }
}
