// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Dispatch
internal import Foundation
public import Understudy
public import UnderstudyDoubles

/// Runs work later. The work sees the caller's doubles.
///
/// ```swift
/// @Inject(\.mainQueue) var mainQueue
/// mainQueue.schedule(after: .seconds(1)) { Task { @MainActor in banner.hide() } }
/// ```
///
/// Work for the main actor starts a task, as above. In a test, the work runs on the thread that
/// advances the scheduler. If that is another one, `MainActor.assumeIsolated` ends the process.
public protocol Scheduling: Sendable {
  /// Runs work after a while.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

extension Scheduling {
  /// Runs work at the next opportunity.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    schedule(after: .zero, work)
  }
}

/// Runs work on a dispatch queue.
public struct QueueScheduler: Scheduling {
  private let queue: DispatchQueue

  /// Makes a scheduler of a queue.
  public init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  /// Runs work on the queue after a while.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    guard delay > .zero else { return queue.asyncCarrying(execute: work) }
    queue.asyncCarrying(after: delay, execute: work)
  }
}

/// Runs work at once, in the call that schedules it.
///
/// Work that always schedules itself again would never return. The hundredth piece of work within
/// another is an issue of the test, and does not run. Use a `ManualScheduler` for such work.
public struct ImmediateScheduler: Scheduling {
  // Each takes a part of the thread's stack.
  private static let deepest = 100
  private static let depth = "understudy.immediate.depth"

  /// Makes the scheduler.
  public init() {}

  /// Runs work at once.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let thread = Thread.current.threadDictionary
    let depth = thread[Self.depth] as? Int ?? 0
    guard depth < Self.deepest else { return reportLoop() }
    thread[Self.depth] = depth + 1
    defer { thread[Self.depth] = depth }
    work()
  }

  private func reportLoop() {
    LayerEnd.adopt().report(
      Message(
        "Work schedules itself again and again on an immediate scheduler.",
        facts: [Message.Fact("Within each other", "\(Self.deepest) pieces of work")],
        remedies: ["Decide when it runs:  .manual(), and 'advance(by:)'"]),
      at: OverrideLayer.current?.callSite ?? .unknown)
  }
}

/// Runs work when the test says that its time has come.
///
/// Work that has not run when its layer ends is a violation.
///
/// A scheduler on a `ManualClock` shares its time: `ManualScheduler(on: clock)`. A move of either
/// runs the work and wakes the sleepers, in the order of their times.
public struct ManualScheduler: Scheduling {
  /// The clock has the work of all schedulers on it.
  private let clock: ManualClock
  private let number = ManualClock.makeSchedulerNumber()
  private let end: LayerEnd

  /// Makes a scheduler on which nothing runs yet.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.init(
      on: ManualClock(fileID: fileID, filePath: filePath, line: line, column: column),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a scheduler on which nothing runs yet, with the time of a clock.
  ///
  /// - Parameter clock: The clock. If it is moved, the work that is due runs on the thread that
  ///   moves it.
  public init(
    on clock: ManualClock, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let madeAt = CallSite(fileID, filePath, line, column)
    self.clock = clock
    end = LayerEnd.adopt { [number] in
      let count = clock.releaseWork(of: number)
      guard count > 0 else { return [] }
      return [
        Violation(
          Message(
            count == 1
              ? "1 piece of scheduled work never ran."
              : "\(count) pieces of scheduled work never ran.",
            facts: [Message.Fact("Scheduler", "made at \(madeAt)")],
            remedies: ["Advance the scheduler, or use '.immediate'."]),
          at: madeAt)
      ]
    }
  }

  /// Keeps work until its time has come.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    end.adoptIfNeeded()
    clock.schedule(after: delay, of: number, OverrideContext.current.wrap(work))
  }

  /// The number of waiting pieces of work.
  public var pendingCount: Int { clock.workCount(of: number) }

  /// Moves the time on, and runs the work that is due on the way, the earliest first. That includes
  /// work which such work schedules. A move by such work is a part of this one. On a clock, this
  /// moves the clock.
  ///
  /// The time does not run backwards. A negative duration is an issue of the test. So is work that
  /// schedules itself again without a delay, a hundred thousand times. It does not run any more.
  public func advance(
    by duration: Duration = .zero, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    guard duration >= .zero else {
      return end.report(
        Message(
          "A manual scheduler cannot be moved back.",
          facts: [
            Message.Fact("Moved by", "\(duration)"), Message.Fact("Moved at", "\(callSite)"),
          ], remedies: ["Move it forward."]),
        at: callSite)
    }
    clock.moveOn(by: duration, at: callSite)
  }
}

extension Scheduling where Self == ImmediateScheduler {
  /// Runs work at once.
  public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

extension Scheduling where Self == ManualScheduler {
  /// Runs work when the test says that its time has come.
  ///
  /// If your test advances the scheduler, create it before the layer:
  /// `let queue = ManualScheduler()`.
  public static func manual(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ManualScheduler {
    ManualScheduler(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Dependencies {
  /// The main queue.
  public static var mainQueue: Dependency<any Scheduling> { declaredMainQueue }
}

private let declaredMainQueue = Dependency<any Scheduling>(
  inTests: .mustBeOverridden, function: "mainQueue"
) {
  QueueScheduler(.main)
}
