// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The state that all registrations at one path of a resolver share, whatever their source: the
/// paths below, and whether the value is secret.
///
/// So an object has the members of the object behind it, and a secret stays secret whatever
/// replaces it.
final class PropertyPlace: Sendable {
  // The first stored property: `isConcealed` looks for it there.
  private let word = AtomicWord()

  /// A member of an object.
  struct Member: Hashable, Sendable {
    let key: String
    let path: String
  }

  private struct State {
    var members: [Member] = []
    var keys: Set<String> = []
    var secretPatterns: Set<SecretPattern> = []
    var secretRules: Set<SecretRule> = []
  }

  private let parent: PropertyPlace?
  private let state = Lock(State())
  private var isConcealed: AtomicInt { AtomicInt(in: self) }

  init(in parent: PropertyPlace? = nil) {
    self.parent = parent
  }

  /// True if the value here is never printed, because this place or an enclosing one is secret.
  var isSecret: Bool { isConcealed.relaxedValue != 0 || parent?.isSecret == true }

  func conceal() {
    isConcealed.set()
  }

  /// The positions of secrets in the present and earlier arrays.
  var secretPatterns: Set<SecretPattern> { state.withLock { $0.secretPatterns } }

  /// The rules for secrets that are added later. Only the place of the whole tree has them.
  var secretRules: Set<SecretRule> { state.withLock { $0.secretRules } }

  func add(_ rules: Set<SecretRule>) {
    guard !rules.isEmpty else { return }
    state.withLock { $0.secretRules.formUnion(rules) }
  }

  /// Hides the value of an entry at this place, or parts of its arrays, if they are secret or
  /// replace a secret of a place below. An object that replaces an array with secrets is hidden
  /// completely.
  func conceal(
    _ entry: Properties.Entry, over below: PropertyPlace?, isWithinSecret: Bool
  ) {
    if entry.isSecret || isWithinSecret || below?.isSecret == true { conceal() }
    let patterns = entry.secretPatterns.union(below?.secretPatterns ?? [])
    let isAny = state.withLock { state in
      state.secretPatterns.formUnion(patterns)
      return !state.secretPatterns.isEmpty
    }
    if isAny, entry.isObject { conceal() }
  }

  /// The value as it may be printed.
  func shown(_ value: PropertyValue) -> PropertyValue {
    if isSecret { return value.concealed }
    guard case .array = value else { return value }
    return secretPatterns.reduce(value) { $0.concealing($1[...]) }
  }

  /// The possible members of the object. Some may be gone.
  var members: [Member] { state.withLock { $0.members } }

  func add(_ members: [Member]) {
    state.withLock { state in
      let fresh = members.filter { state.keys.insert($0.key).inserted }
      // A new array, because readers hold the old one without a lock.
      if !fresh.isEmpty { state.members = state.members + fresh }
    }
  }

  func removeMembers() {
    state.withLock {
      $0.members = []
      $0.keys = []
    }
  }
}

extension Resolver {
  /// The nearest metadata of a property, under a layer or in this resolver and its parents.
  func propertyMetadata(_ key: AnyKey, under top: OverrideLayer? = nil) -> PropertyMetadata? {
    answers(to: key, under: top).lazy.compactMap { $0.registration.metadata as? PropertyMetadata }
      .first
  }

  /// The members of an object in this resolver and its parents, down to the first value that is not
  /// an object.
  func propertyMembers(of key: AnyKey) -> [PropertyPlace.Member] {
    lineage.compactMap { $0.store.registration(for: key)?.metadata as? PropertyMetadata }
      .prefix { $0.isObject }.flatMap(\.place.members)
  }
}

extension PropertyPlace {
  /// The keys of all values below for which `metadata` finds a property.
  func descendants(_ metadata: (AnyKey) -> PropertyMetadata?) -> [(AnyKey, PropertyMetadata)] {
    members.flatMap { member -> [(AnyKey, PropertyMetadata)] in
      let key = AnyKey.property(member.path)
      guard let found = metadata(key), !found.isGone else { return [] }
      return [(key, found)] + found.place.descendants(metadata)
    }
  }
}

/// The metadata of a property's registration.
struct PropertyMetadata: Sendable {
  let origin: Origin
  /// The places of the replaced values, the last one first.
  var shadowed: [Origin] = []
  var place: PropertyPlace
  /// False for a property.
  var isObject = false
  /// True for a value that was set at run time, and for an object that contains one. It wins over
  /// all installed values, earlier and later ones.
  var isSet = false
  /// True if it ends when its assembly is unloaded.
  var isLoaded = false
  /// True if the property no longer exists, since a value has replaced the object that contained
  /// it.
  var isGone = false
  /// The value, if the block always returns the same one. It is `nil` for an object, which is made
  /// of its members.
  var constant: PropertyValue?
  /// The members of an object. A decorator's metadata has them, too, so ask `isMade(by:)` first.
  var object: PropertyObject?

  /// The metadata of a registration with another block.
  var withoutConstant: PropertyMetadata {
    var copy = self
    copy.constant = nil
    copy.object = nil
    return copy
  }
}

/// The members of an object, and the registration whose block makes the object of them.
final class PropertyObject: Sendable {
  let members: @Sendable () -> [PropertyPlace.Member]
  private let maker = Lock<ObjectIdentifier?>(nil)

