// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake obstacle: tasks wait at it until it is opened.
///
/// It forces an interleaving without sleeping: a stub waits at the gate until the test has checked
/// the state of the other work.
///
/// ```swift
/// let gate = Gate()
/// double.fetches.does { id in try await gate.wait(); return User(id: id) }
/// ```
public struct Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting = Waiting<Void>()
  }

  private let state = Lock(State())
  private let end: LayerEnd
  private let madeAt: CallSite

  /// Creates a closed gate. A task that still waits at it when its layer ends is a violation.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    madeAt = CallSite(fileID, filePath, line, column)
    end = LayerEnd.adopt(
      "gate", madeAt: madeAt,
      remedy: "Open the gate, or cancel the task."
    ) { [state] in state.withLock { $0.waiting.waiters.count } }
  }

  /// Waits until the gate is open. Returns at once if it is open already.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first. A wait after the end of the
  ///   gate's test is a violation, and cancels the task.
  public func wait() async throws {
    let passed = await end.wait(
      at: \.waiting, of: state, for: (), doing: "waited at a gate", madeAt: madeAt
    ) { $0.isOpen }
    if !passed { throw CancellationError() }
  }

  /// Lets all waiting tasks pass, and all later ones.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      return state.waiting.take { _ in true }
    }
    for wake in waiting { wake.resume(returning: true) }
  }

  /// Makes later tasks wait again.
  public func close() {
    state.withLock { $0.isOpen = false }
  }

  /// The number of tasks that wait at the gate.
  public var waiterCount: Int {
    state.withLock { $0.waiting.waiters.count }
  }

  /// Waits until `count` tasks wait at the gate. Nothing polls.
  ///
  /// Fewer tasks at the timeout are a violation, which says how many there were.
  ///
  /// - Parameters:
  ///   - count: The number of tasks to wait for.
  ///   - timeout: The longest time to wait, by the continuous clock.
  /// - Returns: `true` if there were that many tasks. `false` after the timeout, or if the task is
  ///   cancelled first.
  @discardableResult
  public func waiters(
    reach count: Int, within timeout: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async -> Bool {
    end.judge(
      await state.wait(until: \.waiting, reaches: count, within: timeout),
      of: WaitForTasks(
        count: count, limit: timeout, verbs: ("waits", "wait"), place: "at the gate",
        remedies: ["Start the tasks that call 'wait()' before you wait for them."], madeAt: madeAt,
        callSite: CallSite(fileID, filePath, line, column)))
  }
}
