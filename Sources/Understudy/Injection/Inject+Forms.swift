// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Inject {
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

extension Inject {
  /// Injects what a block makes, when the owner is made; nothing needs to be registered.
  public init(_ make: () -> Value) {
    injected = .value(make())
  }

  /// Injects the value of an expression, when the owner is made; nothing needs to be registered.
  @_disfavoredOverload
  public init(_ value: @autoclosure () -> Value) {
    injected = .value(value())
  }
}
