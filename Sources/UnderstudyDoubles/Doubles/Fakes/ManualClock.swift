// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

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
///
/// A `ManualDate` can follow the clock, and a `ManualScheduler` can run on it. Then all of them
/// show one time.
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
      offset.distance(to: other.offset)
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
    /// The work of schedulers, in the order of their times, and then of scheduling.
    var work: [ScheduledWork] = []
  }

  /// Work of a scheduler, which runs when the clock reaches its time.
  private struct ScheduledWork {
    let due: Instant
    let scheduler: UInt64
    let run: @Sendable () -> Void
  }

  /// The number of pieces of work that may run at one time.
  private static let patience = 100_000

  private let state: Lock<State>
  private let end: LayerEnd
  private let madeAt: CallSite

  /// Creates a clock that stands still. A task that still sleeps when its layer ends is a
  /// violation.
  public init(
    now: Instant = Instant(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let state = Lock(State(now: now, end: now))
    self.state = state
    madeAt = CallSite(fileID, filePath, line, column)
    end = LayerEnd.adopt(
      "manual clock", madeAt: madeAt,
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
  /// - Throws: `CancellationError` if the task is cancelled first. A sleep after the end of the
  ///   clock's test is a violation, and cancels the task.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let woken = await end.wait(
      at: \.sleeping, of: state, for: deadline,
      doing: "slept on a manual clock", madeAt: madeAt
    ) { deadline <= $0.now }
    if !woken { throw CancellationError() }
  }

  /// Moves the clock forward and wakes each sleeper whose deadline it passes, the earliest first.
  ///
  /// A move by work that this move runs goes on from the end of this one. A move of a scheduler by
  /// such work is a part of this one.
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
    move(at: CallSite(fileID, filePath, line, column)) { $0 = $0.advanced(by: duration) }
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
    move(at: CallSite(fileID, filePath, line, column)) { $0 = max($0, instant) }
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
  /// Fewer tasks at the timeout are a violation, which says how many there were.
  ///
  /// - Parameters:
  ///   - count: The number of tasks to wait for.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many tasks. `false` after the timeout, or if the task is
  ///   cancelled first.
  @discardableResult
  public func sleepers(
    reach count: Int, within timeout: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async -> Bool {
    await sleepers(count, timeout, CallSite(fileID, filePath, line, column))
  }

  /// Moves the clock forward by a duration, from deadline to deadline. Before each move, waits
  /// until `count` tasks sleep.
  ///
  /// Use it for tasks that sleep again and again, such as a timer: each of their sleeps ends at its
  /// own deadline, and each task has gone to sleep again before the clock moves on. It also waits
  /// for that after the last move. So the work of the last tick is done when it returns.
  ///
  /// ```swift
  /// await clock.run(for: .seconds(5), sleepers: 1)  // five ticks of one second
  /// ```
  ///
  /// A task that does not sleep again, because it has ended, is missing at the next wait. Move the
  /// clock over its last deadline with `advance(by:)`.
  ///
  /// - Parameters:
  ///   - duration: The time by which the clock moves. A negative duration is an issue.
  ///   - count: The number of tasks that sleep whenever all of them wait for the clock.
  ///   - timeout: The longest time for each wait, by the continuous clock. Fewer tasks by then are
  ///     a violation, and leave the clock where it is.
  /// - Returns: `true` if the clock has reached the end. `false` after the timeout, or if the task
  ///   is cancelled.
  @discardableResult
  public func run(
    for duration: Duration, sleepers count: Int, within timeout: Duration = .seconds(10),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async -> Bool {
    let callSite = CallSite(fileID, filePath, line, column)
    guard duration >= .zero else {
      reportMoveBack(by: duration, at: callSite)
      return false
    }
    let end = now.advanced(by: duration)
    let remedy = "Move the clock over the last sleep of a task that ends:  advance(by:)"
    while await sleepers(count, timeout, callSite, remedies: [remedy]) {
      // The wait does not suspend, and so does not see it, if enough tasks sleep already.
      if Task.isCancelled { return false }
      let next = state.withLock { state -> Instant? in
        // A sleeper may have been cancelled since the wait.
        guard state.sleeping.waiters.count >= count else { return nil }
        return state.sleeping.waiters.map(\.place).min().map { min($0, end) } ?? end
      }
      guard let next else { continue }
      if now >= end { return true }
      move(at: callSite) { $0 = max($0, next) }
    }
    return false
  }

  private func sleepers(
    _ count: Int, _ timeout: Duration, _ callSite: CallSite, remedies: [String] = []
  ) async -> Bool {
    let arrival = await state.wait(until: \.sleeping, reaches: count, within: timeout)
    return end.judge(
      arrival,
      of: WaitForTasks(
        count: count, limit: timeout, verbs: ("sleeps", "sleep"), place: "on the manual clock",
        remedies: ["Start the tasks that sleep, with this clock, before you wait for them."]
          + remedies,
        madeAt: madeAt, callSite: callSite, facts: [Message.Fact("Clock", "\(now.offset)")]))
  }

  /// Sets a new end, and moves the clock to it.
  private func move(at callSite: CallSite, _ setting: (inout Instant) -> Void) {
    state.withLock { setting(&$0.end) }
    move(until: nil, at: callSite)
  }

  /// Moves the clock to a time, or to the end, which other tasks may move. Wakes the sleepers and
  /// runs the work on the way.
  private func move(until target: Instant?, at callSite: CallSite) {
    var (count, time): (Int, Instant?) = (0, nil)
    while let (woken, work) = step(until: target) {
      for wake in woken { wake.resume(returning: true) }
      guard let work else { continue }
      count = work.due == time ? count + 1 : 1
      time = work.due
      guard count <= ManualClock.patience else { return reportLoop(at: callSite) }
      work.run()
    }
  }

  /// Moves the clock to the next deadline, to the next work, or to the target. Returns `nil` once
  /// it is there and no work is due.
  private func step(until target: Instant?) -> (woken: [Waiting<Instant>.Wake], ScheduledWork?)? {
    state.withLock { state in
      let target = target ?? state.end
      let deadline = state.sleeping.waiters.map(\.place).min() ?? target
      let next = max(min(deadline, state.work.first?.due ?? target, target), state.now)
      let isWorkDue = state.work.first.map { $0.due <= next } ?? false
      guard next > state.now || isWorkDue else { return nil }
      state.now = next
      state.end = max(state.end, next)
      return (
        state.sleeping.take { $0 <= next }, isWorkDue ? state.work.removeFirst() : nil
      )
    }
  }

  private func reportLoop(at callSite: CallSite) {
    end.report(
      Message(
        "Work schedules itself again and again without a delay.",
        facts: [
          Message.Fact("At one time", "\(Self.patience) pieces of work"),
          Message.Fact("Moved at", "\(callSite)"),
        ], remedies: ["Give it a delay:  schedule(after:)"]),
      at: callSite)
  }
}

// The work of schedulers. Each has a number of its own.
extension ManualClock {
  /// A number for a new scheduler.
  package static func makeSchedulerNumber() -> UInt64 { Tick.next() }

  /// Keeps work until the clock reaches its time.
  package func schedule(
    after delay: Duration, of scheduler: UInt64, _ work: @escaping @Sendable () -> Void
  ) {
    end.adoptIfNeeded()
    state.withLock { state in
      let due = state.now.advanced(by: max(delay, .zero))
      // Most work is due after the work that was scheduled before it.
      let index = state.work.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
      state.work.insert(ScheduledWork(due: due, scheduler: scheduler, run: work), at: index)
    }
  }

  /// The number of pieces of work that wait.
  package func workCount(of scheduler: UInt64) -> Int {
    state.withLock { $0.work.count { $0.scheduler == scheduler } }
  }

  /// Releases the work that waits.
  ///
  /// - Returns: The number of pieces of work.
  package func releaseWork(of scheduler: UInt64) -> Int {
    // Work may retain its scheduler, and its deinit is user code.
    let released = state.withLock { state in
      let released = state.work.filter { $0.scheduler == scheduler }
      state.work.removeAll { $0.scheduler == scheduler }
      return released
    }
    return released.count
  }

  /// Moves the clock on from its present time. Within a move, this is a part of it.
  package func moveOn(by duration: Duration, at callSite: CallSite) {
    move(until: now.advanced(by: duration), at: callSite)
  }
}
