// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The state of one level of a stack: production's, or a layer's.
///
/// A value without a lock: `LevelStore` guards it, and the engine decides on it.
struct Level {
  /// The registration of a key, and whether requests see it.
  struct Slot {
    let registration: AnyRegistration
    /// True while a request that claimed the registration runs its block: other requests do not see
    /// it, and it is put back if the block throws (L1).
    var isClaimed = false
    /// Where the registration was made that this one replaced, if that was another place.
    var replaced: CallSite?
  }

  private struct Claimed {
    let registration: Int
    /// The rank of the registration's level.
    let rank: Int
    /// True if a later registration of the key does not make the claim pointless.
    let isLasting: Bool
  }

  private(set) var slots: [AnyKey: Slot] = [:]
  private(set) var instances: [ObjectIdentifier: AnyInstance] = [:]
  /// The in-flight creations whose instances this level is to store, by registration.
  var creations: [ObjectIdentifier: Creation] = [:]
  /// The claimed registrations that are in no slot of this level: those of outer levels that a claim
  /// took away for this boundary and the layers above it, and those that another registration shadows.
  private var claims: [AnyKey: [Claimed]] = [:]
  /// The registrations that were handed out once, the newest last, for messages. Few are kept.
  private(set) var usedUp: [(key: AnyKey, registered: CallSite, handedOut: CallSite)] = []
  /// The keys of overridden declared dependencies, by type.
  private(set) var declaredKeys: [ObjectIdentifier: [AnyKey]] = [:]
  /// The registrations of each container but the default one.
  private(set) var containers: [KeyName: [Int: AnyRegistration]] = [:]
  /// The serial number of the newest instance at the last reset of the instances.
  var lastReset = 0
  var isEnded = false
  /// Whether tests may get what this level answers (O15). Production's alone.
  var inTests: LiveGuard?

  // MARK: Registrations

  /// The registration that answers exactly this key, if requests see it.
  func registration(for key: AnyKey) -> AnyRegistration? {
    guard let slot = slots[key], !slot.isClaimed else { return nil }
    return slot.registration
  }

  /// The registrations that requests see, in the order of registering.
  var all: [AnyRegistration] {
    slots.values.filter { !$0.isClaimed }.map(\.registration).sorted { $0.serial < $1.serial }
  }

  /// The visible registrations of a container, in the order of registering; `nil` is the default one.
  func registrations(in container: KeyName?) -> [AnyRegistration] {
    guard let container else { return all.filter { $0.key.container == nil } }
    return (containers[container] ?? [:]).values.filter { registration(for: $0.key) === $0 }
      .sorted { $0.serial < $1.serial }
  }

  /// Adds a registration. It replaces the one of its key, whose instance is forgotten unless the new
  /// registration shadows it (L6).
  mutating func add(_ registration: AnyRegistration, displacing: Bool, _ garbage: inout Garbage) {
    let key = registration.key
    let old = slots[key]
    if !displacing { unclaim(registration) }
    var slot = Slot(registration: registration, isClaimed: hasClaimed(registration))
    if let old {
      if old.registration === registration {
        slot.replaced = old.replaced
      } else if !displacing, old.registration.callSite != registration.callSite {
        slot.replaced = old.registration.callSite
      }
    }
    slots[key] = slot
    if let container = key.container {
      containers[container, default: [:]][registration.id] = registration
    }
    if key.declaration != nil {
      let type = ObjectIdentifier(key.type)
      if declaredKeys[type]?.contains(key) != true { declaredKeys[type, default: []].append(key) }
    }
    guard let old else { return }
    garbage.add(old.registration)
    if old.registration !== registration { removeFromContainer(old.registration) }
    if displacing { return }
    // What is registered again is cached no more, and so is everything that it replaces.
    var next: AnyRegistration? = old.registration
    while let retired = next, !registration.shadows(retired) {
      forget(retired, &garbage)
      next = retired.replaced
    }
  }

  /// Removes the registration of a key; false if requests see none.
  mutating func remove(_ key: AnyKey, _ garbage: inout Garbage) -> Bool {
    guard let slot = slots[key], !slot.isClaimed else { return false }
    slots[key] = nil
    removeFromContainer(slot.registration)
    garbage.add(slot.registration)
    var next: AnyRegistration? = slot.registration
    while let retired = next {
      forget(retired, &garbage)
      next = retired.replaced
    }
    return true
  }

  /// Puts a registration without a cached instance in the place of one that requests see.
  mutating func renew(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    guard let slot = slots[registration.key], slot.registration === registration, !slot.isClaimed
    else { return }
    let fresh = registration.renewed()
    slots[registration.key] = Slot(registration: fresh, replaced: slot.replaced)
    if let container = fresh.key.container {
      removeFromContainer(registration)
      containers[container, default: [:]][fresh.id] = fresh
    }
    garbage.add(registration)
    forget(registration, &garbage)
  }

