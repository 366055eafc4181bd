// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers an asynchronous block. `resolveAsync(with:)` passes its parameters, several as a
  /// tuple.
  ///
  /// Resolve it with `resolveAsync`. A synchronous request is an error, unless the instance is
  /// cached already. A block that creates an actor has this form: `register { await Model() }`. The
  /// value is created for each request, unless a lifecycle, a scope or the registrar's defaults say
  /// otherwise.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    rank: Never? = nil,
    _ block: @escaping @Sendable @concurrent (repeat each Argument) async throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .async { invocation in
        let arguments: (repeat each Argument) = try invocation.arguments()
        return KnownSendable(try await block(repeat each arguments))
      })
  }

  /// Registers an asynchronous block that gets the requested resolver. Resolve it with
  /// `resolveAsync`.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable @concurrent (Resolver) async throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .async { KnownSendable(try await block($0.resolverArgument)) })
  }

  /// Registers an asynchronous block that gets the requested resolver, and the arguments that
  /// `resolveAsync(with:)` passes, several as a tuple.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable @concurrent (Resolver, repeat each Argument) async throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .async { invocation in
        let arguments: (repeat each Argument) = try invocation.arguments()
        return KnownSendable(try await block(invocation.resolver, repeat each arguments))
      })
  }

  /// Registers a block that runs on the main actor. A request passes its parameters, several as a
  /// tuple.
  ///
  /// Begin the block with `@MainActor in`. Resolve it synchronously on the main actor, and with
  /// `resolveAsync` from anywhere. A synchronous request from elsewhere is an error. The value is
  /// created for each request, unless a lifecycle, a scope or the registrar's defaults say
  /// otherwise.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    rank: Never? = nil,
    _ block: @escaping @MainActor @Sendable (repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .mainActor { invocation in
        let arguments: (repeat each Argument) = try invocation.arguments()
        return try MainActor.assumeIsolated { try block(repeat each arguments) }
      })
  }

  /// Registers a block that runs on the main actor and gets the requested resolver.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @MainActor @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .mainActor { invocation in
        try MainActor.assumeIsolated { try block(invocation.resolverArgument) }
      })
  }

  /// Registers a block that runs on the main actor. It gets the requested resolver, and the
  /// arguments that a request passes, several as a tuple.
  @discardableResult
  public func register<each Argument: Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .mainActor { invocation in
        let arguments: (repeat each Argument) = try invocation.arguments()
        return try MainActor.assumeIsolated {
          try block(invocation.resolver, repeat each arguments)
        }
      })
  }
}

extension Invocation {
  /// The argument as the parameters of a block: `()` for a block without parameters.
  fileprivate func arguments<Arguments>() throws(NotCallable) -> Arguments {
    if let none = () as? Arguments { return none }
    return try argument()
  }
}
