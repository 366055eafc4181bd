// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Overrides a declared dependency with one double: it is created at the first request, and kept until the layer ends.
  ///
  /// ```swift
  /// try withOverrides { $0.override(\.uuid, with: .counting) } operation: { … }
  /// ```
  @discardableResult
  public func override<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>,
    with double: @autoclosure @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    override(
      dependency, lifecycle: .cached, fileID: fileID, filePath: filePath, line: line,
      column: column, double)
  }
}
