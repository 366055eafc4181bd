// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Overrides a property: one value, or every value of an object.
  ///
  /// As every override it holds for this layer, rebuilds what was made from the property (O6), and is
  /// counted. What is read through an object around it has it too.
  ///
  /// A path that cannot be read is a violation of the layer, reported at its end.
  ///
  /// - Parameters:
  ///   - path: Where it is; a path of keys.
  ///   - value: The value; an object is merged with what is below.
  ///   - fileID: Where it is overridden.
  ///   - filePath: Where it is overridden.
  ///   - line: Where it is overridden.
  ///   - column: Where it is overridden.
  public func set(
    _ path: String, _ value: PropertyValue, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    do throws(PropertyPath.Malformed) {
      set(try PropertyPath(path).keys[...], value, under: PropertyPath([]), at: callSite)
    } catch {
      let finding = Finding(.malformedPath(reason: error.rawValue), of: .property(path))
      record(Violation(finding.message, at: callSite))
    }
  }

  /// Sets a value some keys below a path: each object on the way wraps what lies below this layer.
  private func set(
    _ keys: ArraySlice<String>, _ value: PropertyValue, under path: PropertyPath,
    at callSite: CallSite
  ) {
    if let key = keys.first {
      set(keys.dropFirst(), value, under: path.appending(key), at: callSite)
      setObject([key], at: path, callSite)
    } else if case .object(let members) = value.revealed {
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        set([], member, under: path.appending(key), at: callSite)
      }
      setObject(members.keys.sorted(), at: path, callSite)
    } else {
      add(registration(at: path, children: nil, callSite) { _ in value })
    }
  }

  /// Has an object answer with some members of this layer, and the others as they are below.
  private func setObject(_ own: [String], at path: PropertyPath, _ callSite: CallSite) {
    let key = AnyKey(type: PropertyValue.self, named: path.description)
    let children = own + (childrenBelow(key) ?? []).filter { !own.contains($0) }
    let parts = children.map { (key: $0, path: path.appending($0).description) }
    let object = registration(at: path, children: children, callSite) { resolver in
      var members: [String: PropertyValue] = [:]
      for part in parts {
        members[part.key] = try resolver.resolve(Key<PropertyValue>(named: part.path))
      }
      return .object(members)
    }
    // Nobody overrode the object: that nobody asks for it is no finding.
    object.markUsed()
    add(object)
  }

  /// The keys of an object in this layer or the nearest below it that has it.
  private func childrenBelow(_ key: AnyKey) -> [String]? {
    var layer: OverrideLayer? = self
    while let next = layer {
      if let found = next.registration(for: key) {
        return (found.metadata as? PropertyMetadata)?.children
      }
      layer = next.next(of: resolver)
    }
    return (resolver.store.registration(for: key)?.metadata as? PropertyMetadata)?.children
  }

  private func registration(
    at path: PropertyPath, children: [String]?, _ callSite: CallSite,
    _ block: @escaping @Sendable (Resolver) throws -> PropertyValue
  ) -> AnyRegistration {
    var traits = RegistrationTraits(
      key: AnyKey(type: PropertyValue.self, named: path.description), at: callSite)
    traits.metadata = PropertyMetadata(
      origin: Origin("\(callSite)"), shadowed: [], children: children)
    return Registration<PropertyValue>(traits, sharing: Sharing(.strong)) {
      try block($0.resolver)
    }
  }
}
