// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Registering {
  /// Registers a value that exists already. Every request gets it, or one request does.
  ///
  /// With `lifecycle: .once` it is a one-time argument. One request gets it, and no later request
  /// finds it.
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
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        lifecycle: lifecycle, usually: .cached, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .existing { value })
  }

  /// Registers an expression that is evaluated for each request. The lifecycle of a request has no
  /// effect, except `.once`.
  @discardableResult
  @_disfavoredOverload
  public func register<Value>(
    factory: @autoclosure @escaping @Sendable () throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        lifecycle: .notCached, isFixed: true, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      unshared: .plain(factory))
  }

  /// Registers an expression that is evaluated at the first request, and caches the value. The
  /// lifecycle of a request has no effect, except `.once`.
  @discardableResult
  @_disfavoredOverload
  public func register<Value: Sendable>(
    instance: @autoclosure @escaping @Sendable () throws -> Value,
    named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        lifecycle: .cached, isFixed: true, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .plain(instance))
  }

  /// Registers an object that something else retains. When the object is gone, a request for it is
  /// an error, and the key stays.
  ///
  /// A value type cannot be held weakly. A request for such a registration is an error that says
  /// so.
  @discardableResult
  @_disfavoredOverload
  public func register<Value: Sendable>(
    weak object: Value, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: any Sendable = (),
    inTests: LiveGuard? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    let reference = WeakReference(object)
    return register(
      RegistrationTraits(
        Value.self, on: defaults, named: name, qualifiedBy: qualifier, in: container,
        lifecycle: .cached, retention: .weak, isFixed: true, metadata: metadata, inTests: inTests,
        at: CallSite(fileID, filePath, line, column)),
      shared: .plain {
        guard reference.isObject else { throw NotCallable.notAnObject }
        guard let object = reference.value else { throw NotCallable.released }
        return object
      })
  }
}
