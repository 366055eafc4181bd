// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a block of the main actor.
  ///
  /// Resolved synchronously on the main actor, and with `resolveAsync` from anywhere; a synchronous
  /// resolution from elsewhere is an error that says so. Write `@MainActor in` at the block's beginning.
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
    _ block: @escaping @MainActor @Sendable () throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { _ in try MainActor.assumeIsolated { try block() } })
  }

  /// Registers a block of the main actor that gets the resolver that was asked.
  ///
  /// Resolved synchronously on the main actor, and with `resolveAsync` from anywhere; a synchronous
  /// resolution from elsewhere is an error that says so. Write `@MainActor in` at the block's beginning.
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
    _ block: @escaping @MainActor @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { invocation in
        try MainActor.assumeIsolated { try block(invocation.resolverArgument) }
      })
  }

  /// Registers a block of the main actor that gets the argument that is passed.
  ///
  /// Resolved synchronously on the main actor, and with `resolveAsync` from anywhere; a synchronous
  /// resolution from elsewhere is an error that says so. Write `@MainActor in` at the block's beginning.
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
    _ block: @escaping @MainActor @Sendable (Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { invocation in
        let argument: Argument = try invocation.argument()
        return try MainActor.assumeIsolated { try block(argument) }
      })
  }

  /// Registers a block of the main actor that gets the resolver and the argument that is passed.
  ///
  /// Resolved synchronously on the main actor, and with `resolveAsync` from anywhere; a synchronous
  /// resolution from elsewhere is an error that says so. Write `@MainActor in` at the block's beginning.
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
    _ block: @escaping @MainActor @Sendable (Resolver, Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: scope == nil ? lifecycle : .cached, retention: scope == nil ? .strong : .weak,
        isFixed: scope != nil, metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { invocation in
        let argument: Argument = try invocation.argument()
        return try MainActor.assumeIsolated { try block(invocation.resolver, argument) }
      })
  }
}
