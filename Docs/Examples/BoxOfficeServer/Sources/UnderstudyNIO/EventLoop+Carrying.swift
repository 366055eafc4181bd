// Part of Understudy: a bridge to SwiftNIO.
// SPDX-License-Identifier: MIT

import NIOCore
import Understudy

// Event loops run callbacks outside of any task, so the context has to be carried there.

extension EventLoop {
  /// Works like `execute`, and the callback sees the caller's doubles.
  public func executeCarrying(_ body: @escaping @Sendable () -> Void) {
    let context = OverrideContext.current
    execute { context.run(body) }
  }

  /// Works like `submit`, and the callback sees the caller's doubles.
  public func submitCarrying<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> EventLoopFuture<Value> {
    let context = OverrideContext.current
    return submit { try context.run { try body() } }
  }

  /// Works like `scheduleTask(in:)`, and the callback sees the caller's doubles.
  @discardableResult
  public func scheduleCarrying<Value: Sendable>(
    in delay: TimeAmount, _ body: @escaping @Sendable () throws -> Value
  ) -> Scheduled<Value> {
    let context = OverrideContext.current
    return scheduleTask(in: delay) { try context.run { try body() } }
  }
}

extension EventLoopFuture where Value: Sendable {
  /// Works like `flatMapThrowing`, and the callback sees the caller's doubles.
  public func flatMapThrowingCarrying<NewValue: Sendable>(
    _ body: @escaping @Sendable (Value) throws -> NewValue
  ) -> EventLoopFuture<NewValue> {
    let context = OverrideContext.current
    return flatMapThrowing { value in try context.run { try body(value) } }
  }

  /// Works like `whenComplete`, and the callback sees the caller's doubles.
  public func whenCompleteCarrying(
    _ body: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let context = OverrideContext.current
    whenComplete { result in context.run { body(result) } }
  }
}
