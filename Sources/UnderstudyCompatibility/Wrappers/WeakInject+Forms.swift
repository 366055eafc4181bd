// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension WeakInject {
  /// Injects the object that a block returns. The block runs when the owner is created, and nothing
  /// needs to be registered.
  ///
  /// The object is released at once if nothing else retains it.
  public init(_ make: () -> Value) {
    self.init(holding: make())
  }

  /// Injects the object that an expression returns. It is evaluated when the owner is created, and
  /// nothing needs to be registered.
  @_disfavoredOverload
  public init(_ value: @autoclosure () -> Value) {
    self.init(holding: value())
  }
}
