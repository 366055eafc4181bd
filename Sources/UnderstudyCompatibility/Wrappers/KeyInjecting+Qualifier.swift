// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension KeyInjecting {
  /// Injects the value that is registered under a qualifier.
  ///
  /// A type that is both a scope and a qualifier needs the label: `qualifiedBy:`.
  public init(
    _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(key: Key(qualifiedBy: qualifier), at: CallSite(fileID, filePath, line, column))
  }

  /// Injects the value that is registered in a scope under a qualifier.
  public init(
    _ scope: any Scope.Type, _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(scopedTo: scope, qualifiedBy: qualifier),
      at: CallSite(fileID, filePath, line, column))
  }
}
