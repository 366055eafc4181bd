// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Wraps what this layer or those below answer in a double, overrides it with that, and returns the
  /// double.
  ///
  /// ```swift
  /// let spy = try layer.spy(on: (any Mailer).self) { MailerSpy(forwardingTo: $0) }
  /// ```
  ///
  /// What is wrapped is resolved now, once, under this layer: it is made of what the layer overrides so
  /// far. It belongs to the layer, and so does the double.
  ///
  /// - Parameters:
  ///   - type: What is spied on.
  ///   - name: The name that it is registered under.
  ///   - container: The container that it is registered in.
  ///   - fileID: Where the spy is put.
  ///   - filePath: Where the spy is put.
  ///   - line: Where the spy is put.
  ///   - column: Where the spy is put.
  ///   - wrap: Gets what is there, and makes the double.
  /// - Returns: The double.
  /// - Throws: `ResolutionError` if nothing is there; `NotADouble` if the double is no `type`; what
  ///   `wrap` throws.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on type: Service.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let double = try wrappingSoFar(
      Key<Service>(named: name, in: container), at: callSite, wrap)
    guard let service = double as? Service else {
      throw NotADouble(double: Double.self, service: Service.self)
    }
    register(
      service, named: name, in: container, fileID: fileID, filePath: filePath, line: line,
      column: column)
    return double
  }
}

/// A double does not conform to what it should stand in for.
public struct NotADouble: Error, CustomStringConvertible {
  let double: any Any.Type
  let service: any Any.Type

  /// Which type is not which.
  public var description: String {
    "'\(TypeDescription.of(double))' cannot stand in for '\(TypeDescription.of(service))': "
      + "it does not conform to it."
  }
}
