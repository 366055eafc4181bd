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
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    do throws(PropertyPath.Malformed) {
      let node = try Node(value, atPath: path, Origin("\(callSite)"))
      set(Properties.merged(node), at: callSite)
    } catch {
      let finding = Finding(.malformedPath(reason: error.rawValue), of: .property(path))
      record(Violation(finding.message, at: callSite))
    }
  }

  /// Overrides everything that properties say. An object has what lies below this layer, too.
  func set(_ properties: Properties, at callSite: CallSite) {
    let rules = properties.secretRules.union(metadataSoFar(.wholeTree)?.place.secretRules ?? [])
    // What lies in a secret object.
    var secrets: Set<String> = []
    // An object comes before its members: its path is what theirs begin with.
    for (path, entry) in properties.concealing(rules).entries.sorted(by: { $0.key < $1.key }) {
      let own = entry.members(at: path)
      // Nothing at all is said about what lies below.
      if path.isEmpty, entry.isObject, own.isEmpty, properties.secretRules.isEmpty { continue }
      var traits = RegistrationTraits(
        key: AnyKey(type: PropertyValue.self, named: path), at: callSite)
      traits.isMerged = true
      let below = metadataSoFar(traits.key)
      let place = PropertyPlace()
      if path.isEmpty { place.add(rules) }
      place.add(own)
      if let below, below.isObject, entry.isObject { place.add(below.place.members) }
      if entry.isSecret || secrets.contains(path) || below?.place.isSecret == true {
        place.conceal()
      }
      place.conceal(
        entry.secretPatterns.union(below?.place.secretPatterns ?? []), isObject: entry.isObject)
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
      // No user overrode the object itself. So it is no finding if it is unused or unknown.
      if entry.isObject {
        registration.markUsed()
        registration.markAdding()
      }
      add(registration)
    }
  }

  /// What an object has in the layers below this one and in production, up to what is no object
  /// there. What was set or installed there after this layer's object was is in it, too.
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
    if let found = resolver.store.registration(for: key)?.metadata as? PropertyMetadata,
      found.isObject
    {
      members += found.place.members
    }
    return members
  }

  /// Has nothing answer for what lies below a value that takes the place of an object.
  private func hide(_ place: PropertyPlace, because origin: Origin, at callSite: CallSite) {
    for (key, metadata) in place.descendants(metadataSoFar) {
      let registration = metadata.goneRegistration(of: key, because: origin, at: callSite)
      // This key was not overridden by a user, either.
      registration.markUsed()
      registration.markAdding()
      add(registration)
    }
  }

  /// What is found with a property in this layer, or the nearest below it that has it.
  private func metadataSoFar(_ key: AnyKey) -> PropertyMetadata? {
    var layer: OverrideLayer? = self
    while let next = layer {
      if let found = next.registration(for: key)?.metadata as? PropertyMetadata { return found }
      layer = next.next(of: resolver)
    }
    return resolver.store.registration(for: key)?.metadata as? PropertyMetadata
  }
}

extension PropertyValue: RegisteredOtherwise {
  package static func registeringCall(for key: AnyKey) -> (text: String, throwsOnResolver: Bool)? {
    guard key.container == nil, let path = key.name?.base as? String else { return nil }
    return ("set(\(String(reflecting: path)), …)", true)
  }
}
