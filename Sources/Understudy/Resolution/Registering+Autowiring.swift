// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers an initialiser or a function. Its parameters are resolved by type.
  ///
  /// The parameters state the dependencies before anything runs. `T?` and `[T]` are resolved as
  /// everywhere. All parameters are resolved synchronously, also by `resolveAsync`. If a dependency
  /// is created asynchronously, register an asynchronous block instead. The result need not be
  /// `Sendable`, so it is created for each request. If the registrar's default is `.cached`, each
  /// request fails.
  ///
  /// - Important: A reference to a function with a typed error, `init(_:) throws(Failure)`, crashes
  ///   the compiler (6.3.1). Register a block instead: `{ r in try T(r.resolve()) }`.
  @discardableResult
  @_disfavoredOverload
  public func register<each Needed, Value>(
    autowiring make: @escaping @Sendable (repeat each Needed) throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Never? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, needs: AnyKey.keys(for: repeat (each Needed).self),
        at: CallSite(fileID, filePath, line, column)),
      unshared: .sync { invocation in
        try make(
          repeat invocation.resolver.resolve(
            (each Needed).self, fileID: fileID, filePath: filePath, line: line, column: column))
      })
  }

  /// Registers an initialiser or a function. Its parameters are resolved by type, and its result
  /// may be cached.
  ///
  /// - Important: A reference to a function with a typed error, `init(_:) throws(Failure)`, crashes
  ///   the compiler (6.3.1). Register a block instead: `{ r in try T(r.resolve()) }`.
  @discardableResult
  @_disfavoredOverload
  public func register<each Needed, Value: Sendable>(
    autowiring make: @escaping @Sendable (repeat each Needed) throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults,
        named: name, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
        metadata: metadata, inTests: inTests, needs: AnyKey.keys(for: repeat (each Needed).self),
        at: CallSite(fileID, filePath, line, column)),
      shared: .sync { invocation in
        try make(
          repeat invocation.resolver.resolve(
            (each Needed).self, fileID: fileID, filePath: filePath, line: line, column: column))
      })
  }
}
