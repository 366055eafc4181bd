// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Container {
  /// The registered keys of a type in this container, in the order of registration. A criterion
  /// that you leave out matches every key. Nothing is created.
  public func filter<Value>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> [Key<Value>] {
    resolver.keys(type, name, .only(self.name), at: CallSite(fileID, filePath, line, column))
      .map { Key(erased: $0) }
  }

  /// The keys of a type whose metadata is of the predicate's type and satisfies it.
  public func filter<Value, Metadata>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, where isIncluded: (Metadata) -> Bool
  ) -> [Key<Value>] {
    resolver.keys(
      type, name, .only(self.name), at: CallSite(fileID, filePath, line, column), where: isIncluded
    ).map { Key(erased: $0) }
  }

  /// The keys of a type whose metadata is of this type and equals this.
  public func filter<Value, Metadata: Equatable>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil, metadata: Metadata,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> [Key<Value>] {
    resolver.keys(
      type, name, .only(self.name),
      at: CallSite(fileID, filePath, line, column),
      where: { $0 == metadata }
    ).map { Key(erased: $0) }
  }

  /// The registered keys in this container, in the order of registration. A criterion that you
  /// leave out matches every key. Nothing is created.
  public func filter(
    named name: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> [AnyKey] {
    resolver.keys(nil, name, .only(self.name), at: CallSite(fileID, filePath, line, column))
  }

  /// The keys whose metadata is of the predicate's type and satisfies it.
  public func filter<Metadata>(
    named name: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    where isIncluded: (Metadata) -> Bool
  ) -> [AnyKey] {
    resolver.keys(
      nil, name, .only(self.name), at: CallSite(fileID, filePath, line, column), where: isIncluded)
  }

  /// The keys whose metadata is of this type and equals this.
  public func filter<Metadata: Equatable>(
    named name: (any Hashable & Sendable)? = nil, metadata: Metadata,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> [AnyKey] {
    resolver.keys(
      nil, name, .only(self.name),
      at: CallSite(fileID, filePath, line, column),
      where: { $0 == metadata })
  }
}
