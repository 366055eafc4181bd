// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency at the first read, and keeps it.
///
/// The wrapper captures the context when its owner is created. So an object that was created in a
/// test keeps the test's doubles, on whatever thread it reads them. If a layer that was pushed
/// later overrides the key before the first read, the wrapper still gets the answer of the earlier
/// context, and the test has a warning.
///
/// The injected key and its known dependencies count as dependencies of the owner: a layer that
/// overrides one of them creates a cached owner again.
///
/// Reading does not mutate, so a constant structure and an actor can use the wrapper. If several
/// threads read for the first time at the same moment, one of them resolves the value, and the
/// others wait for it.
///
/// If there is no value, or its creation reads the property, reading the property reports the error
/// on the test and ends the process. `try $store.get()` throws the error instead, and the next read
/// resolves again. An assigned value replaces the injected one.
@propertyWrapper
public struct LazyInject<Value: Sendable>: KeyInjecting, Sendable {
  private enum State: Sendable {
    case reading(FirstReading<Value>)
    /// The assigned value, and the context in which the owner was created.
    case assigned(Value, OverrideContext)
  }

  private var state: State

  private var context: OverrideContext {
    switch state {
    case .reading(let reading): reading.context
    case .assigned(_, let context): context
    }
  }

  /// The injected value.
  ///
  /// - Precondition: There is a value. Otherwise the test has an issue, and the process ends.
  public var wrappedValue: Value {
    get {
      do throws(ResolutionError) {
        return try value().valueOrTrap
      } catch {
        error.trap()
      }
    }
    set { state = .assigned(newValue, context) }
  }

  /// The wrapper itself, to read the value without a trap.
  public var projectedValue: LazyInject { self }

  /// The injected value, resolved now if it was not read before.
  ///
  /// - Throws: `ResolutionError`, if there is no value. The next read resolves again.
  public func get() throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      return try value().get()
    } catch {
      MissingValue(error).noteUse()
      throw error
    }
  }

  /// True if there is a value. It is resolved now if it was not read before, since only its block
  /// can tell whether it fails.
  public var isAvailable: Bool { (try? value().get()) != nil }

  private func value() throws(ResolutionError) -> Injected<Value> {
    switch state {
    case .assigned(let value, _): return .value(value)
    case .reading(let reading): return try reading.value()
    }
  }

  /// Injects a declared dependency: `\.mailer`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(Request(dependency, at: CallSite(fileID, filePath, line, column)))
  }

  /// Injects the value that is registered for the property's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column))
  }

  /// Injects the value that is registered for a key.
  public init(key: Key<Value>, at callSite: CallSite) {
    self.init(Request(key.erased, at: callSite))
  }

  /// Creates the value when it is first read, in the present context.
  package init(making make: @escaping @Sendable () -> Value, at callSite: CallSite) {
    state = .reading(FirstReading(of: AnyKey(type: Value.self), at: callSite) { .value(make()) })
  }

  private init(_ request: Request) {
    let resolver = Resolver.current
    let reference = ResolverReference.captured(resolver)
    state = .reading(
      FirstReading(of: request.key, at: request.callSite, from: reference) {
        () throws(ResolutionError) -> Injected<Value> in
        let resolver = try reference.resolver(for: request.key, at: request.callSite)
        let injected: Injected<Value> = resolver.injected(request)
        if case .missing(let missing) = injected { throw missing.error }
        return injected
      })
    resolver.noteLaterUse(of: request.key)
  }
}

extension ResolverReference {
  package func resolver(for key: AnyKey, at callSite: CallSite) throws(ResolutionError) -> Resolver
  {
    guard let resolver else {
      throw ResolutionError(.resolverGone, key: key, path: [key], callSite: callSite)
    }
    return resolver
  }
}

extension LazyInject: RecordsLayer {
  package var recordedLayer: OverrideLayer? { context.layer }
}
