// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers a group of properties, so that you can resolve and inject it by its type.
  ///
  /// It is created for each request, from the present values.
  ///
  /// - Parameters:
  ///   - type: The group.
  /// - Returns: The key of the group.
  @discardableResult
  public func register<Group: PropertyGroup>(
    properties type: Group.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Group> {
    register(type, fileID: fileID, filePath: filePath, line: line, column: column) {
      (resolver: Resolver) in
      try resolver.properties(
        Group.self, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

extension Resolver {
  /// Resolves the registration that a property names.
  ///
  /// ```swift
  /// let logger = try resolver.resolve((any Logger).self, namedBy: "logger.storage")
  /// ```
  ///
  /// The property is read now, under the calling task's layers. So a layer that sets it switches
  /// the implementation. A secret is refused, because errors, the log and the graph show names.
  ///
  /// - Parameters:
  ///   - type: The requested type. `[T]` is every registration of `T` under that name.
  ///   - path: The property whose text is the name.
  /// - Returns: The value.
  /// - Throws: The error of the property, or `ResolutionError` if nothing has that name.
  public func resolve<Value>(
    _ type: Value.Type = Value.self, namedBy path: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value {
    let name = try name(at: path, CallSite(fileID, filePath, line, column))
    return try resolve(
      type, named: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves the registration that a property names, and waits for it.
  ///
  /// - Parameters:
  ///   - type: The requested type. `[T]` is every registration of `T` under that name.
  ///   - path: The property whose text is the name.
  /// - Returns: The value.
  /// - Throws: The error of the property, or `ResolutionError` if nothing has that name.
  public func resolveAsync<Value: Sendable>(
    _ type: Value.Type = Value.self, namedBy path: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async throws -> Value {
    let name = try name(at: path, CallSite(fileID, filePath, line, column))
    return try await resolveAsync(
      type, named: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Inject {
  /// Injects the registration that a property names. The property must be no secret. An error of
  /// the property is reported where the registration is read.
  ///
  /// - Parameters:
  ///   - path: The property whose text is the name.
  public init(
    namedBy path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let resolver = Resolver.current
    let callSite = CallSite(fileID, filePath, line, column)
    do {
      let name = try resolver.orProduction { () throws in try resolver.name(at: path, callSite) }
      self.init(named: name, fileID: fileID, filePath: filePath, line: line, column: column)
    } catch {
      let missing = MissingValue(ResolutionError(error, ofPropertyAt: path, at: callSite))
      self.init(.missing(missing))
    }
  }
}

extension Resolver {
  /// The text of a property that holds a name. It must not be a secret, since errors, the log and
  /// the graph show names.
  fileprivate func name(at path: String, _ callSite: CallSite) throws -> String {
    let found = try constantProperty(path) ?? propertyValue(path, as: String.self, at: callSite)
    if found.isSecret {
      throw DefinitionError(
        .refused("a secret as a name, which is seen in errors"), of: .property(path))
    }
    return try String(propertyValue: found) ?? resolvedScalar(path, at: callSite)
  }
}
