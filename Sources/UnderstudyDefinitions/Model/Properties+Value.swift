// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Properties {
  /// Reads the value at a path.
  ///
  /// - Parameters:
  ///   - path: Where the value is.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: A missing property, with similar paths, or a value of another type, with its place.
  @inlinable
  public func value<Value: PropertyScalar>(
    _ path: String, as type: Value.Type = Value.self
  ) throws(DefinitionError) -> Value {
    if let found = leaf(path), let value = Value(propertyValue: found) { return value }
    return try scalar(path, type)
  }

  /// The value at a path in its canonical spelling.
  @usableFromInline
  func leaf(_ path: String) -> PropertyValue? { entries[path]?.value }

  @usableFromInline
  func scalar<Value: PropertyScalar>(
    _ path: String, _ type: Value.Type
  ) throws(DefinitionError) -> Value {
    guard let found = self[path] else { throw missing(path, type) }
    guard let value = Value(propertyValue: found.revealed) else {
      throw DefinitionError(
        .wrongType(expected: TypeDescription.of(type), found: found.kind), of: .property(path),
        at: origin(of: path))
    }
    return value
  }

  /// Reads the value at a path: an array, an optional, a group of properties.
  ///
  /// - Parameters:
  ///   - path: The path of the value. `""` is the whole tree.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: Missing properties, and values of another type, with their places.
  public func value<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self
  ) throws(DefinitionError) -> Value {
    try decoded(path, as: type)
  }

  private func decoded<Value: Decodable>(
    _ path: String, as type: Value.Type
  ) throws(DefinitionError) -> Value {
    guard let found = found(path, as: type) else { throw missing(path, type) }
    do {
      return try PropertyDecoder(found).decode()
    } catch {
      throw DefinitionError([finding(for: error, under: path, type)])
    }
  }

  /// Reads the value at a path, or is `nil` if there is none.
  ///
  /// - Parameters:
  ///   - path: Where the value is.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: A value of another type, with its place.
  public func value<Value: Decodable>(
    _ path: String, as type: Value?.Type = Value?.self
  ) throws(DefinitionError) -> Value? {
    try decoded(path, as: type)
  }

  /// The findings of reading the value at a path, all at once.
  func findings<Value: Decodable>(of path: String, as type: Value.Type) -> [Finding] {
    guard let found = found(path, as: type) else { return missing(path, type).findings }
    let mismatches = PropertyDecoder.MismatchList()
    _ = try? PropertyDecoder(found, for: .checking(mismatches)).decode(type)
    return mismatches.list.map { finding(for: $0, under: path, type) }
  }

  /// The value at a path, or for a missing one the value from which the type is read. The path must
  /// be valid.
  private func found(_ path: String, as type: any Decodable.Type) -> PropertyValue? {
    self[path] ?? ((try? PropertyPath(path)) == nil ? nil : type.whenMissing)
  }

  private func missing(_ path: String, _ type: any Any.Type) -> DefinitionError {
    do throws(DefinitionError) {
      _ = try path.propertyPath()
    } catch {
      return error
    }
    return DefinitionError(
      .propertyMissing(
        type: TypeDescription.of(type), nearMisses: paths.nearMisses(of: path), sources: sources),
      of: .property(path))
  }

  private func finding(
    for error: any Error, under path: String, _ type: any Any.Type
  ) -> Finding {
    let steps = (try? PropertyPath(path).steps) ?? []
    func place(_ more: [PropertyPath.Step]) -> String {
      PropertyPath(steps + more).description
    }
    guard let error = error as? PropertyDecoder.Mismatch else {
      return Finding(
        .wrongType(expected: TypeDescription.of(type), found: "another value"),
        of: .property(path), at: origin(of: path))
    }
    let path = place(error.path)
    guard let found = error.found else {
      return Finding(
        .propertyMissing(
          type: error.expected, nearMisses: paths.nearMisses(of: path), sources: sources),
        of: .property(path), at: origin(of: place(error.path.dropLast())))
    }
    return Finding(
      .wrongType(expected: error.expected, found: found), of: .property(path),
      at: origin(of: path))
  }
}

extension Decodable {
  /// The value to decode for a missing property: null for an optional, and an empty object for a
  /// group of optionals.
  static var whenMissing: PropertyValue? {
    if self is any ExpressibleByNilLiteral.Type { return .null }
    let nothing = PropertyValue.object([:])
    guard self is any PropertyGroup.Type, (try? PropertyDecoder(nothing).decode(Self.self)) != nil
    else { return nil }
    return nothing
  }
}

extension Properties {
  /// A parameter by its whole name, in which dots are literal, or by a path, but not the whole
  /// tree.
  package func parameter(named name: String) -> PropertyValue? {
    parameterPath(named: name).flatMap { self[$0] }
  }

  /// The path of a parameter.
  package func parameterPath(named name: String) -> String? {
    let path = PropertyPath([.key(name)]).description
    if entries[path] != nil { return path }
    return propertyPath(named: name)
  }

  /// The path with this name, if there is a property and it is not the whole tree.
  package func propertyPath(named name: String) -> String? {
    guard let path = try? PropertyPath(name), !path.steps.isEmpty else { return nil }
    return self[name] != nil ? name : nil
  }
}
