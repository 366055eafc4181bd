// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The tasks that wait until a double has a number of calls.
///
/// This is a pure table. It returns the tasks to wake, and the caller wakes them outside the lock.
struct CallWaiters {
  typealias Wake = CheckedContinuation<Bool, Never>

  private var waiting: [(id: UInt64, target: Int, wake: Wake)] = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ id: UInt64, target: Int, _ wake: Wake) {
    waiting.append((id, target, wake))
  }

  /// Removes and returns the tasks that wait for at most `count` calls.
  mutating func take(reached count: Int) -> [Wake] {
    guard !waiting.isEmpty else { return [] }
    let due = waiting.filter { $0.target <= count }.map(\.wake)
    waiting.removeAll { $0.target <= count }
    return due
  }

  mutating func take(_ id: UInt64) -> Wake? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).wake
  }
}
