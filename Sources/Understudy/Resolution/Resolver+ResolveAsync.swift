// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves the registration of a type. It waits for asynchronous blocks and for actors.
  ///
  /// Takes synchronous registrations too. The first argument creates a cached value. A later one is
  /// ignored, and the log says so. A registration that takes no argument ignores it.
  /// - Throws: `ResolutionError`, with the whole explanation. For a wrong argument it names the
  ///   registered type, and the expected and the given type of the argument.
  /// - Complexity: O(1) expected, besides the block.
  public func resolveAsync<Value: Sendable, Argument: Sendable>(
    _ type: Value.Type = Value.self, with argument: Argument = NoArgument(),
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async throws(ResolutionError) -> Value {
    try await resolveAsync(
      Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      with: argument, lifecycle: lifecycle, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Resolves the registration of a key. It waits for asynchronous blocks and for actors.
  ///
  /// - Throws: `ResolutionError`, with the whole explanation.
  public func resolveAsync<Value: Sendable, Argument: Sendable>(
    _ key: Key<Value>, with argument: Argument = NoArgument(), lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async throws(ResolutionError) -> Value {
    try await asyncValue(
      for: Request(
        key.erased, lifecycle: lifecycle, argument: .passed(argument),
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)))
  }
}
