// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The forms without a lifecycle, for values that are `Sendable`: these may be kept if the registrar's
// defaults say so. The forms for all other values are beside the ones with a lifecycle.

extension Registering {
  /// Registers a block.
  ///
  /// The value is made again for every resolution unless the registrar's defaults say otherwise.
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
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      shared: .plain(block))
  }

  /// Registers a block that gets the resolver that was asked.
  ///
  /// The value is made again for every resolution unless the registrar's defaults say otherwise.
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
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      shared: .direct(block))
  }

  /// Registers a block that gets the argument that `resolve(with:)` passes.
  ///
  /// The value is made again for every resolution unless the registrar's defaults say otherwise.
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
  public func register<Argument, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Argument) throws -> Value
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, metadata: metadata, inTests: inTests,
        takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)), shared: ()
    ) { try block($0.argument()) }
  }

  /// Registers a block that gets the resolver that was asked and the argument that
  /// `resolve(with:)` passes.
  ///
  /// The value is made again for every resolution unless the registrar's defaults say otherwise.
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
  public func register<Argument, Value: Sendable>(
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
        named: name, qualifiedBy: qualifier, in: container, metadata: metadata, inTests: inTests,
        takes: Argument.self,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)), shared: ()
    ) { try block($0.resolver, $0.argument()) }
  }
}
