// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A wrapper that asks for a key. The forms that name the key stand here once for all wrappers, but
/// for the one that a property without arguments uses: Swift looks for that in the wrapper alone.
///
/// You do not conform to it.
public protocol KeyInjecting {
  /// The type of what is injected.
  associatedtype Value

  /// Injects what is registered for a key.
  init(key: Key<Value>, at callSite: CallSite)
}

extension KeyInjecting {
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

extension KeyInjecting {
  /// Tells the compiler what is wrong where the property's type is not that of the dependency.
  @available(*, unavailable, message: "the property has another type than the dependency")
  @_disfavoredOverload
  public init(_ dependency: (Dependencies.Type) -> Any) {
    fatalError("The compiler accepts no call of this.")
  }
}