  private mutating func removeFromContainer(_ registration: AnyRegistration) {
    guard let container = registration.key.container else { return }
    containers[container]?[registration.id] = nil
    if containers[container]?.isEmpty == true { containers[container] = nil }
  }

  // MARK: Claims

  /// Claims a registration; of many requests exactly one gets `true` (L1).
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - rank: The rank of its level.
  ///   - isElsewhere: True if the registration may be in no slot of this level.
  ///   - isLasting: True if the claim counts also when the key of its level is registered anew.
  mutating func claim(
    _ registration: AnyRegistration, ofRank rank: Int, isElsewhere: Bool, isLasting: Bool
  ) -> Bool {
    guard let slot = slots[registration.key], slot.registration === registration else {
      guard isElsewhere, !hasClaimed(registration) else { return false }
      let claimed = Claimed(registration: registration.id, rank: rank, isLasting: isLasting)
      // One of the same level that is there no more needs no claim. So a million one-time arguments leave
      // one.
      if !isLasting { claims[registration.key]?.removeAll { $0.rank == rank && !$0.isLasting } }
      claims[registration.key, default: []].append(claimed)
      return true
    }
    if slot.isClaimed { return false }
    slots[registration.key]?.isClaimed = true
    return true
  }

  /// True if a registration was claimed that is in no slot of this level.
  func hasClaimed(_ registration: AnyRegistration) -> Bool {
    claims.isEmpty
      ? false : claims[registration.key]?.contains { $0.registration == registration.id } ?? false
  }

  private mutating func unclaim(_ registration: AnyRegistration) {
    guard hasClaimed(registration) else { return }
    claims[registration.key]?.removeAll { $0.registration == registration.id }
    if claims[registration.key]?.isEmpty == true { claims[registration.key] = nil }
  }

  /// Puts a claimed registration back, unless its key was registered anew meanwhile (L1).
  mutating func restore(_ registration: AnyRegistration) {
    unclaim(registration)
    guard slots[registration.key]?.registration === registration else { return }
    slots[registration.key]?.isClaimed = false
  }

  mutating func noteUsedUp(_ registration: AnyRegistration, at callSite: CallSite) {
    if usedUp.count == 16 { usedUp.removeFirst() }
    usedUp.append((registration.key, registration.callSite, callSite))
  }

  /// Makes a claim final.
  mutating func settle(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    guard let slot = slots[registration.key], slot.registration === registration, slot.isClaimed
    else { return }
    slots[registration.key] = nil
    removeFromContainer(registration)
    garbage.add(registration)
    // An assembly could bring it back.
    guard registration.isBrought else { return }
    claims[registration.key, default: []].append(
      Claimed(registration: registration.id, rank: 0, isLasting: true))
  }

  // MARK: Instances

  mutating func store(_ instance: AnyInstance, _ garbage: inout Garbage) {
    guard !isEnded else { return garbage.add(instance) }
    let identity = ObjectIdentifier(instance.registration)
    if let old = instances.updateValue(instance, forKey: identity) { garbage.add(old) }
  }

  mutating func forget(_ registration: AnyRegistration, _ garbage: inout Garbage) {
    if instances.isEmpty { return }
    if let old = instances.removeValue(forKey: ObjectIdentifier(registration)) { garbage.add(old) }
  }

  /// Forgets an instance; false if it is not the stored one of its registration.
  mutating func forget(_ instance: AnyInstance, _ garbage: inout Garbage) -> Bool {
    guard instances[ObjectIdentifier(instance.registration)] === instance else { return false }
    forget(instance.registration, &garbage)
    return true
  }

  mutating func forgetAll(_ garbage: inout Garbage) -> Int {
    let count = instances.count
    garbage.add(instances.values.sorted { $0.serial < $1.serial })
    instances = [:]
    return count
  }

  /// Forgets everything, and stores nothing from now on.
  mutating func end(_ garbage: inout Garbage) {
    _ = forgetAll(&garbage)
    for slot in slots.values { garbage.add(slot.registration) }
    self = Level()
    isEnded = true
  }
}

/// Objects that a change of a level released. They are destroyed after the lock is unlocked, the newest
/// first, since a `deinit` may be the user's code.
struct Garbage {
  private var objects: [AnyObject] = []

  mutating func add(_ object: AnyObject) { objects.append(object) }
  mutating func add(_ others: [AnyObject]) { objects += others }

  /// The disposals of the released instances that blocks created, the newest first.
  func disposals(of level: LevelStore) -> [ResolverEvent] {
    objects.reversed().compactMap { $0 as? AnyInstance }.filter(\.isMade).map {
      ResolverEvent(.disposed, $0.registration, in: level)
    }
  }

  consuming func release() {
    while objects.popLast() != nil {}
  }
}
