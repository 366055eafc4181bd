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
  ///   - container: The container of its registration.
  ///   - wrap: Gets the instance and creates the double.
  /// - Returns: The double.
  /// - Throws: `ResolutionError` if nothing is registered; `NotADouble` if the double is no `type`;
  ///   the error of `wrap`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on type: Service.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let (double, service) = try wrapped(Key(named: name, in: container), at: callSite, wrap)
    register(
      service, named: name, in: container, fileID: fileID, filePath: filePath, line: line,
      column: column)
    return double
  }

  /// The same for a declared dependency: `layer.spy(on: \.mailer) { MailerSpy(forwardingTo: $0) }`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on dependency: (Dependencies.Type) -> Dependency<Service>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    // Production's default is alive only as long as the dependency of a computed static.
    let declared = Dependency.identified(dependency, at: callSite)
    defer { withExtendedLifetime(declared) {} }
    let (double, service) = try wrapped(declared.key, at: callSite, wrap)
    override(
      dependency, with: service, fileID: fileID, filePath: filePath, line: line, column: column)
    return double
  }

  private func wrapped<Service, Double>(
    _ key: Key<Service>, at callSite: CallSite, _ wrap: (Service) throws -> Double
  ) throws -> (Double, Service) {
    let double = try wrappingSoFar(key, at: callSite, wrap)
    guard let service = double as? Service else {
      throw NotADouble(double: Double.self, service: Service.self)
    }
    return (double, service)
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
