// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Inject {
  /// Injects the value that a block returns. The block runs when the owner is created, and nothing
  /// needs to be registered.
  public init(_ make: () -> Value) {
    self.init(.value(make()))
  }

  /// Injects the value of an expression. It is evaluated when the owner is created, and nothing
  /// needs to be registered.
  @_disfavoredOverload
  public init(_ value: @autoclosure () -> Value) {
    self.init(.value(value()))
  }
}
