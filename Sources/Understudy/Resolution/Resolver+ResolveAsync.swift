// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves what is registered for a type, waiting for asynchronous blocks and for actors.
  ///
  /// Takes synchronous registrations too.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  /// - Complexity: O(1) expected, besides the block.
  public func resolveAsync<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async throws(ResolutionError) -> Value {
    try await resolveAsync(
      Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      lifecycle: lifecycle, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves what is registered for a type, with an argument for its block, waiting for it.
  ///
  /// The first argument makes a cached value; a later one is ignored, and the log says so (L4). A
  /// registration that takes no argument ignores it.
  ///
  /// - Parameters:
  ///   - type: What is asked for, where the context does not say it.
  ///   - argument: What the block gets.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself; a wrong argument names the registered type
  ///   and the expected and given types of the argument.
  public func resolveAsync<Value: Sendable, Argument: Sendable>(
    _ type: Value.Type = Value.self, with argument: Argument,
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

  /// Resolves what is registered for a key, waiting for it.
  ///
  /// - Parameters:
  ///   - key: What is asked for.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  public func resolveAsync<Value: Sendable>(
    _ key: Key<Value>, lifecycle: Lifecycle = .cached, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async throws(ResolutionError) -> Value {
    try await asyncValue(
      for: Request(
        key.erased, lifecycle: lifecycle,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Resolves what is registered for a key, with an argument for its block, waiting for it.
  ///
  /// - Parameters:
  ///   - key: What is asked for.
  ///   - argument: What the block gets.
  ///   - lifecycle: What to do with the value; `.cached` honours the registration.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, which explains itself.
  public func resolveAsync<Value: Sendable, Argument: Sendable>(
    _ key: Key<Value>, with argument: Argument, lifecycle: Lifecycle = .cached,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) async throws(ResolutionError) -> Value {
    try await asyncValue(
      for: Request(
        key.erased, lifecycle: lifecycle,
        argument: PassedArgument(argument),
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Resolves a request under the layers that the calling task sees.
  func asyncValue<Value>(for request: Request) async throws(ResolutionError) -> Value {
    if let value: Value = try cachedValue(for: request) { return value }
    return try await resolution(of: request).asyncValue()
  }
}
