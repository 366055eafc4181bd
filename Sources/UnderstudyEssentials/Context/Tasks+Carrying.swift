// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Task where Failure == Never {
  /// As `Task.detached`; the work sees the doubles that the caller sees, and nothing else of the
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
  /// As `Task.detached`; the work sees the doubles that the caller sees, and nothing else of the
  /// calling task.
  @discardableResult
  public static func detachedCarrying(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let carrying = OverrideContext.current.wrap(operation)
    return detached(priority: priority) { try await carrying() }
  }
}

/// As `withTaskCancellationHandler`; the handler sees the doubles that this caller sees, and not
/// those of the canceller.
public func withTaskCancellationHandlerCarrying<Result>(
  operation: () async throws -> Result, onCancel handler: @escaping @Sendable () -> Void
) async rethrows -> Result {
  try await withTaskCancellationHandler(
    operation: operation, onCancel: OverrideContext.current.wrap(handler))
}

extension AsyncStream.Continuation {
  /// As setting `onTermination`; the handler sees the doubles that the caller sees.
  public func onTerminationCarrying(_ handler: @escaping @Sendable (Termination) -> Void) {
    onTermination = OverrideContext.current.wrap(handler)
  }
}

extension AsyncThrowingStream.Continuation {
  /// As setting `onTermination`; the handler sees the doubles that the caller sees.
  public func onTerminationCarrying(_ handler: @escaping @Sendable (Termination) -> Void) {
    onTermination = OverrideContext.current.wrap(handler)
  }
}
