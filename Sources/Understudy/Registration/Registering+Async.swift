// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers an asynchronous block. Its parameters are the argument that `resolveAsync(with:)`
  /// passes (several are a tuple).
  ///
  /// Resolve it with `resolveAsync`. A synchronous request is an error that says so, unless the
  /// instance is cached. The block of an actor is registered so: `register { await Model() }`. The
  /// value is created for every resolution unless a lifecycle, a scope or the defaults of the
  /// registrar say otherwise.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable @concurrent (repeat each Argument) async throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests, takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .taking(block))
  }

  /// Registers an asynchronous block that gets the asked resolver.
  ///
  /// Resolve it with `resolveAsync`. A synchronous request is an error that says so, unless the
  /// instance is cached. The block of an actor is registered so: `register { await Model() }`. The
  /// value is created for every resolution unless a lifecycle, a scope or the defaults of the
  /// registrar say otherwise.
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
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { KnownSendable(try await block($0.resolverArgument)) })
  }

  /// Registers an asynchronous block that gets the asked resolver, and the argument that
  /// `resolveAsync(with:)` passes.
  ///
  /// Resolve it with `resolveAsync`. A synchronous request is an error that says so, unless the
  /// instance is cached. The block of an actor is registered so: `register { await Model() }`. The
  /// value is created for every resolution unless a lifecycle, a scope or the defaults of the
  /// registrar say otherwise.
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
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .async { KnownSendable(try await block($0.resolver, $0.argument())) })
  }

  /// Registers a block of the main actor. Its parameters are the argument that a request passes
  /// (several are a tuple).
  ///
  /// It is resolved synchronously on the main actor, and with `resolveAsync` from everywhere.
  /// Another synchronous request is an error that says so. Write `@MainActor in` at the beginning
  /// of the block. The value is created for every resolution unless a lifecycle, a scope or the
  /// defaults of the registrar say otherwise.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @MainActor @Sendable (repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests, takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .taking(onMainActor: block))
  }

  /// Registers a block of the main actor that gets the asked resolver.
  ///
  /// It is resolved synchronously on the main actor, and with `resolveAsync` from everywhere.
  /// Another synchronous request is an error that says so. Write `@MainActor in` at the beginning
  /// of the block. The value is created for every resolution unless a lifecycle, a scope or the
  /// defaults of the registrar say otherwise.
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
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { invocation in
        try MainActor.assumeIsolated { try block(invocation.resolverArgument) }
      })
  }

  /// Registers a block of the main actor that gets the asked resolver, and the argument that a
  /// request passes.
  ///
  /// It is resolved synchronously on the main actor, and with `resolveAsync` from everywhere.
  /// Another synchronous request is an error that says so. Write `@MainActor in` at the beginning
  /// of the block. The value is created for every resolution unless a lifecycle, a scope or the
  /// defaults of the registrar say otherwise.
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
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      .mainActor { invocation in
        let argument: Argument = try invocation.argument()
        return try MainActor.assumeIsolated { try block(invocation.resolver, argument) }
      })
  }
}

extension Block where Value: Sendable {
  /// An asynchronous block whose parameters are the argument of a request.
  fileprivate static func taking<each Argument: Sendable>(
    _ block: @escaping @Sendable @concurrent (repeat each Argument) async throws -> Value
  ) -> Block {
    .async { invocation in
      let arguments: (repeat each Argument) = try invocation.arguments()
      return KnownSendable(try await block(repeat each arguments))
    }
  }

  /// A block of the main actor whose parameters are the argument of a request.
  fileprivate static func taking<each Argument: Sendable>(
    onMainActor block: @escaping @MainActor @Sendable (repeat each Argument) throws -> Value
  ) -> Block {
    .mainActor { invocation in
      let arguments: (repeat each Argument) = try invocation.arguments()
      return try MainActor.assumeIsolated { try block(repeat each arguments) }
    }
  }
}

extension Invocation {
  /// The argument, as all parameters of a block; `()` for a block without parameters.
  fileprivate func arguments<Arguments>() throws(ArgumentMismatch) -> Arguments {
    if let none = () as? Arguments { return none }
    return try argument()
  }
}
