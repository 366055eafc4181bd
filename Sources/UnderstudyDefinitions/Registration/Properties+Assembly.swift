// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
internal import UnderstudyCompatibility

extension Properties: IdentifiedAssembly {
  /// The values and their places. Equal properties are one assembly.
  package var identity: any Hashable & Sendable {
    Content(sources: sources, entries: entries, secretRules: secretRules)
  }

  private struct Content: Hashable, Sendable {
    let sources: [String]
    let entries: [String: Entry]
    let secretRules: Set<SecretRule>

    func hash(into hasher: inout Hasher) {
      hasher.combine(sources)
      hasher.combine(entries.count)
    }
  }
}

extension Properties: Assembly {
  /// Registers every property, and every object that has properties, by its path. On a layer, it
  /// overrides them.
  ///
  /// Objects are merged, so existing properties stay unless these have the same path. Properties
  /// that were set at run time stay. A value that replaces a secret is a secret.
  ///
  /// - Parameters:
  ///   - registrar: The target of the registrations.
  public func assemble(
    into registrar: some Registering, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    assemble(into: registrar, at: CallSite(fileID, filePath, line, column))
  }

  /// Registers the properties for a caller that knows only the protocol `Assembly`, without the
  /// place of the call.
  @_disfavoredOverload
  public func assemble(into registrar: some Registering) {
    assemble(into: registrar, at: CallSite())
  }

  package func assemble(into registrar: some Registering, at callSite: CallSite) {
    if let layer = registrar as? OverrideLayer {
      layer.set(self, at: callSite)
    } else {
      register(on: registrar, at: callSite)
    }
  }

  /// Registers all properties over existing ones.
  ///
  /// - Parameters:
  ///   - registrar: The target of the registrations.
  ///   - callSite: The place of the call.
  ///   - isSet: True if they win over all installed properties, earlier and later ones.
  func register(on registrar: some Registering, at callSite: CallSite, isSet: Bool = false) {
    let knowing = registrar as? any KnowingRegistrar
    let resolver = registrar as? Resolver
    let parent = knowing?.parent
    let wholeTree = knowing?.present(.wholeTree)?.metadata as? PropertyMetadata
    let rules = secretRules.union(wholeTree?.place.secretRules ?? [])
      .union(parent?.propertyMetadata(.wholeTree)?.place.secretRules ?? [])
    // The enclosing place of each path.
    var parents: [String: PropertyPlace] = [:]
    // Paths below a value that was set and is not an object.
    var hidden: Set<String> = []
    // An object comes before its members, since its path is a prefix of theirs.
    for (path, entry) in concealing(rules).entries.sorted(by: { $0.key < $1.key }) {
      let members = entry.members(at: path)
      if hidden.contains(path) {
        hidden.formUnion(members.map(\.path))
        continue
      }
      // Again, if another thread adds a registration in the meantime.
      while true {
        var traits = RegistrationTraits(key: .property(path), at: callSite)
        traits.isMerged = true
        let present = knowing?.present(traits.key)
        let before = present?.metadata as? PropertyMetadata
        let inherited = parent?.propertyMetadata(traits.key)
        let place = before?.place ?? PropertyPlace(in: parents[path])
        if path.isEmpty { place.add(rules) }
        place.conceal(
          entry, over: inherited?.place, isWithinSecret: parents[path]?.isSecret == true)
        let origins = [entry.origin] + entry.shadowed
        if let present, let before, before.isSet, !isSet, !(before.isObject && entry.isObject) {
          guard resolver?.keep(present, over: origins) != false else { continue }
          hidden.formUnion(members.map(\.path))
          break
        }
        for member in members { parents[member.path] = place }
        if !entry.isObject, before?.isObject == true {
          knowing?.removeDescendants(of: place, because: entry.origin, at: callSite)
        }
        if !entry.isObject, let parent, inherited?.isObject == true {
          registrar.hide(traits.key, of: parent, at: place, because: entry.origin, at: callSite)
        }
        place.add(members)
        // A replaced object must leave no members to a later one.
        if !entry.isObject, resolver != nil { place.removeMembers() }
        traits.metadata = PropertyMetadata(
          origin: entry.origin,
          shadowed: (entry.shadowed
            + ((before ?? inherited).map { [$0.origin] + $0.shadowed } ?? []))
            .replaced(by: entry.origin),
          place: place, isObject: entry.isObject, isSet: isSet || before?.isSet == true,
          isLoaded: resolver == nil, constant: entry.isObject ? nil : entry.value)
        traits.needs = members.map { .property($0.path) }
        if entry.isObject, let present, let before, resolver != nil, !before.isLoaded {
          let own = Set(traits.needs)
          traits.needs += present.needs.filter { !own.contains($0) }
        }
        let registration = entry.registration(traits, at: place) { [key = traits.key] in
          parent?.propertyMembers(of: key) ?? []
        }
        guard let knowing else {
          registrar.add(registration)
          break
        }
        if knowing.add(registration, replacing: present) { break }
      }
    }
  }
}

