// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TaskLocal {
  /// Runs `operation` with a value bound. It stays on the caller's actor, even after it suspends.
  ///
  /// `withValue` by itself takes an operation that is not isolated: called from a function that
  /// runs on its caller's actor, it would leave that actor.
  func binding<Result>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(
      value,
      operation: {
        // A closure that captures the isolated parameter has its isolation.
        _ = isolation
        return try await operation()
      }, isolation: isolation)
  }
}
