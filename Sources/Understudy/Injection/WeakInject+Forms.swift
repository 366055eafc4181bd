// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension WeakInject {
  /// Injects what is registered for a key.
  public init(
    _ key: Key<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: key, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
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

extension WeakInject {
  /// Injects the object that a block returns, when the owner is made; nothing needs to be
  /// registered.
  ///
  /// The object is released at once if nothing else retains it.
  public init(_ make: () -> Value) {
    self.init(holding: make())
  }

  /// Injects the object that an expression returns, when the owner is made; nothing needs to be
  /// registered.
  @_disfavoredOverload
  public init(_ value: @autoclosure () -> Value) {
    self.init(holding: value())
  }
}
