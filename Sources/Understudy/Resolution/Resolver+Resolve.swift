// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves the registration of a type, under a name, in a scope or in a container.
  ///
  /// `T?` is `nil` if nothing is registered for `T`. `[T]` has the values of all registrations of
  /// `T`, in the order of registration. A registration of the type `T?` or `[T]` itself comes
  /// first.
  ///
  /// - Parameters:
  ///   - type: The requested type, where the context does not say it.
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - lifecycle: The lifecycle of the request. `.cached` honours the registration.
  ///   - isolation: The caller's actor. On the main actor, a value of the main actor is created at
  ///     once.
  /// - Returns: The value.
  /// - Throws: `ResolutionError`, with the whole explanation.
  /// - Complexity: O(1) expected for a repeated request, besides the block. The first request after
  ///   a change of the registrations, or under a new layer, is O(layers), and O(dependencies ×
  ///   layers) if it finds a stored instance.
  @inlinable
  @_disfavoredOverload
  public func resolve<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if name == nil, scope == nil, qualifier == nil, container == nil, case .cached = lifecycle,
      let instance = cachedInstance(of: Value.self)
    {
      return instance.strongValue(as: Value.self)
    }
    return try value(
      named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, lifecycle, isolation,
      at: callSite)
  }

  /// Resolves a registration without a cached instance.
  @usableFromInline
  func value<Value>(
    named name: (any Hashable & Sendable)?, scopedTo scope: (any Scope.Type)?,
    qualifiedBy qualifier: (any Qualifier.Type)?, in container: (any Hashable & Sendable)?,
    _ lifecycle: Lifecycle, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try value(
      for: Request(
        .made(Value.self, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
        lifecycle: lifecycle, at: callSite, isOnMainActor: isolation.isMain))
  }

  /// Resolves the registration of a type, with an argument for its block.
  ///
  /// The first argument creates a cached value. A later one is ignored, and the log says so. A
  /// registration that takes no argument ignores it. The other parameters are those of `resolve`
  /// without an argument.
  ///
  /// - Throws: `ResolutionError`, with the whole explanation. For a wrong argument it names the
  ///   registered type, and the expected and the given type of the argument.
  @_disfavoredOverload
  public func resolve<Value, Argument>(
    _ type: Value.Type = Value.self, with argument: Argument,
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    try resolve(
      Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      with: argument, lifecycle: lifecycle, isolation: isolation, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Resolves the registration of a key, perhaps with an argument for its block.
  ///
  /// - Throws: `ResolutionError`, with the whole explanation.
  @_disfavoredOverload
  public func resolve<Value, Argument>(
    _ key: Key<Value>, with argument: Argument = NoArgument(), lifecycle: Lifecycle = .cached,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Value {
    try value(
      for: Request(
        key.erased, lifecycle: lifecycle, argument: .passed(argument),
        at: CallSite(fileID, filePath, line, column), isOnMainActor: isolation.isMain))
  }

  /// Do not use this. The compiler chooses this form for a misspelt dependency or an unknown type,
  /// and then explains the mistake.
  @available(*, unavailable, message: "the resolved type is not known; write 'resolve(T.self)'")
  @_disfavoredOverload
  public func resolve(
    _ dependency: (Dependencies.Type) -> Any = { _ in () }
  ) throws(ResolutionError) -> Never {
    fatalError("The compiler accepts no call of this.")
  }

  /// A request under the layers that the calling task sees, which the cache does not answer. An
  /// enclosing request settles the claims of a part.
  func resolution(
    of request: Request, for caller: Surroundings = .current, isPart: Bool = false, order: Int = 0
  ) throws(ResolutionError) -> Resolution {
    let top = try layerOfCaller(request, seeing: caller.top)
    return Resolution(
      request, of: self, for: Surroundings(construction: caller.construction, top: top),
      from: top?.store, isPart: isPart, order: order)
  }
}

extension Resolver {
  /// Resolves the registration of a type. It waits for asynchronous blocks and for actors.
  ///
  /// Takes synchronous registrations too. The first argument creates a cached value. A later one is
  /// ignored, and the log says so. A registration that takes no argument ignores it.
  /// - Throws: `ResolutionError`, with the whole explanation. For a wrong argument it names the
  ///   registered type, and the expected and the given type of the argument.
  /// - Complexity: That of `resolve`.
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
        at: CallSite(fileID, filePath, line, column)))
  }
}
