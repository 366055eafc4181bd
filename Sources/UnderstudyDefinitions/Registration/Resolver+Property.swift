// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
internal import UnderstudyCompatibility

extension Resolver {
  /// Reads a property as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `DefinitionError` if the property is missing, malformed or of another type.
  ///   `ResolutionError` if the request lost its context.
  @inlinable
  public func property<Value: PropertyScalar>(
    _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value {
    if let found = constantProperty(path), let value = Value(propertyValue: found) { return value }
    return try resolvedScalar(path, as: type, at: CallSite(fileID, filePath, line, column))
  }

  /// A property by a resolution, for reads under layers, and for reads that have to be recorded.
  @usableFromInline
  func resolvedScalar<Value: PropertyScalar>(
    _ path: String, as type: Value.Type = Value.self, at callSite: CallSite
  ) throws -> Value {
    try scalar(try propertyValue(path, as: type, at: callSite), at: path, callSite)
  }

  /// The value of a property as a scalar.
  func scalar<Value: PropertyScalar>(
    _ found: PropertyValue, at path: String, _ callSite: CallSite
  ) throws(DefinitionError) -> Value {
    if let value = Value(propertyValue: found.revealed) { return value }
    throw DefinitionError(
      .wrongType(expected: TypeDescription.of(Value.self), found: found.kind), of: .property(path),
      at: propertyOrigin(path, at: callSite))
  }

  /// Reads a property, or a group of them, as the calling task's layers see it.
  ///
  /// An optional is `nil` if there is no property. A group is decoded from the present values of
  /// its properties.
  ///
  /// - Parameters:
  ///   - path: The path of the property. `""` is the whole tree.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `DefinitionError` if a property is missing, malformed or of another type.
  ///   `ResolutionError` if the request lost its context.
  public func property<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value {
    try property(path, as: type, at: CallSite(fileID, filePath, line, column))
  }

  /// Reads a property that may be missing, as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - type: The type of the value.
  /// - Returns: The value, or `nil` if there is none.
  /// - Throws: The errors of a required property, except that it is missing.
  public func property<Value: Decodable>(
    _ path: String, as type: Value?.Type = Value?.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Value? {
    try property(path, as: type, at: CallSite(fileID, filePath, line, column))
  }

  func property<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self, at callSite: CallSite
  ) throws -> Value {
    if type is any ExpressibleByNilLiteral.Type || type is any PropertyGroup.Type {
      if let found = try propertyIfThere(path, at: callSite) {
        return try decoded(found, at: path, callSite)
      }
      if let nothing = type.whenMissing {
        return try Properties.merged(Node(nothing, at: Origin("\(callSite)"))).value("", as: type)
      }
    }
    let found = try constantProperty(path) ?? propertyValue(path, as: type, at: callSite)
    return try decoded(found, at: path, callSite)
  }

  /// The value of a property, decoded.
  func decoded<Value: Decodable>(
    _ found: PropertyValue, at path: String, _ callSite: CallSite
  ) throws -> Value {
    let members = membersToNote(isOptional: Value.self is any ExpressibleByNilLiteral.Type)
    if let value: Value = try? PropertyDecoder(found, noting: members).decode() {
      noteMayBeMissing(members, at: path)
      return value
    }
    // The tree is put back at its path, so that findings name the whole path.
    let steps = try path.propertyPath().splitAtIndex
    let values = Properties.merged(
      Node(found, under: [], at: propertyOrigin(path, at: callSite) ?? Origin("\(callSite)")))
    do throws(DefinitionError) {
      return try values.value("")
    } catch {
      throw DefinitionError(error.findings.map { $0.placed(under: steps.keys, rest: steps.rest) })
    }
  }

  /// Reads a group of properties as the calling task's layers see it.
  ///
  /// - Parameters:
  ///   - type: The group.
  /// - Returns: The group.
  /// - Throws: The errors of a read by path.
  public func properties<Group: PropertyGroup>(
    _ type: Group.Type = Group.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws -> Group {
    try property(
      Group.path, as: type, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The source of a property and the sources that it replaced, as the calling task's layers see
  /// it: "from application-dev.json line 4, over common.json", behind the path of the property.
  ///
  /// If a running test overrides the property, work that lost its context gets production's source,
  /// and there is an issue of the run.
  public func provenance(
    of path: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> String? {
    let callSite = CallSite(fileID, filePath, line, column)
    guard let (keys, rest) = try? path.propertyPath().splitAtIndex,
      let metadata = propertyMetadata(of: .property(at: keys.description, from: callSite)),
      metadata.origin.ifSomewhere != nil
    else { return nil }
    // The value of a block or a decorator is unknown until it runs.
    if let value = metadata.constant, value.value(at: rest) == nil { return nil }
    return metadata.origin.provenance(of: path, over: metadata.shadowed)
  }
}

extension Resolver {
  /// The value at a path, from the registration of the property that contains it.
  func propertyValue(
    _ path: String, as type: any Any.Type = PropertyValue.self, at callSite: CallSite = CallSite()
  ) throws -> PropertyValue {
    let (key, rest) = try path.splitAtIndex
    guard let value = try resolvedProperty(path, at: key, rest, callSite) else {
      throw missing(path, type, at: callSite)
    }
    return value
  }

  /// The same, or `nil` if the calling task sees no property at the path.
  ///
  /// - Throws: `DefinitionError` if the path cannot be read. `ResolutionError` if the request has
  ///   lost its context, or if a block or a decorator fails.
  func propertyIfThere(
    _ path: String, at callSite: CallSite = CallSite()
  ) throws -> PropertyValue? {
    if let found = constantProperty(path) { return found }
    let (key, rest) = try path.splitAtIndex
    let request = Request.property(at: key, from: callSite)
    let top = try layerOfCaller(request)
    noteMayBeMissing(request.key, under: top)
    guard propertyMetadata(of: request, under: top) != nil else {
      note(nil, to: request.key)
      return nil
    }
    return try resolvedProperty(path, at: key, rest, callSite)
  }

  /// The part of the property with a key, by one resolution, or `nil` if there is none.
  private func resolvedProperty(
    _ path: String, at key: String, _ rest: ArraySlice<PropertyPath.Step>, _ callSite: CallSite
  ) throws(ResolutionError) -> PropertyValue? {
    let property = Key<PropertyValue>(named: key)
    if let hiding = propertyHiding(property.erased, under: .ofCaller) {
      // The instance in creation depends on that property.
      _ = try resolve(hiding, at: callSite)
      return nil
    }
    do throws(ResolutionError) {
      guard let value = try resolve(property, at: callSite).value(at: rest) else { return nil }
      noteProperty(path, at: key, rest)
      return value
    } catch {
      guard error.isAbsence(ofPropertyAt: key) else { throw error }
      return nil
    }
  }

  private func missing(
    _ path: String, _ type: any Any.Type, at callSite: CallSite
  ) -> DefinitionError {
    let top = try? layerOfCaller(.property(at: path, from: callSite))
    let paths = visibleRegistrations(of: PropertyValue.self, under: top)
      .filter { ($0.metadata as? PropertyMetadata)?.isGone != true }
      .compactMap { $0.key.name?.base as? String }
    return DefinitionError(
      .propertyMissing(
        type: TypeDescription.of(type), nearMisses: paths.nearMisses(of: path),
        sources: [paths.isEmpty ? "no properties are installed" : "the installed properties"]),
      of: .property(path))
  }

  private func propertyOrigin(_ path: String, at callSite: CallSite) -> Origin? {
    (try? path.propertyPath().splitAtIndex.keys).flatMap {
      propertyMetadata(of: .property(at: $0.description, from: callSite))?.origin
    }
  }

  /// The metadata of the registration that answers for a property, for a caller that cannot throw.
  private func propertyMetadata(of request: Request) -> PropertyMetadata? {
    let top = layerOrProduction(request)
    let found = propertyMetadata(of: request, under: top)
    return found?.isGone == true || propertyHiding(request.key, under: top) != nil ? nil : found
  }

  /// True if the calling task sees a property, without a resolution.
  func knowsProperty(_ key: AnyKey) -> Bool {
    propertyMetadata(of: Request(key, at: CallSite())) != nil
  }

  /// The metadata of the registration that answers for a property.
  private func propertyMetadata(
    of request: Request, under top: OverrideLayer?
  ) -> PropertyMetadata? {
    answers(to: request.key, under: top).first.map { PropertyMetadata(of: $0.registration) }
  }
}

extension Request {
  /// A request for the property at a canonical path.
  fileprivate static func property(at path: String, from callSite: CallSite) -> Request {
    Request(.property(path), at: callSite)
  }
}

extension PropertyMetadata {
  fileprivate init(of registration: AnyRegistration) {
    self =
      registration.metadata as? PropertyMetadata
      ?? PropertyMetadata(
        origin: Origin("\(registration.callSite)"), place: PropertyPlace())
  }
}

extension String {
  /// The canonical path of the property that contains the value at this path, and the steps inside
  /// that property.
  fileprivate var splitAtIndex: (key: String, rest: ArraySlice<PropertyPath.Step>) {
    get throws(DefinitionError) {
      if isCanonicalKeyPath { return (self, []) }
      let (keys, rest) = try propertyPath().splitAtIndex
      return (keys.description, rest)
    }
  }

  /// The text as a path.
  func propertyPath() throws(DefinitionError) -> PropertyPath {
    do throws(PropertyPath.Malformed) {
      return try PropertyPath(self)
    } catch {
      throw DefinitionError([error.finding(of: self)])
    }
  }
}

extension Finding {
  /// A finding about a part of the tree as a finding about the whole tree.
  fileprivate func placed(
    under keys: PropertyPath, rest: ArraySlice<PropertyPath.Step>
  ) -> Finding {
    guard case .property(let path) = subject, let steps = try? PropertyPath(path).steps else {
      return self
    }
    func placed(_ steps: [PropertyPath.Step]) -> String {
      PropertyPath(keys.steps + rest + steps).description
    }
    var problem = problem
    if case .propertyMissing(let type, let nearMisses, let sources) = problem {
      let isOfSeveral = sources == [Origin.nowhere.source]
      problem = .propertyMissing(
        type: type, nearMisses: nearMisses.map { (try? PropertyPath($0).steps).map(placed) ?? $0 },
        sources: isOfSeveral ? ["the installed properties"] : sources)
    }
    return Finding(problem, of: .property(placed(steps)), at: origin)
  }
}
