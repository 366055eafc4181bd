// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension LazyInject {
  /// Injects the value that a block returns. The block runs at the first read, and nothing needs to
  /// be registered.
  public init(
    _ make: @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(making: make, at: CallSite(fileID, filePath, line, column))
  }

  /// Injects the value of an expression. It is evaluated at the first read, and nothing needs to be
  /// registered.
  @_disfavoredOverload
  public init(
    _ value: @autoclosure @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(making: value, at: CallSite(fileID, filePath, line, column))
  }
}
