// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
internal import UnderstudyDoubles

/// Starts work that the caller does not wait for.
///
/// The work sees the caller's doubles. Work that still runs when its layer ends is a violation, so
/// let your test wait for it:
///
/// ```swift
/// checkout.confirm()
/// await resolver.resolve(\.fireAndForget).finished()
/// ```
public final class BackgroundWork: Sendable {
  private struct State {
    var running: Set<Int> = []
    var nextID = 0
    var waiting = Waiting<Void>()
  }

  private let state = Lock(State())

  /// Creates an object without work.
  public init() {}

  /// Starts work in a task of its own, which no cancellation reaches.
  public func callAsFunction(
    priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.running.insert(state.nextID)
      return state.nextID
    }
    report(id, startedAt: CallSite(fileID, filePath, line, column))
    // The context of the instance in creation, if there is one, is that of its owner.
    let carried = OverrideContext.current.wrap(work)
    Task(priority: priority) {
      await carried()
      end(id)
    }
  }

  /// The number of running pieces of work.
  public var runningCount: Int { state.withLock { $0.running.count } }

  /// Waits until all started work has ended, also work that starts meanwhile.
  ///
  /// Do not wait in the started work itself: it would wait for its own end.
  ///
  /// - Returns: `false` if the task was cancelled first.
  @discardableResult
  public func finished() async -> Bool {
    await state.wait(at: \.waiting) { state, id, wake in
      state.running.isEmpty ? .passes : state.waiting.add(id, at: (), wake)
    }
  }

  private func end(_ id: Int) {
    let waiting = state.withLock { state in
      state.running.remove(id)
      return state.running.isEmpty ? state.waiting.take { _ in true } : []
    }
    for wake in waiting { wake.resume(returning: true) }
  }

  /// Lets the layer of a test check at its end whether the work still runs.
  private func report(_ id: Int, startedAt callSite: CallSite) {
    // Other layers, for example of a process, may never end and would collect the checks.
    guard OverrideLayer.current?.test != nil else { return }
    LayerEnd.adopt { [state] in
      guard state.withLock({ $0.running.contains(id) }) else { return [] }
      return [
        Violation(
          Message(
            "Work that was started under the layer still runs at its end.",
            facts: [Message.Fact("Started at", "\(callSite)")],
            remedies: ["Wait for it:  await resolver.resolve(\\.fireAndForget).finished()"]),
          at: callSite)
      ]
    }
  }
}

extension Dependencies {
  /// Starts work that the caller does not wait for, and that a test can wait for.
  public static var fireAndForget: Dependency<BackgroundWork> { declaredBackgroundWork }
}

private let declaredBackgroundWork = Dependency<BackgroundWork>(
  lifecycle: .cached, function: "fireAndForget"
) {
  BackgroundWork()
}
