// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Wraps the present answer for a type in a double, overrides the type with the double, and
  /// returns the double.
  ///
  /// ```swift
  /// let spy = try layer.spy(on: (any Mailer).self) { MailerSpy(forwardingTo: $0) }
  /// ```
  ///
  /// The wrapped instance is resolved now, once, with the overrides that this layer has so far. The
  /// layer owns both objects.
  ///
  /// - Parameters:
  ///   - type: The type of the wrapped instance.
  ///   - name: The name of its registration.
  ///   - scope: The scope of its registration.
  ///   - qualifier: The qualifier of its registration.
  ///   - container: The container of its registration.
  ///   - wrap: Gets the instance and creates the double.
  /// - Returns: The double.
  /// - Throws: `ResolutionError` if nothing is registered; `NotADouble` if the double is no `type`;
  ///   the error of `wrap`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on type: Service.Type, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    try spy(
      on: Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column), wrap)
  }

  /// The same for a declared dependency: `layer.spy(on: \.mailer) { MailerSpy(forwardingTo: $0) }`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on dependency: (Dependencies.Type) -> Dependency<Service>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID, filePath, line, column)
    // Production's default is alive only as long as the dependency of a computed static.
    let declared = Dependency.identified(dependency, at: callSite)
    defer { withExtendedLifetime(declared) {} }
    return try spy(on: declared.key, at: callSite, wrap)
  }

  private func spy<Service: Sendable, Double: Sendable>(
    on key: Key<Service>, at callSite: CallSite, _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let double = try wrappingSoFar(key, at: callSite, wrap)
    guard let service = double as? Service else {
      throw NotADouble(double: Double.self, service: Service.self)
    }
    var traits = RegistrationTraits(key: AnyKey(key), at: callSite)
    traits.lifecycle = .cached
    add(Registration(traits, sharing: SendableType(), .existing { service }))
    return double
  }
}

/// The error of a double that does not conform to the type that it should stand in for.
public struct NotADouble: Error, CustomStringConvertible {
  let double: any Any.Type
  let service: any Any.Type

  /// The names of both types.
  public var description: String {
    "'\(TypeDescription.of(double))' cannot stand in for '\(TypeDescription.of(service))': "
      + "it does not conform to it."
  }
}
