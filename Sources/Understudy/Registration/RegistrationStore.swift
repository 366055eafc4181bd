// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The registrations of one owner, a resolver or a layer, and the instances that it holds.
@safe
package final class RegistrationStore: Sendable {
  private let registrations: KeyTable<Slot>
  let instances: Lock<Instances>
  // Most stores have neither, so each is made when it is first needed.
  private let claimsBelow = LazyValue<ClaimsBelow>()
  /// The overrides of declared dependencies, by the bare type.
  private let declared = LazyValue<KeyTable<[AnyRegistration]>>()

  /// Production's; the few registrations of a layer are looked through.
  package let containers: ContainerIndex?
  /// Production's, for the same reason.
  private let index: QuickIndex?
  /// The same, to which no reference is counted.
  ///
  /// Safety: `index` keeps it, and whoever asks keeps this.
  private let unmanagedIndex: Unmanaged<QuickIndex>?

  /// Hears of every change, before and after it, but for instances that are kept.
  private let observer: ChangeObserver
  /// Those who hear of production's.
  package let observers: ChangeObservers?
  private let hasDeclaredKeys = Atomic<Bool>(false)

  /// Makes a store of a resolver, which may have many registrations.
  package init() {
    let observers = ChangeObservers()
    self.observers = observers
    observer = observers
    registrations = KeyTable()
    instances = Lock(Instances())
    containers = ContainerIndex()
    let index = QuickIndex()
    self.index = index
    unsafe unmanagedIndex = .passUnretained(index)
  }

  /// Makes a store of a layer, which has few, keeps them with the rest that the layer knows, and whose changes somebody
  /// has to hear of.
  package init(observer: ChangeObserver, _ state: Lock<StoreState>) {
    self.observer = observer
    observers = nil
    registrations = KeyTable(state.part(\.registrations))
    instances = state.part(\.instances)
    containers = nil
    index = nil
    unsafe unmanagedIndex = nil
  }

  /// True if a declared dependency was ever registered here: only then can it be found here.
  package var mayAnswerDeclared: Bool { hasDeclaredKeys.load(ordering: .acquiring) }

  func changing<Result>(_ change: () -> Result) -> Result {
    observer.changing(change)
  }

  /// Changes what is registered for a key, and what is seen of it without a lock. Whoever takes a registration
  /// out returns it, or has it, so that the last reference to it does not go under the lock.
  private func update<Result>(_ key: AnyKey, _ change: (inout Slot?) -> Result) -> Result {
    registrations.update(key) { slot in
      let older = index == nil ? nil : slot?.visible
      let result = change(&slot)
      if let older, older !== slot?.visible { index?.hide(older) }
      return result
    }
  }

  /// What a layer's store has.
  package struct StoreState: Sendable {
    fileprivate var registrations = KeyTable<Slot>.TableState()
    fileprivate var instances = Instances()

    package init() {}
  }

  /// What is registered for a key.
  fileprivate struct Slot {
    let registration: AnyRegistration
    /// True while the block of the one who claimed it runs: nobody else sees it, and it is put back if
    /// the block throws.
    var isClaimed = false
    /// Where that was registered which this one replaced, if that was another place.
    var replaced: Place?

    /// The registration, if anyone may see it.
    var visible: AnyRegistration? { isClaimed ? nil : registration }
  }

  /// Behind a reference, since few replace anything.
  fileprivate final class Place: Sendable {
    let callSite: CallSite

    init(_ callSite: CallSite) { self.callSite = callSite }
  }

  /// All registrations, in the order of registering.
  package var all: [AnyRegistration] {
    registrations.elements.compactMap(\.visible).sorted { $0.serial < $1.serial }
  }

  package func registration(for key: AnyKey) -> AnyRegistration? {
    registrations[key]?.visible
  }

  /// What is registered for a type alone, with neither a name nor a container.
  package func registration(forPlain type: ObjectIdentifier) -> AnyRegistration? {
    registrations.read(plain: type) { $0.visible }
  }

  /// What is registered for a type under a name, in no container; no key is made for the question.
  package func registration(
    for type: ObjectIdentifier, named name: any Hashable & Sendable
  ) -> AnyRegistration? {
    registrations.read(type, named: name) { $0.visible }
  }

  /// A look at what is registered for a type alone.
  @inline(__always)
  func look(at type: ObjectIdentifier) -> QuickLook {
    if let look = unsafe unmanagedIndex?._withUnsafeGuaranteedRef({ $0.look(at: type) }) {
      return look
    }
    return QuickLook(shown(registration(forPlain: type)), of: type)
  }

  /// A look at what is registered for a type under a name that is a text, in no container.
  @inline(__always)
  func look(at type: ObjectIdentifier, named text: String) -> QuickLook {
    if let look = unsafe unmanagedIndex?._withUnsafeGuaranteedRef({
      $0.look(at: type, named: .text(text))
    }) {
      return look
    }
    return QuickLook(shown(registration(for: type, named: text)), of: type)
  }

  /// The same under any name. `quick` is the one that it makes.
  @inline(__always)
  func look<Name: Hashable & Sendable>(
    at type: ObjectIdentifier, named name: Name, _ quick: QuickName?
  ) -> QuickLook {
    let look = unsafe unmanagedIndex?._withUnsafeGuaranteedRef { index in
      if let quick { index.look(at: type, named: quick) } else { index.look(at: type, named: name) }
    }
    if let look { return look }
    return QuickLook(shown(registration(for: type, named: name)), of: type)
  }

  /// The same under a name of a key.
  func look(at type: ObjectIdentifier, named name: KeyName) -> QuickLook {
    look(at: type, named: name.base, name.quick)
  }

  /// Has a registration be found without a lock from now on, if it still answers, and returns it. One that is used
  /// once would be hidden at once.
  private func shown(_ registration: AnyRegistration?) -> AnyRegistration? {
    guard let index, let registration, registration.lifecycle != .once else { return registration }
    registrations.hold(registration.key) { slot in
      if slot.visible === registration { unsafe index.show(registration) }
    }
    return registration
  }

  /// The registrations of a container, in the order of registering; `nil` is the default container.
  ///
  /// - Complexity: O(n log n) in the number of a resolver's members of the container, whatever else there is;
  ///   in the number of all registrations of a layer, and for the default container.
  package func registrations(in container: KeyName?) -> [AnyRegistration] {
    guard let container, let members = containers?.members(of: container) else {
      return all.filter { $0.key.container == container }
    }
    // Some may be on their way in or out.
    return members.filter { registration(for: $0.key) === $0 }.sorted { $0.serial < $1.serial }
  }

  /// Where the registration was made that this one replaced, if that was another place.
  package func replaced(by registration: AnyRegistration) -> CallSite? {
    registrations[registration.key].flatMap {
      $0.registration === registration ? $0.replaced?.callSite : nil
    }
  }

  /// Adds a registration. One for the same key is replaced, and its instance forgotten (L6), unless the new one stands
  /// before it; or only displaced, to be added again later.
  package func add(_ registration: AnyRegistration, displacing: Bool = false) {
    changing {
      if registration.key.declaration != nil { hasDeclaredKeys.store(true, ordering: .releasing) }
      containers?.insert(registration)
      let replaced = update(registration.key) { slot in
        if !displacing { registration.setSpent(false) }
        let isGone = registration.isClaimedBehind || registration.isSpent
        registration.setRetired(isGone)
        defer {
          slot = Slot(registration, after: slot, displacing: displacing)
          slot?.isClaimed = isGone
        }
        return slot?.registration
      }
      if let replaced, replaced !== registration {
        containers?.remove(replaced)
        if displacing { replaced.setRetired(true) } else { retire(replaced, for: registration) }
      }
      if let bare = registration.key.undeclared {
        let old = declared.value(orMake: { KeyTable() }).update(bare) { others in
          let old = others ?? []
          let identity = registration.key.declaration?.identity
          others = old.filter { $0.key.declaration?.identity != identity } + [registration]
          return old
        }
        // The last reference to a block may be among them.
        withExtendedLifetime(old) {}
      }
    }
  }

  /// Claims a registration if it is still there, or is known to stand behind what is; of many callers exactly one gets
  /// `true` (L1). It is invisible from then on, until `restore` or `settle`.
  package func claim(_ registration: AnyRegistration, behindOthers: Bool = false) -> Bool {
    changing {
      update(registration.key) { slot in
        guard let found = slot, found.registration === registration else {
          guard behindOthers, !registration.isClaimedBehind, !registration.isSpent else {
            return false
          }
          registration.setClaimedBehind(true)
          return true
        }
        if found.isClaimed { return false }
        slot?.isClaimed = true
        registration.setRetired(true)
        return true
      }
    }
  }

  /// Puts a claimed registration back, unless its key was registered anew meanwhile (L1).
  package func restore(_ registration: AnyRegistration) {
    changing {
      update(registration.key) { slot in
        registration.setClaimedBehind(false)
        guard slot?.registration === registration else { return }
        slot?.isClaimed = false
        registration.setRetired(false)
      }
    }
  }

  /// Makes a claim final.
  package func settle(_ registration: AnyRegistration) {
    changing {
      let settled = update(registration.key) { slot in
        registration.setClaimedBehind(false)
        registration.setSpent(true)
        guard slot?.registration === registration else { return nil as Slot? }
        defer { slot = nil }
        return slot
      }
      if settled != nil {
        containers?.remove(registration)
        registration.retirePublished()
      }
    }
  }

  /// True if a registration of a store below was claimed under this one.
  package func hasClaimedBelow(_ registration: AnyRegistration) -> Bool {
    claimsBelow.value?.contains(registration) ?? false
  }

  /// Claims a registration of a store below, for those above this one alone.
  package func claimBelow(_ registration: AnyRegistration) -> Bool {
    changing {
      claimsBelow.value(orMake: { ClaimsBelow() }).insert(registration)
    }
  }

  /// Puts back a registration that `claimBelow` claimed.
  package func restoreBelow(_ registration: AnyRegistration) {
    changing {
      claimsBelow.value?.remove(registration)
    }
  }

  /// Removes what is registered for a key; false if nothing is.
  package func remove(_ key: AnyKey) -> Bool {
    changing {
      let removed = update(key) { slot -> AnyRegistration? in
        guard let found = slot, !found.isClaimed else { return nil }
        slot = nil
        return found.registration
      }
      guard let removed else { return false }
      containers?.remove(removed)
      retire(removed)
      return true
    }
  }

  /// Puts a registration with nothing cached in the place of one that is still there.
  package func renew(_ registration: AnyRegistration) {
    changing {
      let fresh = registration.renewed()
      containers?.insert(fresh)
      let isRenewed = update(registration.key) { slot in
        guard let found = slot, found.registration === registration, !found.isClaimed else {
          return false
        }
        slot = Slot(registration: fresh, replaced: found.replaced)
        registration.setRetired(true)
        return true
      }
      containers?.remove(isRenewed ? registration : fresh)
      if isRenewed { letGo(of: registration) }
    }
  }

  /// A registration as it is now: a renewed one keeps its number.
  package func current(_ registration: AnyRegistration) -> AnyRegistration {
    guard let now = self.registration(for: registration.key), now.serial == registration.serial
    else { return registration }
    return now
  }

  /// Takes out a registration, with all that it stands before and that nothing else does.
  private func retire(_ registration: AnyRegistration, for other: AnyRegistration? = nil) {
    var next: AnyRegistration? = registration
    while let retired = next, !(other?.stands(before: retired) ?? false) {
      retired.setRetired(true)
      letGo(of: retired)
      next = retired.replaced
    }
  }

  /// Lets go of the instance of a registration that this store no longer answers with, wherever it is
  /// read: an assembly may bring the registration back, and not the instance.
  private func letGo(of registration: AnyRegistration) {
    registration.retirePublished()
    forget(registration)
  }

  /// The registration for a declared dependency of a bare type, if there is exactly one.
  package func onlyDeclaredOverride(of bare: AnyKey) -> AnyRegistration? {
    let live = declared.value?[bare]?.filter { registration(for: $0.key) === $0 }
    return live?.count == 1 ? live?[0] : nil
  }

  /// Lets go of everything, outside the locks, the newest instance first, and keeps nothing after. Only layers end, and
  /// each says itself that it changes.
  package func close() {
    precondition(index == nil, "the store of a resolver is never closed")
    var held = instances.withLock { exchange(&$0, with: Instances(isClosed: true)) }.newestLast
    while held.popLast() != nil {}
    registrations.removeAll()
    declared.value?.removeAll()
    claimsBelow.value?.removeAll()
  }
}

extension RegistrationStore.Slot {
  /// What a key has after it had something else, or nothing.
  fileprivate init(
    _ registration: AnyRegistration, after old: RegistrationStore.Slot?, displacing: Bool
  ) {
    self.init(registration: registration)
    guard let old else { return }
    if old.registration === registration {
      replaced = old.replaced
    } else if !displacing, old.registration.callSite != registration.callSite {
      replaced = RegistrationStore.Place(old.registration.callSite)
    }
  }
}
