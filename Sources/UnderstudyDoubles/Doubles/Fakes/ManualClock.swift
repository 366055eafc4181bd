// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake clock that stands still until a test moves it.
///
/// A sleeper wakes when the clock passes its deadline, and never before. Sleepers wake in the order
/// of their deadlines. The clock cannot know when the tasks under test have gone to sleep. So wait
/// for them with `sleepers(reach:)` before you advance it.
///
/// ```swift
/// let clock = ManualClock()
/// let reminder = Task { try await clock.sleep(for: .seconds(60)); mailer.send("now") }
/// await clock.sleepers(reach: 1)
/// clock.advance(by: .seconds(60))
/// ```
public struct ManualClock: Clock {
  /// A time of a `ManualClock`, counted from its start.
  public struct Instant: InstantProtocol {
    /// The time since the start of the clock.
    public let offset: Duration

    /// Creates the time that is `offset` after the start of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The time that is `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.advanced(by: duration))
    }

    /// The duration from this time to another one.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one time is before another one.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct State {
    var now: Instant
    /// The time to which the clock is being moved, by any number of tasks.
    var end: Instant
    var sleeping = Waiting<Instant>()
  }

  private let state: Lock<State>
  private let end: LayerEnd

  /// Creates a clock that stands still. A task that still sleeps when its layer ends is a
  /// violation.
  public init(
    now: Instant = Instant(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let state = Lock(State(now: now, end: now))
    self.state = state
    end = LayerEnd.adopt(
      "manual clock", madeAt: CallSite(fileID, filePath, line, column),
      remedy: "Advance the clock, or cancel the task."
    ) { state.withLock { $0.sleeping.waiters.count } }
  }

  /// The time that the clock shows.
  public var now: Instant {
    state.withLock { $0.now }
  }

  /// The clock has no smallest step.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock is moved to `deadline` or past it. The tolerance has no effect.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    end.adoptIfNeeded()
    let woken = await state.wait(at: \.sleeping) { state, id, wake in
      deadline <= state.now ? .passes : state.sleeping.add(id, at: deadline, wake)
    }
    if !woken { throw CancellationError() }
  }

  /// Moves the clock forward and wakes each sleeper whose deadline it passes, the earliest first.
  ///
  /// The clock does not run backwards. A negative duration is an issue, and leaves the clock where
  /// it is.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    guard duration >= .zero else {
      return reportMoveBack(by: duration, at: CallSite(fileID, filePath, line, column))
    }
    move { $0 = $0.advanced(by: duration) }
  }

  /// Moves the clock to a time and wakes each sleeper whose deadline it passes, the earliest first.
  ///
  /// The clock does not run backwards. An earlier time is an issue, and leaves the clock where it
  /// is.
  public func advance(
    to instant: Instant, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let moveBack = state.withLock { state -> Duration? in
      instant < state.now ? state.now.duration(to: instant) : nil
    }
    if let moveBack {
      return reportMoveBack(by: moveBack, at: CallSite(fileID, filePath, line, column))
    }
    move { $0 = max($0, instant) }
  }

  private func reportMoveBack(by duration: Duration, at callSite: CallSite) {
    end.report(
      Message(
        "A manual clock cannot be moved back.",
        facts: [Message.Fact("Moved by", "\(duration)"), Message.Fact("Moved at", "\(callSite)")],
        remedies: ["Move it forward, or make a new clock. A ManualDate can travel back."]),
      at: callSite)
  }

  /// The earliest deadline of the sleeping tasks.
  public var nextDeadline: Instant? {
    state.withLock { state in state.sleeping.waiters.map(\.place).min() }
  }

  /// The number of sleeping tasks.
  public var sleeperCount: Int {
    state.withLock { $0.sleeping.waiters.count }
  }

  /// Waits until `count` tasks sleep. Nothing polls.
  ///
  /// - Returns: `false` if the task was cancelled first. It has no limit of its own: give the test
  ///   `.timeLimit`.
  @discardableResult
  public func sleepers(reach count: Int) async -> Bool {
    await state.wait(until: \.sleeping, reaches: count)
  }

  /// Sets a new end, and moves the clock to it.
  private func move(_ setting: (inout Instant) -> Void) {
    state.withLock { setting(&$0.end) }
    while let due = step() {
      for wake in due { wake.resume(returning: true) }
    }
  }

  /// Moves the clock to the next deadline, or to the end. Returns `nil` once it is at the end.
  private func step() -> [Waiting<Instant>.Wake]? {
    state.withLock { state in
      let next = state.sleeping.waiters.map(\.place).min().map { min($0, state.end) } ?? state.end
      guard next > state.now else { return nil }
      state.now = next
      return state.sleeping.take { $0 <= next }
    }
  }
}
