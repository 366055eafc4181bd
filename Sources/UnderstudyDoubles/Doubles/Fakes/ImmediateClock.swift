// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake clock on which every sleep ends at once and moves the time to its deadline.
///
/// Use it for code that sleeps if your test does not depend on the time. Use `ManualClock` if your
/// test decides when a sleep ends.
///
/// ```swift
/// let clock = ImmediateClock()
/// try await clock.sleep(for: .seconds(60))  // returns at once
/// clock.now.offset  // 60 seconds
/// ```
public struct ImmediateClock: Clock {
  /// A time of an `ImmediateClock`: how long after its start.
  public typealias Instant = ManualClock.Instant

  private let state: Lock<Instant>

  /// Creates a clock that shows `now`.
  public init(now: Instant = Instant()) {
    state = Lock(now)
  }

  /// The latest deadline of a sleep so far.
  public var now: Instant { state.withLock { $0 } }

  /// The clock has no smallest step.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to `deadline`, unless it is past it, and returns. The tolerance has no effect.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline) }
    // Lets another task run, as during a real sleep.
    await Task.yield()
  }
}
