// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// An asynchronous block that is being run by the calling task or a parent of it.
///
/// What `Construction` is for a thread, for a task: found through a task-local. An unstructured task
/// inherits it and may outlive the block; it is ignored once the block has ended.
final class AsyncConstruction: Sendable {
  let registration: AnyRegistration
  let tracker: DependencyTracker?
  let order: Int
  let outer: AsyncConstruction?
  let depth: Int

  private let isOpen = Atomic<Bool>(true)

  @TaskLocal static var bound: AsyncConstruction?

  /// How many are alive: one relaxed load stands before the task-local read.
  private static let liveCount = Atomic<Int>(0)

  /// The innermost asynchronous block that the calling task runs.
  static var current: AsyncConstruction? {
    guard liveCount.load(ordering: .relaxed) != 0 else { return nil }
    var candidate = bound
    while let next = candidate, !next.isOpen.load(ordering: .acquiring) { candidate = next.outer }
    return candidate
  }

  init(_ registration: AnyRegistration, tracker: DependencyTracker?, order: Int) {
    self.registration = registration
    self.tracker = tracker
    self.order = order
    outer = AsyncConstruction.current
    depth = (outer?.depth ?? 0) + 1
    AsyncConstruction.liveCount.add(1, ordering: .relaxed)
  }

  deinit {
    AsyncConstruction.liveCount.subtract(1, ordering: .relaxed)
  }

  /// Says that the block has ended.
  func close() {
    isOpen.store(false, ordering: .releasing)
  }
}
