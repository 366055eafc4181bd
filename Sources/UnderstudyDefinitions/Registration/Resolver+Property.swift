// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Reads a property as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: What it is read as.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `DefinitionError` if it is missing, malformed or of another type; `ResolutionError` if
  ///   the question came from nowhere.
  @inlinable
  public func property<Value: PropertyScalar>(
    _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value {
    if let found = constantProperty(path), let value = Value(propertyValue: found) { return value }
    return try resolvedScalar(
      path, as: type,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// A property by resolving it: where layers may answer, and what must be noted is.
  @usableFromInline
  func resolvedScalar<Value: PropertyScalar>(
    _ path: String, as type: Value.Type = Value.self, at callSite: CallSite
  ) throws -> Value {
    let found = try propertyValue(path, as: type, at: callSite)
    if let value = Value(propertyValue: found) { return value }
    throw DefinitionError(
      Finding(
        .wrongType(expected: TypeDescription.of(type), found: found.kind), of: .property(path),
        at: propertyOrigin(path)))
  }

  /// Reads a property, or a group of them, as the calling task's layers see it.
  ///
  /// An optional is `nil` where there is no property. A group is decoded from what each of its
  /// properties is now.
  ///
  /// - Parameters:
  ///   - path: Where it is; `""` is the whole tree.
  ///   - type: What it is read as.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value.
  /// - Throws: `DefinitionError` if something is missing, malformed or of another type;
  ///   `ResolutionError` if the question came from nowhere.
  public func property<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value {
    try property(
      path, as: type,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Reads a property that may be missing, as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: What it is read as.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The value, or `nil` if there is none.
  /// - Throws: As reading what must be there.
  public func property<Value: Decodable>(
    _ path: String, as type: Value?.Type = Value?.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value? {
    try property(
      path, as: type,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  func property<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self, at callSite: CallSite
  ) throws -> Value {
    if type is any ExpressibleByNilLiteral.Type, !hasProperty(path) {
      return try Properties.merged(Node(.null, at: Origin("\(callSite)"))).value("", as: type)
    }
    let found = try constantProperty(path) ?? propertyValue(path, as: type, at: callSite)
    if let value: Value = try? PropertyDecoder(found).decode() { return value }
    // What is wrong: the tree is put back at its path, so that findings name the whole path.
    let steps = try path.propertyPath().splitAtIndex
    let values = Properties.merged(
      Node(found, under: [], at: propertyOrigin(path) ?? Origin("\(callSite)")))
    do throws(DefinitionError) {
      return try values.value("", as: type)
    } catch {
      throw DefinitionError(error.findings.map { $0.placed(under: steps.keys, rest: steps.rest) })
    }
  }

  /// Reads a group of properties as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - type: The group.
  ///   - fileID: Where it is asked for.
  ///   - filePath: Where it is asked for.
  ///   - line: Where it is asked for.
  ///   - column: Where it is asked for.
  /// - Returns: The group.
  /// - Throws: As reading by path.
  public func properties<Group: PropertyGroup>(
    _ type: Group.Type = Group.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Group {
    try property(
      Group.path, as: type, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Where a property came from, and what it won over, as the calling task's layers see it:
  /// `` `server.url` from application-dev.json line 4, over common.json ``.
  public func provenance(of path: String) -> String? {
    guard let keys = try? path.propertyPath().splitAtIndex.keys,
      let metadata = propertyMetadata(keys.description)
    else { return nil }
    let over =
      metadata.shadowed.isEmpty
      ? "" : ", over " + metadata.shadowed.map(\.source).joined(separator: ", ")
    return "`\(path)` from \(metadata.origin.prose)\(over)"
  }
}

extension Resolver {
  /// The value at a path, by the registration of the property that it belongs to.
  func propertyValue(
    _ path: String, as type: any Any.Type = PropertyValue.self, at callSite: CallSite = CallSite()
  ) throws -> PropertyValue {
    if path.isCanonicalKeyPath {
      let value = try registeredProperty(path, of: path, as: type, at: callSite)
      noteProperty(path, at: path, [])
      return value
    }
    let (keys, rest) = try path.propertyPath().splitAtIndex
    let whole = try registeredProperty(keys.description, of: path, as: type, at: callSite)
    guard let value = whole.value(at: rest) else { throw missing(path, type) }
    noteProperty(path, at: keys.description, rest)
    return value
  }

  private func registeredProperty(
    _ key: String, of path: String, as type: any Any.Type, at callSite: CallSite
  ) throws -> PropertyValue {
    do throws(ResolutionError) {
      return try resolve(Key<PropertyValue>(named: key))
    } catch {
      guard case .missing = error.reason, error.key.name?.base as? String == key else {
        throw error
      }
      throw missing(path, type)
    }
  }

  private func missing(_ path: String, _ type: any Any.Type) -> DefinitionError {
    let paths = keys.filter { $0.type == PropertyValue.self }
      .compactMap { $0.name?.base as? String }
    return DefinitionError(
      Finding(
        .propertyMissing(
          type: TypeDescription.of(type), nearMisses: paths.nearMisses(of: path),
          sources: [paths.isEmpty ? "no properties are installed" : "what is installed"]),
        of: .property(path)))
  }

  /// True if the calling task sees a property at a path.
  @usableFromInline
  func hasProperty(_ path: String) -> Bool {
    if constantProperty(path) != nil { return true }
    guard let (keys, rest) = try? path.propertyPath().splitAtIndex else { return false }
    guard propertyMetadata(keys.description) != nil else {
      noteUnregistered(AnyKey(type: PropertyValue.self, named: keys.description))
      return false
    }
    return rest.isEmpty || (try? propertyValue(path)) != nil
  }

  private func propertyOrigin(_ path: String) -> Origin? {
    (try? path.propertyPath().splitAtIndex.keys).flatMap {
      propertyMetadata($0.description)?.origin
    }
  }

  /// What is found with the registration that answers for a property.
  private func propertyMetadata(_ key: String) -> PropertyMetadata? {
    let key = AnyKey(type: PropertyValue.self, named: key)
    var layer = OverrideLayer.current?.nearest(of: self)
    while let next = layer {
      if let found = next.registration(for: key) {
        return found.metadata as? PropertyMetadata
          ?? PropertyMetadata(origin: Origin("\(found.callSite)"), place: PropertyPlace())
      }
      layer = next.next(of: self)
    }
    guard let found = store.registration(for: key) else { return nil }
    return found.metadata as? PropertyMetadata
      ?? PropertyMetadata(origin: Origin("\(found.callSite)"), place: PropertyPlace())
  }
}

extension String {
  /// The path that this text is.
  func propertyPath() throws(DefinitionError) -> PropertyPath {
    do throws(PropertyPath.Malformed) {
      return try PropertyPath(self)
    } catch {
      throw DefinitionError(
        Finding(.malformedPath(reason: error.rawValue), of: .property(self)))
    }
  }
}

extension Finding {
  /// The finding of a part of the tree as one of the whole tree.
  fileprivate func placed(
    under keys: PropertyPath, rest: ArraySlice<PropertyPath.Step>
  ) -> Finding {
    guard case .property(let path) = subject, let steps = try? PropertyPath(path).steps else {
      return self
    }
    return Finding(
      problem, of: .property(PropertyPath(keys.steps + rest + steps).description), at: origin)
  }
}