extension AnyKey {
  /// The key of all properties.
  static let wholeTree = property("")

  /// The key of the property, or of the object with properties, at a canonical path.
  static func property(_ path: String) -> AnyKey { AnyKey(type: PropertyValue.self, named: path) }
}

extension Registering {
  /// Hides the members of a parent's object that a value replaces.
  fileprivate func hide(
    _ key: AnyKey, of parent: Resolver, at place: PropertyPlace, because origin: Origin,
    at callSite: CallSite
  ) {
    for member in parent.propertyMembers(of: key) {
      let key = AnyKey.property(member.path)
      guard var metadata = parent.propertyMetadata(key), !metadata.isGone else { continue }
      if metadata.isObject { hide(key, of: parent, at: place, because: origin, at: callSite) }
      metadata.place = PropertyPlace(in: place)
      add(metadata.goneRegistration(of: key, because: origin, at: callSite))
    }
  }
}

extension KnowingRegistrar {
  /// Hides the members of an object that a value replaces.
  fileprivate func removeDescendants(
    of place: PropertyPlace, because origin: Origin, at callSite: CallSite
  ) {
    for (key, metadata) in place.descendants({ present($0)?.metadata as? PropertyMetadata }) {
      if !withdraw(key) {
        add(metadata.goneRegistration(of: key, because: origin, at: callSite))
      } else {
        metadata.place.removeMembers()
      }
    }
  }
}

extension Resolver {
  /// Keeps a property that was set at run time, and adds the places that it has replaced. Returns
  /// `false` if another thread has replaced it in the meantime.
  fileprivate func keep(_ present: AnyRegistration, over origins: [Origin]) -> Bool {
    guard let present = present as? Registration<PropertyValue>,
      var metadata = present.metadata as? PropertyMetadata
    else { return true }
    metadata.shadowed = (origins + metadata.shadowed).replaced(by: metadata.origin)
    var traits = present.traits
    traits.metadata = metadata
    traits.serial = present.serial
    let kept = Registration<PropertyValue>(
      traits, sharing: SendableType(), present.block, completion: present.completion)
    let isMaker = metadata.object?.isMade(by: present) == true
    guard add(kept, replacing: present) else { return false }
    if isMaker { metadata.object?.setMaker(kept) }
    return true
  }
}

extension Resolver {
  /// Sets a property at run time. It wins over all installed properties, also later ones.
  ///
  /// A value that replaces a secret is a secret.
  ///
  /// - Parameters:
  ///   - path: The path of the property, made of keys.
  ///   - value: The value. An object is merged with an existing one. Any other value replaces the
  ///     existing one, with all its contents.
  /// - Throws: An error, if the path is malformed.
  public func set(
    _ path: String, _ value: PropertyValue, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(DefinitionError) {
    let callSite = CallSite(fileID, filePath, line, column)
    let origin = Origin("\(callSite)")
    do throws(PropertyPath.Malformed) {
      let node = try Node(value, atPath: path, origin)
      Properties.merged(node).register(on: self, at: callSite, isSet: true)
    } catch {
      throw DefinitionError([error.finding(of: path, at: origin)])
    }
  }

  /// Installs an assembly, and then properties that win over those of the assembly. Properties that
  /// were set at run time win over both.
  ///
  /// - Parameters:
  ///   - assembly: The installed assembly.
  ///   - values: The values, by name.
  /// - Returns: The resolver, to install the next assembly.
  @discardableResult
  public func install(
    _ assembly: some Assembly, with values: [String: PropertyValue],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Resolver {
    let callSite = CallSite(fileID, filePath, line, column)
    install(assembly, fileID: fileID, filePath: filePath, line: line, column: column)
    let values = Properties.merged(Node(.object(values), at: Origin("\(callSite)")))
    values.assemble(into: self, at: callSite)
    return self
  }
}
