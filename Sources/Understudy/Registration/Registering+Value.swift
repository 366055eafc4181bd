// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a value that exists already: the same one every time, or once.
  ///
  /// With `lifecycle: .once` it is a one-time argument: the first resolution gets it, the next does
  /// not find it (G4-13).
  ///
  /// - Parameters:
  ///   - value: What is registered, evaluated now (G4-12).
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - lifecycle: `.cached` if neither this nor the registrar's defaults say otherwise.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  /// - Returns: The key that asks for it.
  @discardableResult
  @_disfavoredOverload
  public func register<Value: Sendable>(
    _ value: Value, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle? = nil,
    metadata: any Sendable = (), inTests: LiveGuard? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container,
        lifecycle: lifecycle, usually: .cached, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      shared: .existing { value })
  }

  /// Registers an expression that is evaluated for every resolution, whatever lifecycle that asks
  /// for (G9-03); `.once` alone is honoured (L3).
  ///
  /// - Parameters:
  ///   - factory: Makes the value.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  /// - Returns: The key that asks for it.
  @discardableResult
  @_disfavoredOverload
  public func register<Value>(
    factory: @autoclosure @escaping @Sendable () throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, lifecycle: .notCached, isFixed: true,
        metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      unshared: .plain(factory))
  }

  /// Registers an expression that is evaluated at the first resolution and then kept, whatever
  /// lifecycle a resolution asks for (G9-04); `.once` alone is honoured (L3).
  ///
  /// - Parameters:
  ///   - instance: Makes the value.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  /// - Returns: The key that asks for it.
  @discardableResult
  @_disfavoredOverload
  public func register<Value: Sendable>(
    instance: @autoclosure @escaping @Sendable () throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Key<Value> {
    register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, lifecycle: .cached, isFixed: true,
        metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      shared: .plain(instance))
  }

  /// Registers an object without retaining it. After the object is released, the registration
  /// answers nothing, and its key stays.
  ///
  /// A value type cannot be held weakly: such a registration answers nothing, and says so (G9-11).
  ///
  /// - Parameters:
  ///   - object: What is registered, as its class or as a class-bound protocol.
  ///   - name: Tells registrations of one type apart.
  ///   - qualifier: A type that does so.
  ///   - container: Groups registrations.
  ///   - metadata: Whatever should be found with the registration; not part of the key.
  ///   - inTests: Whether tests may get the live value. `nil` leaves it to the resolver (O15).
  /// - Returns: The key that asks for it.
  @discardableResult
  @_disfavoredOverload
  public func register<Value: Sendable>(
    weak object: Value, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Key<Value> {
    let reference = WeakReference(object)
    return register(
      Recipe(
        named: name, qualifiedBy: qualifier, in: container, lifecycle: .cached, retention: .weak,
        isFixed: true, metadata: metadata, inTests: inTests,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)),
      shared: .plain { try reference.held() })
  }
}

extension WeakReference {
  /// The value, or why there is none.
  fileprivate func held() throws(Unheld) -> Value {
    guard isObject else { throw .notAnObject }
    guard let value else { throw .released }
    return value
  }
}

/// Why a weak registration answers nothing.
package enum Unheld: Error {
  case released
  case notAnObject
}
