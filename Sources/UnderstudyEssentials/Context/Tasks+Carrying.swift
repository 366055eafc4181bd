// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Task where Failure == Never {
  /// Works like `Task.detached`. The work sees the caller's doubles, and nothing else of the
  /// calling task.
  @discardableResult
  public static func detachedCarrying(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let carrying = OverrideContext.current.wrap(operation)
    return detached(priority: priority) { await carrying() }
  }
}

extension Task where Failure == any Error {
  /// Works like `Task.detached`. The work sees the caller's doubles, and nothing else of the
  /// calling task.
  @discardableResult
  public static func detachedCarrying(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let carrying = OverrideContext.current.wrap(operation)
    return detached(priority: priority) { try await carrying() }
  }
}

/// Works like `withTaskCancellationHandler`. The handler sees this caller's doubles, and not those
/// of the canceller.
public func withTaskCancellationHandlerCarrying<Result>(
  operation: () async throws -> Result, onCancel handler: @escaping @Sendable () -> Void
) async rethrows -> Result {
  try await withTaskCancellationHandler(
    operation: operation, onCancel: OverrideContext.current.wrap(handler))
}

extension AsyncStream.Continuation {
  /// Sets `onTermination`. The handler sees the caller's doubles.
  public func onTerminationCarrying(_ handler: @escaping @Sendable (Termination) -> Void) {
    onTermination = OverrideContext.current.wrap(handler)
  }
}

extension AsyncThrowingStream.Continuation {
  /// Sets `onTermination`. The handler sees the caller's doubles.
  public func onTerminationCarrying(_ handler: @escaping @Sendable (Termination) -> Void) {
    onTermination = OverrideContext.current.wrap(handler)
  }
}
