// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Properties: Assembly {
  /// Registers every property, and every object that has some, by path; on a layer it overrides them.
  ///
  /// What is there already is kept where this says nothing: objects are merged.
  public func assemble(into registrar: some Registering) {
    if let layer = registrar as? OverrideLayer {
      for path in paths { layer.set(path, self[path] ?? .null) }
      return
    }
    for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
      registrar.add(entry.registration(at: path, over: registrar as? Resolver))
    }
  }
}

/// What is found with the registration of a property.
struct PropertyMetadata: Sendable {
  let origin: Origin
  let shadowed: [Origin]
  /// The keys within an object; `nil` for a property.
  let children: [String]?
  /// What the block always gives, if it does; `nil` for an object, which is made of its parts.
  var constant: PropertyValue?

  var withoutConstant: PropertyMetadata {
    var copy = self
    copy.constant = nil
    return copy
  }
}

extension Properties.Entry {
  /// The registration at a path.
  ///
  /// - Parameters:
  ///   - path: The canonical path.
  ///   - resolver: Where it will be: what is there already is merged.
  /// - Returns: The registration.
  func registration(at path: String, over resolver: Resolver?) -> AnyRegistration {
    var traits = RegistrationTraits(
      key: AnyKey(type: PropertyValue.self, named: path), at: CallSite())
    let before = resolver?.store.registration(for: traits.key)?.metadata as? PropertyMetadata
    let children = children.map { own in
      own + (before?.children ?? []).filter { !own.contains($0) }
    }
    traits.metadata = PropertyMetadata(
      origin: origin, shadowed: shadowed + (before.map { [$0.origin] + $0.shadowed } ?? []),
      children: children, constant: children == nil ? value : nil)
    guard let children, let steps = try? PropertyPath(path) else {
      return Registration<PropertyValue>(traits, sharing: Sharing(.strong)) { [value] _ in value }
    }
    // An object is made of what its parts are now: so an override of one is seen in the whole.
    let parts = children.map { (key: $0, path: steps.appending($0).description) }
    traits.needs = parts.map { AnyKey(type: PropertyValue.self, named: $0.path) }
    return Registration<PropertyValue>(traits, sharing: Sharing(.strong)) { invocation in
      var members: [String: PropertyValue] = [:]
      for part in parts {
        members[part.key] = try invocation.resolver.resolve(
          Key<PropertyValue>(named: part.path))
      }
      return .object(members)
    }
  }
}

extension Resolver {
  /// Sets a property at run time, over what was installed (DE-35).
  ///
  /// - Parameters:
  ///   - path: Where it is; a path of keys.
  ///   - value: The value; an object is merged with what is there.
  ///   - fileID: Where it is set.
  ///   - line: Where it is set.
  /// - Throws: That the path is malformed.
  public func set(
    _ path: String, _ value: PropertyValue, fileID: StaticString = #fileID, line: Int = #line
  ) throws(DefinitionError) {
    let origin = Origin("\(CallSite(fileID: fileID, line: line))")
    do throws(PropertyPath.Malformed) {
      let node = try Node(value, atPath: path, origin)
      install(Properties.merged(node))
    } catch {
      throw DefinitionError(
        Finding(.malformedPath(reason: error.rawValue), of: .property(path), at: origin))
    }
  }

  /// Installs an assembly, and then properties that win over those that it brings (DO-20).
  ///
  /// - Parameters:
  ///   - assembly: What is installed.
  ///   - values: The values, by name.
  ///   - fileID: Where it is installed.
  ///   - line: Where it is installed.
  /// - Returns: The resolver, for the next one.
  @discardableResult
  public func install(
    _ assembly: some Assembly, with values: [String: PropertyValue],
    fileID: StaticString = #fileID, line: Int = #line
  ) -> Resolver {
    install(assembly)
    let origin = Origin("\(CallSite(fileID: fileID, line: line))")
    install(Properties.merged(Node(.object(values), at: origin)))
    return self
  }
}
