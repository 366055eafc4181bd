// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

// Typed throws would halve the number of overloads. But the compiler of Swift 6.3 crashes on typed
// throws with parameter packs, and on the conversion of such a closure to one that does not throw.
extension OverrideContext {
  /// Wraps a closure so that it runs in this context, wherever it is called.
  ///
  /// ```swift
  /// connection.onClose = OverrideContext.current.wrap { log.write("closed") }
  /// ```
  ///
  /// A wrapped closure is not isolated to an actor. In a closure of the main actor, write `run`
  /// instead:
  ///
  /// ```swift
  /// let context = OverrideContext.current
  /// button.onTap = { context.run { model.tap() } }
  /// ```
  public func wrap<each Argument, Result>(
    _ body: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in run { body(repeat each argument) } }
  }

  /// Wraps a closure that throws so that it runs in this context, wherever it is called.
  public func wrap<each Argument, Result>(
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) -> @Sendable (repeat each Argument) throws -> Result {
    { (argument: repeat each Argument) in try run { try body(repeat each argument) } }
  }

  /// Wraps an asynchronous closure so that it runs in this context, wherever it is called.
  public func wrap<Result>(
    _ body: @escaping @Sendable () async -> Result
  ) -> @Sendable () async -> Result {
    { await run(body) }
  }

  /// Wraps an asynchronous closure that throws so that it runs in this context, wherever it is
  /// called.
  public func wrap<Result>(
    _ body: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    { try await run(body) }
  }
}
