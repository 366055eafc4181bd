// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An instance that is being made to be kept, while others may wait for it.
///
/// What changes during a flight is changed by `FlightBoard` alone, under its lock; but for the latch, which the first
/// who waits makes, and what the tracker collects.
final class Flight: Sendable {
  let registration: AnyRegistration
  /// The innermost layer that the maker sees.
  let top: OverrideLayer?
  private let state: Lock<State>

  /// With what its tracker collects, which has no lock of its own.
  private struct State {
    var collected = DependencyTracker.Collected()
    var owner: OverrideLayer?
    var store: RegistrationStore
    /// Made for the first who waits.
    var latch: Latch?
    var hasLanded = false
    var blockedOn: [Flight] = []
  }

  init(
    of registration: AnyRegistration, under top: OverrideLayer?, ownedBy owner: OverrideLayer?,
    in store: RegistrationStore
  ) {
    self.registration = registration
    self.top = top
    state = Lock(State(owner: owner, store: store))
  }

  /// The layer that would own the instance if nothing else contributed; `nil` for production.
  var owner: OverrideLayer? { state.withLock { $0.owner } }

  /// Where the instance would be kept.
  var store: RegistrationStore { state.withLock { $0.store } }

  /// What those who want the instance wait on, made for the first of them; open, or `nil`, once nobody need wait.
  func latchOfWaiters() -> Latch? {
    state.withLock { state in
      if state.latch == nil, !state.hasLanded { state.latch = Latch() }
      return state.latch
    }
  }

  /// Says that nobody need wait from now on, and returns the latch of those who do.
  func land() -> Latch? {
    state.withLock { state in
      state.hasLanded = true
      return state.latch
    }
  }

  /// The flights that this one cannot end before.
  var blockedOn: [Flight] { state.withLock { $0.blockedOn.map(\.self) } }

  /// True if a layer is among those that the maker sees.
  func canBeOwned(by layer: OverrideLayer) -> Bool {
    top?.stack.contains { $0 === layer } ?? false
  }

  /// Uses what the tracker of the flight has collected, under the lock.
  func withCollected<Result>(
    _ body: (inout DependencyTracker.Collected) -> Result
  ) -> Result {
    state.withLock { body(&$0.collected) }
  }

  func block(on other: Flight) {
    state.withLock { $0.blockedOn.append(other) }
  }

  func unblock(from other: Flight) {
    state.withLock { state in
      guard let index = state.blockedOn.firstIndex(where: { $0 === other }) else { return }
      state.blockedOn.remove(at: index)
    }
  }

  /// Moves to a layer and returns the latch of those that waited where it was.
  func move(to layer: OverrideLayer) -> Latch? {
    state.withLock { state in
      defer {
        state.owner = layer
        state.store = layer.store
        state.latch = nil
      }
      return state.latch
    }
  }

  /// The flights from this one to another, each blocked on the next, or `nil` if it does not depend
  /// on it.
  func route(to target: Flight) -> [Flight]? {
    var seen: Set<ObjectIdentifier> = []
    var routes = [[self]]
    while let route = routes.popLast(), let last = route.last {
      if last === target { return route }
      guard seen.insert(ObjectIdentifier(last)).inserted else { continue }
      routes += last.blockedOn.map { route + [$0] }
    }
    return nil
  }
}
