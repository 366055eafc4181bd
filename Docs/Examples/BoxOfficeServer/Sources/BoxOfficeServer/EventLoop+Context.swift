// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import NIOCore
import Understudy

/// Event loops run callbacks outside of any task, so what a task sees has to be carried there. A
/// program that does so in many places says it once, as here.
extension EventLoop {
  /// As `submit`; what runs there sees what the caller sees.
  public func submitInContext<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> EventLoopFuture<Value> {
    let context = OverrideContext.current
    return submit { try context.run { try body() } }
  }
}

extension EventLoopFuture where Value: Sendable {
  /// As `flatMapThrowing`; what runs there sees what the caller sees.
  public func flatMapThrowingInContext<NewValue: Sendable>(
    _ body: @escaping @Sendable (Value) throws -> NewValue
  ) -> EventLoopFuture<NewValue> {
    let context = OverrideContext.current
    return flatMapThrowing { value in try context.run { try body(value) } }
  }
}
