// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension LazyInject {
  /// Injects what is registered for a key.
  public init(
    _ key: Key<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: key, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects the instance of a scope. It is shared while something retains it.
  ///
  /// A type that is both a scope and a qualifier needs the label: `scopedTo:`.
  public init(
    _ scope: any Scope.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(scopedTo: scope),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects what is registered under a qualifier.
  ///
  /// A type that is both a scope and a qualifier needs the label: `qualifiedBy:`.
  public init(
    _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(qualifiedBy: qualifier),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects what is registered in a scope under a qualifier.
  public init(
    _ scope: any Scope.Type, _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(scopedTo: scope, qualifiedBy: qualifier),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension LazyInject {
  /// Injects what a block makes, when it is first read; nothing needs to be registered.
  public init(
    _ make: @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      making: make, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects the value of an expression, evaluated when it is first read; nothing needs to be
  /// registered.
  @_disfavoredOverload
  public init(
    _ value: @autoclosure @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      making: value, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
