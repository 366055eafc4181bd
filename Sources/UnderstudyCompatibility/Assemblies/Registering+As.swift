// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers a block whose value answers under further types. If it is cached, all types share
  /// the instance. It is short for `alias(register(…) { … }, as: …)`.
  @discardableResult
  public func register<Value: Sendable, First, each Alias>(
    _ type: Value.Type = Value.self, as first: First.Type, _ types: repeat (each Alias).Type,
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    lifecycle: Lifecycle? = nil, metadata: any Sendable = (), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    alias(
      register(
        named: name, in: container, lifecycle: lifecycle, metadata: metadata, fileID: fileID,
        filePath: filePath, line: line, column: column, block),
      as: first, repeat each types, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The same for a block that needs no resolver.
  @discardableResult
  public func register<Value: Sendable, First, each Alias>(
    _ type: Value.Type = Value.self, as first: First.Type, _ types: repeat (each Alias).Type,
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    lifecycle: Lifecycle? = nil, metadata: any Sendable = (), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    register(
      type, as: first, repeat each types, named: name, in: container, lifecycle: lifecycle,
      metadata: metadata, fileID: fileID, filePath: filePath, line: line, column: column
    ) { (_: Resolver) in try block() }
  }
}
