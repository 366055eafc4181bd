// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The state of one level of a stack: production or a layer.
///
/// It is a value without a lock. `LevelStore` guards it, and the engine makes decisions with it.
/// `L1`, `L6` and `O15` are rules of `Docs/Guarantees.md`.
package struct Level: ~Copyable {
  private struct Claimed {
    let registration: Int
    /// The rank of the registration's level, and its number.
    let rank: Int
    let level: Int
    /// True if the claim stays valid when its key is registered anew.
    let isLasting: Bool
  }

  /// The state that few layers of tests have. It is made when it is needed, since a debug build
  /// takes long to make an empty dictionary.
  private final class Extras {
    /// The claimed registrations that requests do not see: the listed ones whose block is still
    /// running, which are put back if it throws (L1), those of outer levels that a claim hides from
    /// this boundary and the layers above it, and those that another registration shadows.
    var claims: [AnyKey: [Claimed]] = [:]
    /// The last registrations that were used up, newest last, for messages.
    var usedUp: [(key: AnyKey, registered: CallSite, handedOut: CallSite)] = []
    /// By the serial number of a registration: the registration that it replaced, if that was at a
    /// different place.
    var replaced: [Int: ReplacedRegistration] = [:]
    /// The homes of the stored instances, except the first home.
    var otherHomes: Set<Int> = []
    /// The layers that store instances whose home this level is, though they override another one.
    var hosts: [WeakReference<LevelStore>] = []
    /// When there are as many hosts, those that are gone are removed.
    var hostLimit = 8
    /// The objects of forgotten instances whose home is gone.
    var objectsOfGoneHomes: [(key: AnyKey, object: WatchedObject)] = []
  }

  private var registrations = IdentityTable<AnyRegistration>()
  private var stored = IdentityTable<AnyInstance>()
  /// The in-flight creations whose instances this level is to store, by registration.
  private var creations = IdentityTable<Creation>()
  /// The home of the first stored instance.
  private var firstHome = 0
  /// True once an instance that a block created is stored.
  private(set) var hasStoredMade = false
  /// The keys of overridden declared dependencies, by type.
  private var declaredKeys = [ObjectIdentifier: [AnyKey]]()
  private var extras: Extras?
  /// A number between the serial numbers of the instances before and after the last reset.
  package var lastReset = 0
  var isEnded = false
  /// Whether tests may get this level's answers (O15). Only production sets it.
  var inTests: LiveGuard?

  private mutating func madeExtras() -> Extras {
    let made = extras ?? Extras()
    extras = made
    return made
  }

  var usedUp: [(key: AnyKey, registered: CallSite, handedOut: CallSite)] { extras?.usedUp ?? [] }

  func declaredKeys(of type: any Any.Type) -> [AnyKey] {
    declaredKeys.isEmpty ? [] : declaredKeys[ObjectIdentifier(type)] ?? []
  }

  // MARK: Registrations

  /// The registration of a key, whether or not requests see it.
  func listed(_ key: AnyKey) -> AnyRegistration? { registrations[key.identity] }

  /// The registration that answers exactly this key, unless it is claimed.
  func registration(for key: AnyKey) -> AnyRegistration? {
    guard let listed = registrations[key.identity], !hasClaimed(listed) else { return nil }
    return listed
  }

  /// True if a registration answers its key. A renewed one keeps its serial number.
  package func answers(_ registration: AnyRegistration) -> Bool {
    self.registration(for: registration.key)?.serial == registration.serial
  }

  /// The visible registrations, in the order of registration.
  var all: [AnyRegistration] { visible.ordered { $0.serial } }

  /// The visible registrations, in no particular order.
  var visible: [AnyRegistration] { registrations.objects.filter { !hasClaimed($0) } }

  /// The same, but no more than a number of them.
  ///
  /// - Complexity: O(limit), however many registrations there are.
  func visible(atMost limit: Int) -> [AnyRegistration] {
    registrations.objects(atMost: limit).filter { !hasClaimed($0) }
  }

  /// The number of visible registrations.
  ///
  /// - Complexity: O(claimed keys).
  var visibleCount: Int {
    guard let claims = extras?.claims, !claims.isEmpty else { return registrations.count }
    return registrations.count
      - claims.keys.count { key in listed(key).map { hasClaimed($0) } ?? false }
  }

  /// The registration that this one replaced, if it was at a different place.
  func replaced(by registration: AnyRegistration) -> ReplacedRegistration? {
    extras?.replaced[registration.serial]
  }

  /// Adds a registration. It replaces the registration of its key, whose instance is forgotten
  /// unless the new registration shadows the old one (L6).
  mutating func add(_ registration: AnyRegistration, displacing: Bool, _ garbage: inout Garbage) {
    let key = registration.key
    let old = listed(key)
    if !displacing { unclaim(registration) }
    if let old { noteReplaced(old, by: registration, displacing: displacing) }
    list(registration, &garbage)
    if key.declaration != nil {
      let type = ObjectIdentifier(key.type)
      if declaredKeys[type]?.contains(key) != true { declaredKeys[type, default: []].append(key) }
    }
    if let old, !displacing { retire(old, shadowedBy: registration, &garbage) }
  }

  private mutating func list(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    registration.mark(.listed)
    registrations.insert(registration, for: registration.key.identity, &garbage)
  }

  private mutating func noteReplaced(
    _ old: AnyRegistration, by registration: AnyRegistration, displacing: Bool
  ) {
    if old === registration { return }
    let isUsed = displacing && hasClaimed(old)
    unlist(old)
    if isUsed { noteUse(of: old) }
    if !displacing, old.callSite != registration.callSite {
      madeExtras().replaced[registration.serial] = ReplacedRegistration(
        callSite: old.callSite, argumentType: old.argumentType)
    }
  }

  /// Forgets that a registration was claimed or replaced another one.
  private mutating func unlist(_ registration: AnyRegistration) {
    unclaim(registration)
    extras?.replaced[registration.serial] = nil
  }

  /// Removes the registration of a key, and returns it. Returns `nil` if none is visible.
  mutating func remove(_ key: AnyKey, _ garbage: inout Garbage) -> AnyRegistration? {
    guard let registration = registration(for: key) else { return nil }
    drop(registration, &garbage)
    retire(registration, &garbage)
    return registration
  }

  /// Forgets the instances of a registration and of those that it shadows, except the ones that a
  /// new registration shadows.
  private mutating func retire(
    _ registration: AnyRegistration, shadowedBy new: AnyRegistration? = nil,
    _ garbage: inout Garbage
  ) {
    var next: AnyRegistration? = registration
    while let retired = next, new?.shadows(retired) != true {
      forget(retired, &garbage)
      next = retired.replaced
    }
  }

  private mutating func drop(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    unlist(registration)
    registrations.remove(registration.key.identity, &garbage)
    noteUse(of: registration)
  }

  /// Prevents the assembly of a registration, if it has one, from listing it again.
  private mutating func noteUse(of registration: AnyRegistration) {
    guard registration.has(.brought) else { return }
    madeExtras().claims[registration.key, default: []].append(
      Claimed(registration: registration.id, rank: 0, level: 0, isLasting: true))
  }

  /// Replaces a visible registration by one without a cached instance.
  package mutating func renew(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    guard self.registration(for: registration.key) === registration else { return }
    list(registration.renewed(), &garbage)
    forget(registration, &garbage)
  }

  // MARK: Claims

  /// Claims a registration; of many requests exactly one gets `true` (L1).
  ///
  /// - Parameters:
  ///   - level: The registration's level.
  ///   - isElsewhere: True if the claim is valid even if this level does not list the registration.
  ///   - isLasting: True if the claim stays valid when the key is registered anew at its level.
  mutating func claim(
    _ registration: AnyRegistration, of level: LevelStore, isElsewhere: Bool, isLasting: Bool
  ) -> Bool {
    let isListed = listed(registration.key) === registration
    guard isListed || isElsewhere, !hasClaimed(registration) else { return false }
    let extras = madeExtras()
    // A registration of the same level that is gone needs no claim, so a million one-time arguments
    // leave only one claim.
    if !isListed, !isLasting {
      extras.claims[registration.key]?.removeAll {
        $0.rank == level.rank && $0.level == level.number && !$0.isLasting
      }
    }
    extras.claims[registration.key, default: []].append(
      Claimed(
        registration: registration.id, rank: level.rank, level: level.number, isLasting: isLasting))
    return true
  }

  /// True if a request has claimed a registration, whether or not this level lists it.
  func hasClaimed(_ registration: AnyRegistration) -> Bool {
    guard let extras, !extras.claims.isEmpty else { return false }
    return extras.claims[registration.key]?.contains { $0.registration == registration.id } ?? false
  }

  /// Forgets the claim of a registration.
  package mutating func unclaim(_ registration: AnyRegistration) {
    guard hasClaimed(registration) else { return }
    extras?.claims[registration.key]?.removeAll { $0.registration == registration.id }
    if extras?.claims[registration.key]?.isEmpty == true { extras?.claims[registration.key] = nil }
  }

  mutating func noteUsedUp(
    _ registration: AnyRegistration, at callSite: CallSite, _ garbage: inout Garbage
  ) {
    let extras = madeExtras()
    // The oldest may hold the last reference to a name, which may be a user's object.
    if extras.usedUp.count == 16, let name = extras.usedUp.removeFirst().key.discriminator {
      garbage.add(name)
    }
    extras.usedUp.append((registration.key, registration.callSite, callSite))
  }

  mutating func settle(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    guard listed(registration.key) === registration, hasClaimed(registration) else { return }
    registration.mark(.usedUp)
    drop(registration, &garbage)
  }

  // MARK: Instances

  // Several resolvers may see one layer: the children of one parent, or two that have the same
  // registration. So an instance has a home, which is the number of the production level that would
  // store it without layers. A registration has an instance for each home.

  /// The stored instance of a registration that has a home.
  func instance(of registration: AnyRegistration, at home: Int) -> AnyInstance? {
    stored.isEmpty ? nil : stored[Identity(of: registration, number: home)]
  }

  /// The stored instances of a registration, the newest first.
  package func instances(of registration: AnyRegistration) -> [AnyInstance] {
    if stored.isEmpty { return [] }
    return ([firstHome] + (extras?.otherHomes ?? [])).compactMap {
      instance(of: registration, at: $0)
    }.ordered { -$0.serial }
  }

  /// False if the level has no instance, and none is in creation for it.
  var storesInstances: Bool { !stored.isEmpty || !creations.isEmpty }

  var instances: [AnyInstance] { stored.objects }

  mutating func store(_ instance: AnyInstance, _ garbage: inout Garbage) {
    guard !isEnded else { return garbage.add(instance) }
    if instance.isMade { hasStoredMade = true }
    if firstHome == 0 { firstHome = instance.home }
    if firstHome != instance.home { madeExtras().otherHomes.insert(instance.home) }
    stored.insert(
      instance, for: Identity(of: instance.registration, number: instance.home), &garbage)
  }

  package mutating func forget(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    if stored.isEmpty { return }
    stored.remove(Identity(of: registration, number: firstHome), &garbage)
    for home in extras?.otherHomes ?? [] {
      stored.remove(Identity(of: registration, number: home), &garbage)
    }
  }

  /// Forgets an instance. Returns `false` if it is not the stored one of its registration.
  mutating func forget(_ instance: AnyInstance, _ garbage: inout Garbage) -> Bool {
    let (registration, home) = (instance.registration, instance.home)
    guard self.instance(of: registration, at: home) === instance else { return false }
    return stored.remove(Identity(of: registration, number: home), &garbage)
  }

  package mutating func forgetAll(_ garbage: inout Garbage) -> Int {
    let count = stored.count
    if count > 0 { for instance in instances.oldestFirst { garbage.add(instance) } }
    stored.removeAll(&garbage)
    return count
  }

  /// Forgets the instances of a home that is gone. An object that outlives it is a survivor of the
  /// layer all the same.
  mutating func forgetHome(_ home: Int, _ garbage: inout Garbage) {
    let extras = madeExtras()
    extras.objectsOfGoneHomes.removeAll { key, watched in
      // This access may hold the last reference to the object, and the key the last one to a name.
      if let object = watched.object {
        garbage.add(object)
        return false
      }
      if let name = key.discriminator { garbage.add(name) }
      return true
    }
    for instance in instances.oldestFirst where instance.home == home {
      _ = forget(instance, &garbage)
      // This access may hold the last reference to the object.
      if let object = instance.object { garbage.add(object) }
      if instance.isMade, let held = instance.held { extras.objectsOfGoneHomes.append(held) }
    }
    extras.otherHomes.remove(home)
  }

  var objectsOfGoneHomes: [(key: AnyKey, object: WatchedObject)] {
    extras?.objectsOfGoneHomes ?? []
  }

  var hosts: [LevelStore] { extras?.hosts.compactMap(\.value) ?? [] }

  /// True if an instance of a home was stored before.
  func knows(home: Int) -> Bool {
    firstHome == home || extras?.otherHomes.contains(home) ?? false
  }

  /// Notes that a layer stores its first instance whose home this level is. Thousands of layers may
  /// be alive.
  mutating func addHost(_ layer: LevelStore, _ garbage: inout Garbage) {
    let extras = madeExtras()
    if extras.hosts.count >= extras.hostLimit {
      let living = hosts
      // This access may hold the last reference to a layer.
      garbage.add(living)
      extras.hosts = living.map { WeakReference($0) }
      extras.hostLimit = max(8, 2 * living.count)
    }
    extras.hosts.append(WeakReference(layer))
  }

  /// The in-flight creation whose instance this level will store.
  func creation(of registration: AnyRegistration, at home: Int) -> Creation? {
    creations.isEmpty ? nil : creations[Identity(of: registration, number: home)]
  }

  package func isCreating(_ registration: AnyRegistration, at home: Int) -> Bool {
    creation(of: registration, at: home) != nil
  }

  mutating func begin(_ creation: Creation, at home: Int, _ garbage: inout Garbage) {
    creations.insert(creation, for: Identity(of: creation.registration, number: home), &garbage)
  }

  /// Forgets an in-flight creation, if it is the current one of its registration.
  mutating func end(_ creation: Creation, at home: Int, _ garbage: inout Garbage) {
    guard self.creation(of: creation.registration, at: home) === creation else { return }
    creations.remove(Identity(of: creation.registration, number: home), &garbage)
  }

  /// Forgets everything. The level stores nothing from now on.
  mutating func end(_ garbage: inout Garbage) {
    _ = forgetAll(&garbage)
    registrations.removeAll(&garbage)
    creations.removeAll(&garbage)
    if let extras { garbage.add(extras) }
    extras = nil
    declaredKeys = [:]
    isEnded = true
  }
}

/// The facts of a registration that another one of its key replaced.
package struct ReplacedRegistration: Sendable {
  let callSite: CallSite
  let argumentType: (any Any.Type)?
}
