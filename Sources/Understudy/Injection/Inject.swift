// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency when its owner is created.
///
/// ```swift
/// final class Checkout {
///   @Inject(\.mailer) var mailer
///   @Inject var store: any Store
///   @Inject(named: Name.real) var named: any Mailer
/// }
/// ```
///
/// The wrapper resolves from `Resolver.current`, under the layers that the calling task sees. If
/// there is no value, reading the property reports the error on the test and ends the process, and
/// `$store.get()` throws it. In work that lost its context, or whose layer has ended, `get()`
/// throws, and the property is production's value.
@propertyWrapper
@frozen
public struct Inject<Value>: KeyInjecting {
  @usableFromInline var injected: Injected<Value>
  /// The layer under which the owner is created.
  private let origin: (any AnyObject & Sendable)?

  /// The injected value.
  ///
  /// - Precondition: There is a value. Otherwise the test has an issue, and the process ends.
  @inlinable
  public var wrappedValue: Value {
    get { injected.valueOrTrap }
    set { injected = .value(newValue) }
  }

  /// The wrapper itself, to read the value without a trap.
  public var projectedValue: Inject { self }

  /// The injected value.
  ///
  /// - Throws: `ResolutionError`, if there was no value when the owner was created.
  public func get() throws(ResolutionError) -> Value { try injected.get() }

  /// True if there is a value to read.
  public var isAvailable: Bool { injected.isAvailable }

  /// Injects a declared dependency: `\.mailer`.
  @inlinable
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    var dependency = dependency(Dependencies.self)
    self.init(
      &dependency, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  @usableFromInline
  init(_ dependency: inout Dependency<Value>, at callSite: CallSite) {
    Dependency.checkSharing(of: &dependency, at: callSite)
    self.init(
      Request(
        dependency.erasedKey, declared: dependency.registration, at: callSite, keepsErrors: true))
  }

  /// Injects the value that is registered for the property's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      Request(
        .made(Value.self, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
        at: CallSite(fileID, filePath, line, column), keepsErrors: true))
  }

  /// Injects the value that is registered for a key.
  public init(key: Key<Value>, at callSite: CallSite) {
    self.init(Request(key.erased, at: callSite, keepsErrors: true))
  }

  private init(_ request: Request) {
    let surroundings = Surroundings.current
    origin = surroundings.origin
    injected = surroundings.resolver.injected(request, surroundings)
  }
}

extension Inject {
  package init(_ injected: Injected<Value>) {
    self.injected = injected
    origin = Surroundings.current.origin
  }
}

extension Inject: RecordsLayer {
  package var recordedLayer: OverrideLayer? { OverrideLayer.recorded(origin) }
}

extension Inject: Sendable where Value: Sendable {}
