// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a block that gets the resolver and the argument that `resolve(with:)` passes.
  ///
  /// The value is made again for every resolution (`.notCached`), and need not be `Sendable`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Argument, Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Resolver, Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container,
        metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    ) { try block($0.resolver, $0.argument()) }
  }

  /// Registers a block that gets the resolver and the argument that `resolve(with:)` passes.
  ///
  /// The value may be kept and shared, so its type is `Sendable`.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Resolver, Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container,
        lifecycle: lifecycle, metadata: metadata, inTests: inTests, takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)), shared: ()
    ) { try block($0.resolver, $0.argument()) }
  }

  /// Registers a block that gets the resolver and the argument that `resolve(with:)` passes.
  ///
  /// The instance is shared while something retains it. After that, the next request creates a new
  /// one.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - scope: The scope, which is part of the key. Only classes and class-bound protocols.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, scopedTo scope: any Scope.Type,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Resolver, Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
        lifecycle: .cached, retention: .weak, isFixed: true, metadata: metadata, inTests: inTests,
        takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)), shared: ()
    ) { try block($0.resolver, $0.argument()) }
  }
}
