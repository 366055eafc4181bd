// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// Tasks that each wait for a place of their own, such as a deadline, and tasks that wait until
/// there are so many of them.
///
/// This is a pure table. It returns the tasks to wake, and the caller wakes them outside the lock.
package struct Waiting<Place> {
  package typealias Wake = CheckedContinuation<Bool, Never>

  package private(set) var waiters: [(id: UInt64, place: Place, wake: Wake)] = []
  private var watchers: [(id: UInt64, count: Int, wake: Wake)] = []

  package init() {}

  /// Adds a task. Returns the tasks to wake, which have waited for so many.
  @discardableResult
  package mutating func add(_ id: UInt64, at place: Place, _ wake: Wake) -> Admission {
    waiters.append((id, place, wake))
    let count = waiters.count
    defer { watchers.removeAll { $0.count <= count } }
    return .waits(waking: watchers.filter { $0.count <= count }.map(\.wake))
  }

  /// Adds a task that waits until there are `count` others.
  fileprivate mutating func watch(_ id: UInt64, until count: Int, _ wake: Wake) -> Admission {
    if waiters.count >= count { return .passes }
    watchers.append((id, count, wake))
    return .waits()
  }

  package mutating func take(where isDue: (Place) -> Bool) -> [Wake] {
    if waiters.isEmpty { return [] }
    let due = waiters.filter { isDue($0.place) }.map(\.wake)
    if !due.isEmpty { waiters.removeAll { isDue($0.place) } }
    return due
  }

  package mutating func take(_ id: UInt64) -> Wake? {
    if let index = waiters.firstIndex(where: { $0.id == id }) {
      return waiters.remove(at: index).wake
    }
    return watchers.firstIndex { $0.id == id }.map { watchers.remove(at: $0).wake }
  }
}

/// The result for a task that asks to wait.
package enum Admission {
  case passes
  case refuses
  /// The task waits. These tasks have waited for that, and are woken outside the lock.
  case waits(waking: [CheckedContinuation<Bool, Never>] = [])
}

/// The result of a wait for a number of tasks.
enum Arrival {
  case all
  /// The number of tasks that were there at the limit.
  case some(Int)
  case cancelled
}

extension Clock {
  /// Sleeps until a deadline, or until the task is cancelled.
  ///
  /// On a clock of the system, other tasks get a turn after each part, so a busy machine does not
  /// end a wait early. Such a clock cannot sleep for the longest durations at once, either.
  func sleepInTurns(until deadline: Instant) async {
    guard self is ContinuousClock || self is SuspendingClock else {
      try? await sleep(until: deadline, tolerance: nil)
      return
    }
    let part = now.duration(to: deadline) / 20
    for _ in 1...20 { try? await sleep(for: part) }
  }
}

extension Task where Success == Never, Failure == Never {
  /// Cancels the task of the caller.
  static func cancelCaller() {
    // Safety: the task runs this closure, so it lives as long, and is used nowhere else.
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  }
}

extension Lock {
  /// Suspends until a call resumes the waiter that `admit` adds, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - admit: Adds the waiter, or says that it need not wait. Runs under the lock.
  ///   - remove: Removes the waiter. Runs under the lock.
  /// - Returns: The value with which it was resumed, or `false` if the task was cancelled.
  package func wait(
    admit: @Sendable (inout State, UInt64, CheckedContinuation<Bool, Never>) -> Admission,
    remove: @escaping @Sendable (inout State, UInt64) -> CheckedContinuation<Bool, Never>?
  ) async -> Bool {
    let id = Tick.next()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let admission = withLock { state in
          // If the task was cancelled before, the cancellation handler below has found nothing to
          // wake.
          Task.isCancelled ? .refuses : admit(&state, id, wake)
        }
        switch admission {
        case .passes: wake.resume(returning: true)
        case .refuses: wake.resume(returning: false)
        case .waits(let watchers): for watcher in watchers { watcher.resume(returning: true) }
        }
      }
    } onCancel: {
      withLock { remove(&$0, id) }?.resume(returning: false)
    }
  }

  /// The same for a task that `admit` adds to a part of the state.
  package func wait<Place>(
    at waiting: any WritableKeyPath<State, Waiting<Place>> & Sendable,
    admit: @Sendable (inout State, UInt64, CheckedContinuation<Bool, Never>) -> Admission
  ) async -> Bool {
    await wait(admit: admit) { $0[keyPath: waiting].take($1) }
  }

  /// Suspends until `count` tasks wait in a part of the state, or until the limit. Nothing polls.
  func wait<Place>(
    until waiting: any WritableKeyPath<State, Waiting<Place>> & Sendable, reaches count: Int,
    within limit: Duration
  ) async -> Arrival {
    if withLock({ $0[keyPath: waiting].waiters.count >= count }) { return .all }
    let haveAllArrived = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.wait(at: waiting) { $0[keyPath: waiting].watch($1, until: count, $2) }
      }
      group.addTask {
        let clock = ContinuousClock()
        await clock.sleepInTurns(until: clock.now.advanced(by: limit))
        return false
      }
      // Both may have ended, and then the group returns either result first.
      var haveAllArrived = false
      for await result in group {
        haveAllArrived = haveAllArrived || result
        group.cancelAll()
      }
      return haveAllArrived
    }
    if haveAllArrived { return .all }
    return Task.isCancelled ? .cancelled : .some(withLock { $0[keyPath: waiting].waiters.count })
  }
}
