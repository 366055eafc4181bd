// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import UnderstudyCompatibility

/// The targets of the names in installed definitions.
struct ReferenceTable: Sendable {
  enum Target: Sendable {
    case service(CatalogueEntry)
    /// A property, at a canonical path.
    case property(String)
  }

  private let definitions: CheckedDefinitions

  init(_ definitions: CheckedDefinitions) {
    self.definitions = definitions
  }

  func target(of name: String) -> Target? {
    if let service = definitions.services[definitions.aliases[name] ?? name] {
      return .service(service.entry)
    }
    return definitions.parameters.parameterPath(named: name).map { .property($0) }
  }

  /// The properties that other code must install, if the name is one of them.
  func propertiesToInstall(for name: String) -> Properties? {
    guard let properties = definitions.properties,
      properties.propertyPath(named: name).flatMap({ properties[$0] }) != nil
    else { return nil }
    return properties
  }

  /// The keys that the creation of a service is known to need.
  func needs(of service: CheckedService) -> [AnyKey] {
    var needs: [AnyKey] = []
    if let factory = service.factory, case .service(let entry) = target(of: factory) {
      needs.append(AnyKey(type: entry.type, named: factory))
    }
    for part in service.references {
      switch part.content {
      case .reference(let name):
        switch target(of: name) {
        case .service(let entry): needs.append(AnyKey(type: entry.type, named: name))
        case .property(let path): needs.append(.property(path))
        case nil: break
        }
      case .tagged(let tag): needs.append(AnyKey(type: TaggedServices.self, named: tag))
      default: break
      }
    }
    return needs
  }
}

/// Resolves references of arguments at each creation, so that overrides answer and the log counts.
struct ReferenceResolver: ReferenceResolving {
  let resolver: Resolver
  let table: ReferenceTable
  /// The place that installed the definitions. It is the place of requests for references.
  let callSite: CallSite

  func property(named name: String) throws -> PropertyValue? {
    switch table.target(of: name) {
    case .service: return nil
    case .property(let path): return try resolver.propertyValue(path, at: callSite)
    case nil:
      return try registeredKeys(name).isEmpty ? propertyIfThere(name) : nil
    }
  }

  func value<Value>(named name: String, as type: Value.Type) throws -> Value? {
    if case .service(let entry) = table.target(of: name) {
      return try entry.resolve(name, resolver, callSite) as? Value
    }
    return try registered(name, as: type)
  }

  /// The keys of registrations in code with a name, without properties and containers.
  private func registeredKeys(_ name: String) throws -> [AnyKey] {
    try resolver.visibleKeys(named: name, at: callSite).filter {
      $0.type != PropertyValue.self && $0.container == nil
    }
  }

  /// The registration in code with a name, of the requested type or of a type that conforms to it,
  /// or else a property.
  private func registered<Value>(_ name: String, as type: Value.Type) throws -> Value? {
    let wanted = AnyKey(type: type, named: name)
    let keys = try registeredKeys(name)
    if keys.isEmpty { try checkInstalled(name) }
    if keys.contains(wanted) || keys.isEmpty {
      return try resolver.resolve(Key<Value>(named: name), at: callSite)
    }
    // A structure of another type is not created in vain.
    for key in keys where !TypeRelation.excludesParts(key.type, type) {
      func resolve<Found>(_ type: Found.Type) throws -> Any {
        try resolver.resolve(Key<Found>(named: name), at: callSite)
      }
      if let value = try _openExistential(key.type, do: resolve) as? Value { return value }
    }
    guard let value = try propertyIfThere(name) else { return nil }
    return type == PropertyValue.self ? value as? Value : value.read(as: type)
  }

  /// Throws if a name is a property and none of the given properties is installed. Otherwise an
  /// array would silently be empty.
  private func checkInstalled(_ name: String) throws {
    guard let properties = table.propertiesToInstall(for: name),
      !properties.paths.contains(where: { resolver.knowsProperty(.property($0)) })
    else { return }
    throw DefinitionError(
      .incomplete(
        "The properties of the definitions are not installed."
          + " Install them together with the definitions."), of: .property(name))
  }

  /// The property with a name as its path. A name need not be a path.
  private func propertyIfThere(_ name: String) throws -> PropertyValue? {
    try (try? PropertyPath(name)) == nil ? nil : resolver.propertyIfThere(name, at: callSite)
  }

  func service(named name: String) throws -> any Sendable {
    guard case .service(let entry) = table.target(of: name) else {
      throw DefinitionError(.missingReference(name, nearMisses: []))
    }
    return try entry.resolve(name, resolver, callSite)
  }

  func services(tagged tag: String) throws -> [any Sendable] {
    let services = try resolver.resolve(Key<TaggedServices>(named: tag), at: callSite)
    return try resolver.values(of: services, at: callSite) { service, _ in service }
  }
}