  init(of members: @escaping @Sendable () -> [PropertyPlace.Member]) {
    self.members = members
  }

  func isMade(by registration: AnyRegistration) -> Bool {
    maker.withLock { $0 == ObjectIdentifier(registration) }
  }

  func setMaker(_ registration: AnyRegistration) {
    maker.withLock { $0 = ObjectIdentifier(registration) }
  }
}

extension PropertyMetadata: CustomStringConvertible, CustomReflectable {
  /// The place without the value, which may be secret.
  var description: String { origin.prose }

  /// The same as `description`, so that `dump` prints no secret.
  var customMirror: Mirror { Mirror(self, children: ["origin": origin, "shadowed": shadowed]) }
}

extension Properties.Entry {
  /// The positions of secrets in a property. Those of an object belong to its members.
  var secretPatterns: Set<SecretPattern> { isObject ? [] : value.secretPatterns }

  /// The members of an object at a path, or none for a property.
  func members(at path: String) -> [PropertyPlace.Member] {
    guard let children, let steps = try? PropertyPath(path) else { return [] }
    return children.map { PropertyPlace.Member(key: $0, path: steps.appending($0).description) }
  }

  /// The registration at a place. The block of an object also reads members from elsewhere.
  func registration(
    _ traits: RegistrationTraits, at place: PropertyPlace,
    with others: @escaping @Sendable () -> [PropertyPlace.Member] = { [] }
  ) -> AnyRegistration {
    guard isObject else {
      return Registration<PropertyValue>(traits, sharing: SendableType()) { [value] _ in
        place.shown(value)
      }
    }
    let object = PropertyObject {
      let own = place.members
      return own + Set(others()).subtracting(own).sorted { $0.key < $1.key }
    }
    var traits = traits
    if var metadata = traits.metadata as? PropertyMetadata {
      metadata.object = object
      traits.metadata = metadata
    }
    let registration = Registration<PropertyValue>(traits, sharing: SendableType()) { invocation in
      try invocation.resolver.object(of: object.members(), at: invocation.request.callSite)
    }
    object.setMaker(registration)
    return registration
  }
}

extension PropertyMetadata {
  /// A registration that hides a property, because a value has replaced the object that contained
  /// it.
  func goneRegistration(
    of key: AnyKey, because origin: Origin, at callSite: CallSite
  ) -> AnyRegistration {
    var traits = RegistrationTraits(key: key, at: callSite)
    traits.isMerged = true
    traits.metadata = PropertyMetadata(
      origin: origin, shadowed: [self.origin] + shadowed, place: place, isLoaded: isLoaded,
      isGone: true)
    return Registration<PropertyValue>(traits, sharing: nil) { _ in throw NotCallable.released }
  }
}

extension ResolutionError {
  /// True if the error means that there is no property at the path.
  func isAbsence(ofPropertyAt path: String) -> Bool {
    switch reason {
    case .missing, .released:
      key.type == PropertyValue.self && key.name?.base as? String == path
    default: false
    }
  }
}

extension Resolver {
  /// An object with the present values of its members, so that an override of a member is visible
  /// in it. It does not contain unloaded or unregistered members.
  fileprivate func object(
    of members: [PropertyPlace.Member], at callSite: CallSite
  ) throws(ResolutionError) -> PropertyValue {
    var open = [OpenObject(key: "", rest: members[...])]
    while true {
      guard let member = open[open.count - 1].rest.popFirst() else {
        let made = open.removeLast()
        guard !open.isEmpty else { return .object(made.values) }
        open[open.count - 1].values[made.key] = .object(made.values)
        continue
      }
      if let members = try deepMembers(of: member, at: callSite) {
        open.append(OpenObject(key: member.key, rest: members[...]))
        continue
      }
      let key = Key<PropertyValue>(named: member.path)
      do throws(ResolutionError) {
        open[open.count - 1].values[member.key] = try resolve(key, at: callSite)
      } catch {
        guard error.isAbsence(ofPropertyAt: member.path) else { throw error }
      }
    }
  }

  /// The members of an object that is deep in the tree. The object is made without a resolution of
  /// its own, since the stack of a secondary thread has no room for one at each level.
  private func deepMembers(
    of member: PropertyPlace.Member, at callSite: CallSite
  ) throws(ResolutionError) -> [PropertyPlace.Member]? {
    guard member.isDeep else { return nil }
    let key = AnyKey.property(member.path)
    let top = try layerOfCaller(Request(key, at: callSite))
    guard let answer = answers(to: key, under: top).first,
      let object = (answer.registration.metadata as? PropertyMetadata)?.object,
      object.isMade(by: answer.registration)
    else { return nil }
    note(answer, to: key)
    return object.members()
  }
}

/// An object whose members are being read.
private struct OpenObject {
  let key: String
  var rest: ArraySlice<PropertyPlace.Member>
  var values: [String: PropertyValue] = [:]
}

extension PropertyPlace.Member {
  /// True if the path has many steps. A sign within quotes counts, too, which does no harm.
  fileprivate var isDeep: Bool {
    let signs = path.utf8.lazy.filter { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
    return signs.dropFirst(15).first != nil
  }
}
