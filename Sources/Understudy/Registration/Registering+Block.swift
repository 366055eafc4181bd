// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The compiler chooses a form by three rules:
// - The block has the parameters that the form takes.
// - A form with a lifecycle, a scope or a completion needs a `Sendable` value.
// - Of the forms that are left, the one with the fewest parameters wins. So those with a lifecycle
//   are used only if the call states a lifecycle, a scope or a completion. `rank` puts the first
//   form after the one that also gets the resolver, whose blocks it would take as well.

extension Registering {
  /// Registers a block, with or without parameters. `resolve(with:)` passes them, several as a
  /// tuple.
  ///
  /// The value is created for each request and belongs to one caller, so it need not be `Sendable`.
  @discardableResult
  public func register<each Argument, Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, rank: Never? = nil,
    _ block: @escaping @Sendable (repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      unshared: .taking(block))
  }

  /// Registers a block that gets the requested resolver.
  @discardableResult
  public func register<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, at: CallSite(fileID, filePath, line, column)),
      unshared: .direct(block))
  }

  /// Registers a block that gets the requested resolver, and the arguments that `resolve(with:)`
  /// passes, several as a tuple.
  @discardableResult
  public func register<each Argument, Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      unshared: .resolving(block))
  }

  /// Registers a block.
  ///
  /// The value is created for each request, unless the registrar's defaults say otherwise.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, at: CallSite(fileID, filePath, line, column)),
      shared: .plain(block))
  }

  /// Registers a block that gets the requested resolver.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, at: CallSite(fileID, filePath, line, column)),
      shared: .direct(block))
  }

  /// Registers a block that gets the argument that `resolve(with:)` passes.
  @discardableResult
  public func register<Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID, filePath, line, column)),
      shared: .sync { try block($0.argument()) })
  }

  /// Registers a block that gets the requested resolver, and the arguments that `resolve(with:)`
  /// passes, several as a tuple.
  @discardableResult
  public func register<each Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .resolving(block))
  }

  /// Registers a block with a lifecycle, in a scope, or with a completion.
  ///
  /// `resolve(with:)` passes the parameters of the block, several as a tuple. The value is
  /// `Sendable`, since it may be cached. In a scope, requests share it while something retains it,
  /// and it is created again after that. So a scope is for classes and class-bound protocols.
  ///
  /// `complete` closes a cycle. It runs on the same thread, after the outermost request has created
  /// everything and before that request returns. A value that it requests may have to be completed
  /// after it. Another thread that gets an incomplete instance waits at the end of its own request.
  ///
  /// A structure is completed where it is stored and where it is returned. A copy that an
  /// initialiser got earlier stays incomplete. A cycle in which nothing is cached is an error that
  /// names the cycle. If `complete` throws, the request fails and nothing is cached. There may be
  /// three completions, which run in the order in which they are written.
  @discardableResult
  public func register<each Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (repeat each Argument) throws -> Value,
    then complete: (@Sendable (inout Value, Resolver) throws -> Void)? = nil,
    then second: (@Sendable (inout Value, Resolver) throws -> Void)? = nil,
    then third: (@Sendable (inout Value, Resolver) throws -> Void)? = nil
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .taking(block), then: complete, second, third)
  }

  /// Registers a block that gets the requested resolver, with a lifecycle, in a scope, or with a
  /// completion.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value,
    then complete: (@Sendable (inout Value, Resolver) throws -> Void)? = nil,
    then second: (@Sendable (inout Value, Resolver) throws -> Void)? = nil,
    then third: (@Sendable (inout Value, Resolver) throws -> Void)? = nil
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .direct(block), then: complete, second, third)
  }

  /// Registers a block that gets the requested resolver, and the arguments that `resolve(with:)`
  /// passes, several as a tuple, with a lifecycle or in a scope.
  @discardableResult
  public func register<each Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, scopedTo: scope, qualifiedBy: qualifier,
        in: container, lifecycle: lifecycle, metadata: metadata, inTests: inTests,
        takes: argumentType(repeat (each Argument).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .resolving(block))
  }
}

/// The type of a block's argument: `nil` without parameters, and a tuple for several.
func argumentType<each Argument>(_ types: repeat (each Argument).Type) -> (any Any.Type)? {
  let whole = (repeat each Argument).self
  return whole == Void.self ? nil : whole
}

extension Block {
  /// A block whose parameters come from the argument of a request.
  fileprivate static func taking<each Argument>(
    _ block: @escaping @Sendable (repeat each Argument) throws -> Value
  ) -> Block {
    guard argumentType(repeat (each Argument).self) != nil else {
      return .plain { try block(repeat absent((each Argument).self)) }
    }
    return .sync { invocation in
      let arguments: (repeat each Argument) = try invocation.argument()
      return try block(repeat each arguments)
    }
  }

  /// The same, with the resolver first.
  fileprivate static func resolving<each Argument>(
    _ block: @escaping @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Block {
    guard argumentType(repeat (each Argument).self) != nil else {
      return .direct { try block($0, repeat absent((each Argument).self)) }
    }
    return .sync { invocation in
      let arguments: (repeat each Argument) = try invocation.argument()
      return try block(invocation.resolver, repeat each arguments)
    }
  }
}

/// The parameter of a block that takes none, or one of type `Void`.
private func absent<Element>(_ type: Element.Type) -> Element {
  if let none = () as? Element { return none }
  preconditionFailure("A block without parameters was called with one.")
}
