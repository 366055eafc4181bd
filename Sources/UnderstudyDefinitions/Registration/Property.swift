// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Injects a property when its owner is created.
///
/// ```swift
/// struct Client {
///   @Property("server.url") var url: URL
///   @Property("server.retries") var retries = 3
///   @Property("server.proxy") var proxy: String?
///   @Property var server: ServerConfig
/// }
/// ```
///
/// The wrapper resolves from `Resolver.current`, under the layers that the calling task sees, as
/// `@Inject` does. If a running test overrides the property, work that lost its context gets
/// production's value, and there is an issue of the run.
///
/// A property that is missing or of another type ends the process with the whole explanation, since
/// the initialiser of a property cannot throw. `Properties.validate(_:)` finds it before. With a
/// default, or as an optional, the property may be missing, but must not be of another type.
@propertyWrapper
@frozen
public struct Property<Value: Decodable> {
  /// The injected value.
  public var wrappedValue: Value

  /// Injects the value at a path.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  public init(
    _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    wrappedValue = Resolver.current.propertyOrTrap(
      path, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Injects the value at a path, or a default if there is none.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default.
  ///   - path: Where the value is.
  public init(
    wrappedValue: Value, _ path: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let resolver = Resolver.current
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.wrappedValue = resolver.orTrap(path, at: callSite) { () throws in
      try resolver.hasProperty(path, at: callSite)
        ? resolver.property(path, at: callSite) : wrappedValue
    }
  }

  /// Injects the scalar at a path.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  @inlinable
  public init(
    _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) where Value: PropertyScalar {
    if let found = Resolver.constantProperty(path), let value = Value(propertyValue: found) {
      wrappedValue = value
    } else {
      wrappedValue = Resolver.current.scalarOrTrap(
        path, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// Injects the scalar at a path, or a default if there is none.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default.
  ///   - path: Where the value is.
  @inlinable
  public init(
    wrappedValue: Value, _ path: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) where Value: PropertyScalar {
    if let found = Resolver.constantProperty(path), let value = Value(propertyValue: found) {
      self.wrappedValue = value
    } else {
      self.wrappedValue = Resolver.current.scalarOrTrap(
        path, or: wrappedValue,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// Injects a group of properties.
  ///
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) where Value: PropertyGroup {
    self.init(Value.path, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Property: Sendable where Value: Sendable {}

extension DefinitionError {
  /// Ends the process with the error and the place of the read.
  fileprivate func trap(at callSite: CallSite) -> Never {
    let texts = findings.map { finding in
      var message = finding.message
      message.facts.append(.init("Read at", "\(callSite)"))
      return message.description
    }
    fatalError("\n" + texts.joined(separator: "\n"))
  }
}

extension Resolver {
  /// Reads for a caller that cannot throw.
  fileprivate func propertyOrTrap<Value: Decodable>(
    _ path: String, at callSite: CallSite
  ) -> Value {
    orTrap(path, at: callSite) { () throws in try property(path, at: callSite) }
  }

  @usableFromInline
  func scalarOrTrap<Value: PropertyScalar>(_ path: String, at callSite: CallSite) -> Value {
    orTrap(path, at: callSite) { () throws in try resolvedScalar(path, at: callSite) }
  }

  @usableFromInline
  func scalarOrTrap<Value: PropertyScalar>(
    _ path: String, or fallback: Value, at callSite: CallSite
  ) -> Value {
    orTrap(path, at: callSite) { () throws in
      try hasProperty(path, at: callSite) ? resolvedScalar(path, at: callSite) : fallback
    }
  }

  /// The same for a caller that cannot throw.
  func orTrap<Value>(
    _ path: String, at callSite: CallSite, _ read: () throws -> Value
  ) -> Value {
    do {
      return try orProduction(read)
    } catch let error as DefinitionError {
      error.trap(at: callSite)
    } catch {
      ResolutionError(error, ofPropertyAt: path, at: callSite).trap()
    }
  }

  /// The result of `read`. Escaped work gets production's value, with an issue of the run.
  func orProduction<Value>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as ResolutionError {
      guard error.isEscape, let value = try? ProductionAlone.answering(read) else { throw error }
      return value
    }
  }
}

extension ResolutionError {
  /// An error as one of a property's resolution.
  init(_ error: any Error, ofPropertyAt path: String, at callSite: CallSite) {
    let key = AnyKey(type: PropertyValue.self, named: path)
    self =
      error as? ResolutionError
      ?? ResolutionError(.failed(error), key: key, path: [key], callSite: callSite)
  }
}
