// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake clock on which no task waits: a sleep moves the clock to its deadline and returns.
///
/// Copies share one time. Use it where the code under test only has to get past its delays. Use `ManualClock` where the
/// test looks at what happens between them.
public struct ImmediateClock: Clock {
  /// A time of an `ImmediateClock`: how long after its start.
  public typealias Instant = ManualClock.Instant

  private let state: Lock<Instant>

  /// Makes a clock that shows `now`.
  public init(now: Instant = Instant()) {
    state = Lock(now)
  }

  /// The time it shows: the latest deadline that a task slept until.
  public var now: Instant { state.withLock { $0 } }

  /// Any step can be told.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to `deadline` and returns; the tolerance has no effect. Other tasks get a turn first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
