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
/// A property that is missing or of another type does no harm until it is read. The read ends the
/// process with the whole explanation, and `try $url.get()` throws it. `Properties.validate(_:)`
/// finds it before. With a default, or as an optional, the property may be missing, but must not be
/// of another type. If the test forbids the property, its issue comes when the owner is created.
@propertyWrapper
@frozen
public struct Property<Value: Decodable> {
  @usableFromInline var reading: Reading

  @frozen
  @usableFromInline
  enum Reading {
    case value(Value)
    case missing(MissingProperty)
  }

  /// The injected value. Reading one that is missing or of another type ends the process.
  @inlinable
  public var wrappedValue: Value {
    get {
      switch reading {
      case .value(let value): value
      case .missing(let missing): missing.trap()
      }
    }
    set { reading = .value(newValue) }
  }

  /// The wrapper itself: `try $url.get()`.
  public var projectedValue: Property { self }

  /// The value, for a caller that can handle its absence.
  ///
  /// - Throws: `DefinitionError` if the property is missing, malformed or of another type;
  ///   `ResolutionError` if its block or a decorator failed.
  public func get() throws -> Value {
    switch reading {
    case .value(let value): value
    case .missing(let missing): throw missing.error
    }
  }

  /// True if there is a value.
  public var isAvailable: Bool { if case .value = reading { true } else { false } }

  /// Injects the value at a path.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  public init(
    _ path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let resolver = Resolver.current
    let callSite = CallSite(fileID, filePath, line, column)
    reading = resolver.reading(path, at: callSite) { () throws in
      try resolver.property(path, at: callSite)
    }
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
    let callSite = CallSite(fileID, filePath, line, column)
    reading = resolver.reading(path, at: callSite) { () throws in
      try resolver.propertyIfThere(path, at: callSite)
        .map { try resolver.decoded($0, at: path, callSite) } ?? wrappedValue
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
      reading = .value(value)
    } else {
      reading = Resolver.current.scalarReading(
        path, at: CallSite(fileID, filePath, line, column))
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
      reading = .value(value)
    } else {
      reading = Resolver.current.scalarReading(
        path, or: wrappedValue,
        at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Injects a group of properties.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) where Value: PropertyGroup {
    self.init(Value.path, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Property: Sendable where Value: Sendable {}
extension Property.Reading: Sendable where Value: Sendable {}

/// A property that could not be read. It has no effect until it is used.
@usableFromInline
final class MissingProperty: Sendable {
  let error: any Error
  private let value: MissingValue
  private let callSite: CallSite

  fileprivate init(_ error: any Error, at path: String, callSite: CallSite) {
    self.error = error
    self.callSite = callSite
    value = MissingValue(ResolutionError(error, ofPropertyAt: path, at: callSite))
  }

  /// Ends the process with the error and the place of the injection.
  @usableFromInline
  func trap() -> Never {
    guard let error = error as? DefinitionError else { value.trap() }
    let messages = error.findings.map { finding in
      var message = finding.message
      message.facts.append(.init("Injected at", "\(callSite)"))
      return message
    }
    // An exit test inspects the output of the process.
    if let host = TestHosts.current, !host.expectsExit {
      for message in messages { host.report(Violation(message, at: callSite)) }
    }
    fatalError("\n" + messages.map(\.description).joined(separator: "\n"))
  }
}

extension Resolver {
  @usableFromInline
  func scalarReading<Value: PropertyScalar>(
    _ path: String, at callSite: CallSite
  ) -> Property<Value>.Reading {
    reading(path, at: callSite) { () throws in try resolvedScalar(path, at: callSite) }
  }

  @usableFromInline
  func scalarReading<Value: PropertyScalar>(
    _ path: String, or fallback: Value, at callSite: CallSite
  ) -> Property<Value>.Reading {
    reading(path, at: callSite) { () throws in
      try propertyIfThere(path, at: callSite).map { try scalar($0, at: path, callSite) } ?? fallback
    }
  }

  fileprivate func reading<Value>(
    _ path: String, at callSite: CallSite, _ read: () throws -> Value
  ) -> Property<Value>.Reading {
    do {
      return .value(try orProduction(read))
    } catch {
      return .missing(MissingProperty(error, at: path, callSite: callSite))
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
    let key = AnyKey.property(path)
    self =
      error as? ResolutionError
      ?? ResolutionError(.failed(error), key: key, path: [key], callSite: callSite)
  }
}
