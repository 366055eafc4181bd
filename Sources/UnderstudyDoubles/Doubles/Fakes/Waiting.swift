// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Tasks that wait for a place of their own to be passed, such as a deadline.
///
/// A pure table: it says whom to wake, and the caller wakes them outside the lock.
struct Waiting<Place> {
  typealias Wake = CheckedContinuation<Bool, Never>

  private(set) var waiters: [(id: UInt64, place: Place, wake: Wake)] = []

  mutating func add(_ id: UInt64, at place: Place, _ wake: Wake) {
    waiters.append((id, place, wake))
  }

  mutating func take(where isDue: (Place) -> Bool) -> [Wake] {
    let due = waiters.filter { isDue($0.place) }.map(\.wake)
    if !due.isEmpty { waiters.removeAll { isDue($0.place) } }
    return due
  }

  mutating func take(_ id: UInt64) -> Wake? {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
    return waiters.remove(at: index).wake
  }
}
