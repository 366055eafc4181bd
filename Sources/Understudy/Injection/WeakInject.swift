// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects an object when its owner is created, and does not keep it alive.
///
/// The property is `nil` if nothing was registered, and once nothing else retains the object. If a
/// block failed, or returned a value that is no object, the wrapper keeps the error. Reading the
/// property then reports the error on the test and returns `nil`. In a process without tests, it
/// ends the process. `try $session.get()` throws the error.
@propertyWrapper
public struct WeakInject<Value: Sendable>: KeyInjecting, Sendable {
  private var injected: Injected<WeakReference<Value>?>
  private let origin = Surroundings.current.origin

  /// The injected object, for as long as something else retains it.
  ///
  /// - Precondition: Nothing failed when the owner was created. While a test runs, a failure is an
  ///   issue instead.
  public var wrappedValue: Value? {
    get {
      switch injected {
      case .value(let reference), .substitute(let reference, _): return reference?.value
      case .missing(let missing):
        missing.reportOrTrap()
        return nil
      }
    }
    set { injected = Injected.value(newValue).heldWeakly(at: .unknown) }
  }

  /// The wrapper itself, to read the object without a trap.
  public var projectedValue: WeakInject { self }

  /// The injected object, or `nil` if it is gone or was not registered.
  ///
  /// - Throws: `ResolutionError`, if a block failed when the owner was created, or returned no
  ///   object.
  public func get() throws(ResolutionError) -> Value? { try injected.get()?.value }

  /// True if there is an object to read, now.
  public var isAvailable: Bool {
    if case .value(let reference?) = injected { reference.value != nil } else { false }
  }

  /// Injects a declared dependency: `\.mailer`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    self.init(
      Resolver.current.injected(Request(dependency, at: callSite)).map { Optional($0) },
      at: callSite)
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
    self.init(Resolver.current.injectedIfThere(Request(key.erased, at: callSite)), at: callSite)
  }

  package init(holding value: Value?) { self.init(.value(value), at: .unknown) }

  private init(_ value: Injected<Value?>, at callSite: CallSite) {
    injected = value.heldWeakly(at: callSite)
  }
}

extension Injected {
  /// A weak reference to the injected object. A value that is no object is an error.
  package func heldWeakly<Object: Sendable>(
    at callSite: CallSite
  ) -> Injected<WeakReference<Object>?> where Value == Object? {
    let held = map { $0.map { WeakReference($0) } }
    guard case let value?? = valueOrSubstitute, case let reference?? = held.valueOrSubstitute,
      !reference.isObject
    else { return held }
    let key = AnyKey(type: type(of: value as Any))
    return .missing(
      MissingValue(ResolutionError(.cannotBeHeldWeakly, key: key, path: [key], callSite: callSite)))
  }
}

extension WeakInject: RecordsLayer {
  package var recordedLayer: OverrideLayer? { OverrideLayer.recorded(origin) }
}
