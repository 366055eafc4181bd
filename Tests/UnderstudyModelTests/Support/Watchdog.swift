// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy

/// The current work of every worker of a test.
final class Activity: Sendable {
  @TaskLocal static var worker: Int?

  private let paths: Lock<[Int: [String]]> = Lock([:])

  init() {}

  func enter(_ name: String) {
    guard let worker = Activity.worker else { return }
    paths.withLock { $0[worker, default: []].append(name) }
  }

  func leave() {
    guard let worker = Activity.worker else { return }
    paths.withLock { _ = $0[worker]?.popLast() }
  }

  /// A line for each worker with the keys that it resolves, outermost first.
  var description: String {
    let paths = paths.withLock { $0 }
    return paths.sorted { $0.key < $1.key }
      .map {
        "  worker \($0.key): \($0.value.isEmpty ? "idle" : $0.value.joined(separator: " → "))"
      }
      .joined(separator: "\n")
  }
}

/// Ends the process, with a report of every worker's current work, if a test does not end in time.
///
/// No code can end a thread that waits, so a hang cannot be reported in another way.
final class Watchdog: Sendable {
  private let condition = NSCondition()
  private let isDone = Lock(false)

  init(_ name: String, limit: Duration, _ activity: Activity) {
    let deadline = Date(timeIntervalSinceNow: TimeInterval(limit.components.seconds))
    let thread = Thread { [self] in
      condition.lock()
      defer { condition.unlock() }
      while !isDone.withLock({ $0 }) {
        if !condition.wait(until: deadline) {
          fatalError("\n\(name): not done after \(limit).\n\(activity.description)\n")
        }
      }
    }
    thread.start()
  }

  /// Called when the test has ended.
  func callOff() {
    condition.lock()
    isDone.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }
}
