// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension OverrideLayer {
  /// Overrides a property: one value, or every value of an object.
  ///
  /// Like every override, it holds for this layer, is counted, and has instances that were created
  /// from the property created again. An object that contains the property has the new value, too.
  ///
  /// A path that cannot be read is a violation of the layer, reported at its end.
  ///
  /// - Parameters:
  ///   - path: The path of the property, made of keys.
  ///   - value: The value. An object is merged with the one below, and any other value replaces it.
  public func set(
    _ path: String, _ value: PropertyValue, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    do throws(PropertyPath.Malformed) {
      let node = try Node(value, atPath: path, Origin("\(callSite)"))
      set(Properties.merged(node), at: callSite)
    } catch {
      record(Violation(error.finding(of: path).message, at: callSite))
    }
  }

  /// Overrides all given properties. An object also has the members from below this layer.
  func set(_ properties: Properties, at callSite: CallSite) {
    let rules = properties.secretRules.union(metadataSoFar(.wholeTree)?.place.secretRules ?? [])
    // The paths inside a secret object.
    var secrets: Set<String> = []
    // An object comes before its members, since its path is a prefix of theirs.
    for (path, entry) in properties.concealing(rules).entries.sorted(by: { $0.key < $1.key }) {
      let own = entry.members(at: path)
      // An empty tree changes nothing below.
      if path.isEmpty, entry.isObject, own.isEmpty, properties.secretRules.isEmpty { continue }
      // Again, if another thread adds an override in the meantime.
      while true {
        var traits = RegistrationTraits(key: .property(path), at: callSite)
        traits.isMerged = true
        let present = store.registration(for: traits.key)
        let below = metadataSoFar(traits.key)
        let place = PropertyPlace()
        if path.isEmpty { place.add(rules) }
        place.add(own)
        if let below, below.isObject, entry.isObject { place.add(below.place.members) }
        place.conceal(entry, over: below?.place, isWithinSecret: secrets.contains(path))
        if place.isSecret { secrets.formUnion(own.map(\.path)) }
        traits.metadata = PropertyMetadata(
          origin: entry.origin, shadowed: entry.shadowed, place: place, isObject: entry.isObject,
          constant: entry.isObject ? nil : entry.value)
        let registration = entry.registration(traits, at: place) { [weak self, key = traits.key] in
          self?.membersBelow(key) ?? []
        }
        if let below, below.isObject, !entry.isObject {
          hide(below.place, because: entry.origin, at: callSite)
        }
        // No user overrode the object itself, so it must not be reported as unused or unknown.
        if entry.isObject {
          registration.mark(.used)
          registration.mark(.answeredKnownKey)
        }
        if add(registration, if: { now, _ in now === present }) { break }
      }
    }
  }

  /// The members of an object in the layers below this one and in production, down to the first
  /// value that is not an object. They include members that were added after this layer's object.
  private func membersBelow(_ key: AnyKey) -> [PropertyPlace.Member] {
    var members: [PropertyPlace.Member] = []
    var layer = next(of: resolver)
    while let next = layer {
      if let found = next.registration(for: key)?.metadata as? PropertyMetadata {
        guard found.isObject else { return members }
        members += found.place.members
      }
      layer = next.next(of: resolver)
    }
    return members + resolver.propertyMembers(of: key)
  }

  /// Hides the members of an object that a value replaces.
  private func hide(_ place: PropertyPlace, because origin: Origin, at callSite: CallSite) {
    for (key, metadata) in place.descendants(metadataSoFar) {
      let registration = metadata.goneRegistration(of: key, because: origin, at: callSite)
      // No user overrode this key, either.
      registration.mark(.used)
      registration.mark(.answeredKnownKey)
      add(registration)
    }
  }

  /// The metadata of a property in this layer, or in the nearest one below that has it.
  private func metadataSoFar(_ key: AnyKey) -> PropertyMetadata? {
    resolver.propertyMetadata(key, under: self)
  }
}

extension PropertyValue: RegisteredOtherwise {
  package static func registeringCall(for key: AnyKey) -> (text: String, throwsOnResolver: Bool)? {
    guard key.container == nil, let path = key.name?.base as? String else { return nil }
    return ("set(\(String(reflecting: path)), …)", true)
  }
}
