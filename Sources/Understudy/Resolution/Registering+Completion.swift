// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a block, and how its value is completed after it is made.
  ///
  /// So a cycle can be closed: `then` runs when the outermost resolution of the thread has made
  /// all, and before it returns; on that thread, and without a run loop (DE-07). What it resolves
  /// has been made by then, and the requester gets a complete instance. Another thread that is
  /// handed an instance of a resolution that is not complete waits at the end of its own.
  ///
  /// A structure is completed where it is kept and where it is returned; one that was handed to an
  /// initialiser before is a copy of what it was.
  ///
  /// A cycle needs one instance that is kept. Of a ring without one there would always be another value to be made: it is
  /// an error that names it.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  ///   - complete: Completes it. If it throws, the resolution fails and nothing is kept.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable (Resolver) throws -> Value,
    then complete: @escaping @Sendable (inout Value, Resolver) throws -> Void
  ) -> Key<Value> {
    let isScoped = scope != nil
    let recipe = Recipe(
      named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
      lifecycle: isScoped ? .cached : lifecycle, retention: isScoped ? .weak : .strong,
      isFixed: isScoped, metadata: metadata, inTests: inTests,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    var traits = recipe.traits(for: Value.self, defaults)
    traits.isCompletedLater = true
    add(
      Registration(
        traits, sharing: traits.lifecycle == .cached ? Sharing(traits.retention) : nil,
        held(.direct(block), traits.retention), completions: [complete]))
    return Key(erased: traits.key)
  }

  /// Registers a block without parameters, and how its value is completed after it is made.
  ///
  /// - Parameters:
  ///   - type: What is registered, where the block's return type does not say it.
  ///   - name: Tells registrations of one type apart.
  ///   - scope: A scope. Its instance is shared while something retains it.
  ///   - qualifier: A type that tells registrations apart.
  ///   - container: Groups registrations.
  ///   - lifecycle: How often the value is made.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  ///   - block: Makes the value. May throw; runs under no lock.
  ///   - complete: Completes it. If it throws, the resolution fails and nothing is kept.
  /// - Returns: The key that asks for it.
  @discardableResult
  public func register<Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value,
    then complete: @escaping @Sendable (inout Value, Resolver) throws -> Void
  ) -> Key<Value> {
    register(
      type, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container,
      lifecycle: lifecycle, metadata: metadata, inTests: inTests, fileID: fileID,
      filePath: filePath, line: line,
      column: column, { _ in try block() }, then: complete)
  }
}
