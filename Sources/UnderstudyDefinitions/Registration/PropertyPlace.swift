// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The state that all registrations at one path of a resolver share, from any source: the paths
/// below, and whether it is secret.
///
/// So an object that stands before another one has what that has, too, and a secret stays one
/// whatever replaces it.
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
  private var isConcealed: AtomicFlag { AtomicFlag(in: self) }

  init(in parent: PropertyPlace? = nil) {
    self.parent = parent
  }

  /// True if what is here is never printed: it was said of this place or of one around it.
  var isSecret: Bool { isConcealed.load(ordering: .relaxed) || parent?.isSecret == true }

  func conceal() {
    isConcealed.store(true, ordering: .relaxed)
  }

  /// Where secrets stand in the arrays that are here or were.
  var secretPatterns: Set<SecretPattern> { state.withLock { $0.secretPatterns } }

  /// What is never printed that is added here, which is the place of the whole tree.
  var secretRules: Set<SecretRule> { state.withLock { $0.secretRules } }

  func add(_ rules: Set<SecretRule>) {
    guard !rules.isEmpty else { return }
    state.withLock { $0.secretRules.formUnion(rules) }
  }

  /// Hides what an array has that comes here, and an object that takes its place altogether.
  func conceal(_ patterns: Set<SecretPattern>, isObject: Bool) {
    let isAny = state.withLock { state in
      state.secretPatterns.formUnion(patterns)
      return !state.secretPatterns.isEmpty
    }
    if isAny, isObject { conceal() }
  }

  /// A value as it may be seen.
  func shown(_ value: PropertyValue) -> PropertyValue {
    if isSecret { return value.concealed }
    guard case .array = value else { return value }
    return secretPatterns.reduce(value) { $0.concealing($1[...]) }
  }

  /// What the object may have; some of it may be gone.
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

extension PropertyPlace {
  /// The keys of all that lies below, of each member and of what that has, where `metadata` finds a
  /// property.
  func descendants(_ metadata: (AnyKey) -> PropertyMetadata?) -> [(AnyKey, PropertyMetadata)] {
    members.flatMap { member -> [(AnyKey, PropertyMetadata)] in
      let key = AnyKey(type: PropertyValue.self, named: member.path)
      guard let found = metadata(key), !found.isGone else { return [] }
      return [(key, found)] + found.place.descendants(metadata)
    }
  }
}

/// What is found with the registration of a property.
struct PropertyMetadata: Sendable {
  let origin: Origin
  /// Where the values stand that this one won over, the last first.
  var shadowed: [Origin] = []
  let place: PropertyPlace
  /// False for a property.
  var isObject = false
  /// True for what was set at run time, and for an object that has some of that: it wins over all
  /// that is installed, whenever that is.
  var isSet = false
  /// True if it is gone when its assembly is unloaded.
  var isLoaded = false
  /// True if there is no property any more: a value stands in the place of an object that it was
  /// in.
  var isGone = false
  /// What the block always gives, if it does; `nil` for an object, which is made of its parts.
  var constant: PropertyValue?

  var withoutConstant: PropertyMetadata {
    var copy = self
    copy.constant = nil
    return copy
  }
}

extension PropertyMetadata: CustomStringConvertible, CustomReflectable {
  /// Where the property came from, and not what it is: its place may be secret.
  var description: String { origin.prose }

  /// As `description`: `dump` prints no secret.
  var customMirror: Mirror { Mirror(self, children: ["origin": origin, "shadowed": shadowed]) }
}

extension Properties.Entry {
  /// Where secrets stand in a property; an object's are those of its members.
  var secretPatterns: Set<SecretPattern> { isObject ? [] : value.secretPatterns }

  /// The members of an object at a path; none of a property.
  func members(at path: String) -> [PropertyPlace.Member] {
    guard let children, let steps = try? PropertyPath(path) else { return [] }
    return children.map { PropertyPlace.Member(key: $0, path: steps.appending($0).description) }
  }

  /// The registration at a place; of an object with the members that lie elsewhere when it is asked
  /// for.
  func registration(
    _ traits: RegistrationTraits, at place: PropertyPlace,
    with others: @escaping @Sendable () -> [PropertyPlace.Member] = { [] }
  ) -> AnyRegistration {
    guard isObject else {
      return Registration<PropertyValue>(traits, sharing: Sharing(.strong)) { [value] _ in
        place.shown(value)
      }
    }
    return Registration<PropertyValue>(traits, sharing: Sharing(.strong)) { invocation in
      let own = place.members
      let known = Set(own)
      return try invocation.resolver.object(
        of: own + Set(others()).subtracting(known).sorted { $0.key < $1.key },
        at: invocation.request.callSite)
    }
  }
}

extension PropertyMetadata {
  /// A registration that stands before a property and says that it is gone, because of a value that
  /// stands where an object was.
  func goneRegistration(
    of key: AnyKey, because origin: Origin, at callSite: CallSite
  ) -> AnyRegistration {
    var traits = RegistrationTraits(key: key, at: callSite)
    traits.isMerged = true
    traits.metadata = PropertyMetadata(
      origin: origin, shadowed: [self.origin] + shadowed, place: place, isLoaded: isLoaded,
      isGone: true)
    return Registration<PropertyValue>(traits, sharing: nil) { _ in throw Unheld.released }
  }
}

extension ResolutionError {
  /// True if this says of a property that there is none.
  func isAbsence(ofPropertyAt path: String) -> Bool {
    switch reason {
    case .missing, .released:
      key.type == PropertyValue.self && key.name?.base as? String == path
    default: false
    }
  }
}

extension Resolver {
  /// An object, of what its members are now: so an override of one is seen in the whole. A member
  /// that was unloaded or unregistered is not in it.
  fileprivate func object(
    of members: [PropertyPlace.Member], at callSite: CallSite
  ) throws(ResolutionError) -> PropertyValue {
    var values: [String: PropertyValue] = [:]
    for member in members {
      let key = Key<PropertyValue>(named: member.path)
      do throws(ResolutionError) {
        values[member.key] = try resolve(key, at: callSite)
      } catch {
        guard error.isAbsence(ofPropertyAt: member.path) else { throw error }
      }
    }
    return .object(values)
  }
}
