// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// An asynchronous block that is being run by the calling task or a parent of it.
///
/// What `Construction` is for a thread, for a task: found through a task-local. An unstructured task
/// inherits it and may outlive the block; it is ignored once the block has ended. A context carries
/// it to other tasks; there it is ignored once what is being made is made.
final class AsyncConstruction: Sendable {
  let registration: AnyRegistration
  let tracker: DependencyTracker?
  let order: Int
  let outer: AsyncConstruction?
  let depth: Int

  /// True if the block itself is run by somebody else, who does not close this.
  private let isCarried: Bool
  private let isOpen = Atomic<Bool>(true)

  @TaskLocal static var bound: AsyncConstruction?

  /// How many are alive: one relaxed load stands before the task-local read.
  private static let liveCount = Atomic<Int>(0)

  /// The innermost asynchronous block that the calling task runs.
  @inline(__always)
  static var current: AsyncConstruction? {
    liveCount.load(ordering: .relaxed) == 0 ? nil : innermost
  }

  /// The same without a reference counted.
  ///
  /// Safety: the task that runs it holds it, as long as anything runs within it.
  @inline(__always)
  static var unmanagedCurrent: Unmanaged<AsyncConstruction>? {
    unsafe liveCount.load(ordering: .relaxed) == 0
      ? nil : innermost.map { unsafe .passUnretained($0) }
  }

  @inline(never)
  private static var innermost: AsyncConstruction? {
    var candidate = bound
    while let next = candidate, !next.isRunning { candidate = next.outer }
    return candidate
  }

  private var isRunning: Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    return !isCarried || tracker?.isOpen ?? false
  }

  convenience init(
    _ registration: AnyRegistration, tracker: DependencyTracker?, order: Int,
    isCarried: Bool = false
  ) {
    self.init(
      registration, tracker: tracker, order: order, isCarried: isCarried,
      within: AsyncConstruction.current)
  }

  init(
    _ registration: AnyRegistration, tracker: DependencyTracker?, order: Int,
    isCarried: Bool = false, within outer: AsyncConstruction?
  ) {
    self.registration = registration
    self.tracker = tracker
    self.order = order
    self.isCarried = isCarried
    self.outer = outer
    depth = (outer?.depth ?? 0) + 1
    AsyncConstruction.liveCount.add(1, ordering: .relaxed)
  }

  deinit {
    AsyncConstruction.liveCount.subtract(1, ordering: .relaxed)
  }

  /// True if the block of a registration, whose address this is, is this one or led to it.
  func isMaking(_ candidate: UInt) -> Bool {
    if UInt(bitPattern: ObjectIdentifier(registration)) == candidate { return true }
    return outer?.isMaking(candidate) ?? false
  }

  /// Says that the block has ended.
  func close() {
    isOpen.store(false, ordering: .releasing)
  }
}
