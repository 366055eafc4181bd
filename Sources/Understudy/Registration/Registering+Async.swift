// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a block that is asynchronous.
  ///
  /// Resolved with `resolveAsync`; a synchronous resolution is an error that says so, unless the
  /// instance is kept already. Blocks of actors are registered so: `register { await Model() }`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made; `.notCached` unless this or the registrar's defaults
  ///     say otherwise.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable @concurrent () async throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { _ in KnownSendable(try await block()) })
  }

  /// Registers an asynchronous block that gets the resolver that was asked.
  ///
  /// Resolved with `resolveAsync`; a synchronous resolution is an error that says so, unless the
  /// instance is kept already. Blocks of actors are registered so: `register { await Model() }`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made; `.notCached` unless this or the registrar's defaults
  ///     say otherwise.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable @concurrent (Resolver) async throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { KnownSendable(try await block($0.resolverArgument)) })
  }

  /// Registers an asynchronous block that gets the argument that `resolveAsync(with:)` passes.
  ///
  /// Resolved with `resolveAsync`; a synchronous resolution is an error that says so, unless the
  /// instance is kept already. Blocks of actors are registered so: `register { await Model() }`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made; `.notCached` unless this or the registrar's defaults
  ///     say otherwise.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable @concurrent (Argument) async throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { KnownSendable(try await block($0.argument())) })
  }

  /// Registers an asynchronous block that gets the resolver and the argument that is passed.
  ///
  /// Resolved with `resolveAsync`; a synchronous resolution is an error that says so, unless the
  /// instance is kept already. Blocks of actors are registered so: `register { await Model() }`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made; `.notCached` unless this or the registrar's defaults
  ///     say otherwise.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable @concurrent (Resolver, Argument) async throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { KnownSendable(try await block($0.resolver, $0.argument())) })
  }
}
