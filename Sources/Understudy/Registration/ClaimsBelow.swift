// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of stores below that were claimed under a boundary: they are gone there and
/// nowhere else.
///
/// None is kept alive, so a million one-time arguments leave nothing behind; and none is taken for a
/// later one at its address, since what is noted at an address is either gone or the one asked about.
struct ClaimsBelow: Sendable {
  private struct Claim {
    let number: Int
    let registration: WeakReference<AnyRegistration>
  }

  private struct State {
    var claims: [ObjectIdentifier: Claim] = [:]
    var lastNumber = 0
    /// How many claims there may be before those of registrations that are gone are dropped.
    var limit = 64
  }

  private let state = Lock(State())

  func contains(_ registration: AnyRegistration) -> Bool {
    state.withLock { $0.claims[ObjectIdentifier(registration)]?.registration.object != nil }
  }

  /// Claims a registration; of many callers exactly one gets `true`.
  ///
  /// - Complexity: O(1) amortised.
  func insert(_ registration: AnyRegistration) -> Bool {
    let (isNew, isFull) = state.withLock { state in
      let id = ObjectIdentifier(registration)
      guard state.claims[id]?.registration.object == nil else { return (false, false) }
      state.lastNumber += 1
      state.claims[id] = Claim(
        number: state.lastNumber, registration: WeakReference(registration))
      return (true, state.claims.count > state.limit)
    }
    if isFull { dropGone() }
    return isNew
  }

  func remove(_ registration: AnyRegistration) {
    state.withLock { _ = $0.claims.removeValue(forKey: ObjectIdentifier(registration)) }
  }

  func removeAll() {
    state.withLock { $0.claims = [:] }
  }

  /// How many claims are noted, also of registrations that are gone.
  var count: Int { state.withLock { $0.claims.count } }

  /// Looks at the registrations outside the lock: whoever looks may be the last to let go of one.
  private func dropGone() {
    let gone = state.withLock { Array($0.claims) }.filter { $0.value.registration.object == nil }
    state.withLock { state in
      for (id, claim) in gone where state.claims[id]?.number == claim.number {
        state.claims[id] = nil
      }
      state.limit = max(64, 2 * state.claims.count)
    }
  }
}
