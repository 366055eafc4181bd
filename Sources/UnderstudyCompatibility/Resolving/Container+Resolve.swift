// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Container {
  /// The key of a type in this container.
  public func key<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil
  ) -> Key<Value> {
    Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: defaults.container)
  }

  /// Resolves the registration of a type in this container.
  /// - Throws: `ResolutionError`, with the whole explanation.
  public func resolve<Value, Argument>(
    _ type: Value.Type = Value.self, with argument: Argument = NoArgument(),
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    try resolver.resolve(
      key(type, named: name, scopedTo: scope, qualifiedBy: qualifier), with: argument,
      lifecycle: lifecycle, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The keys of all registrations in this container, in the order of registration.
  public var keys: [AnyKey] { resolver.store.registrations(in: name).map(\.key) }
}
