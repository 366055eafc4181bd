// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registrations of one owner, a resolver or a layer, and the instances that it holds.
package final class RegistrationStore: Sendable {
  private let registrations = KeyTable<AnyRegistration>()
  private let instances = Lock(Instances())
  /// The overrides of declared dependencies, by the bare type.
  private let declared = KeyTable<[AnyRegistration]>()

  package init() {}

  /// All registrations, in the order of registering.
  package var all: [AnyRegistration] {
    registrations.elements.sorted { $0.serial < $1.serial }
  }

  package func registration(for key: AnyKey) -> AnyRegistration? { registrations[key] }

  /// Adds a registration. One for the same key is replaced, and its instance forgotten (L6).
  package func add(_ registration: AnyRegistration) {
    let replaced = registrations.update(registration.key) { element in
      defer { element = registration }
      return element
    }
    if let replaced { forget(replaced) }
    if let bare = registration.key.undeclared {
      declared.update(bare) { others in
        others = (others ?? []).filter { $0.key.declaration !== registration.key.declaration }
        others?.append(registration)
      }
    }
  }

  /// Takes a registration out if it is still there; of many callers exactly one gets `true` (L1).
  package func claim(_ registration: AnyRegistration) -> Bool {
    registrations.update(registration.key) { element in
      guard element === registration else { return false }
      element = nil
      return true
    }
  }

  /// Puts a claimed registration back, unless its key was registered anew meanwhile (L1).
  package func restore(_ registration: AnyRegistration) {
    registrations.update(registration.key) { element in
      if element == nil { element = registration }
    }
  }

  /// Removes what is registered for a key; false if nothing is.
  package func remove(_ key: AnyKey) -> Bool {
    let removed = registrations.update(key) { element in
      defer { element = nil }
      return element
    }
    guard let removed else { return false }
    forget(removed)
    return true
  }

  /// The registration for a declared dependency of a bare type, if there is exactly one.
  package func onlyDeclaredOverride(of bare: AnyKey) -> AnyRegistration? {
    let live = declared[bare]?.filter { registrations[$0.key] === $0 }
    return live?.count == 1 ? live?[0] : nil
  }

  package func instance(of registration: AnyRegistration) -> (any AnyInstance)? {
    instances.withLock { $0.held[ObjectIdentifier(registration)] }
  }

  /// Keeps an instance, unless the store is closed, and returns the older one of the same
  /// registration that it replaces. The caller releases that one where no lock is held.
  package func keep(
    _ instance: any AnyInstance, of registration: AnyRegistration
  ) -> (any AnyInstance)? {
    instances.withLock { state in
      guard !state.isClosed else { return nil }
      return state.held.updateValue(instance, forKey: ObjectIdentifier(registration))
    }
  }

  /// The objects among the instances, held weakly.
  package var heldObjects: [HeldObject] {
    instances.withLock { Array($0.held.values) }.sorted { $0.serial < $1.serial }
      .compactMap { HeldObject($0) }
  }

  /// Lets go of the instance of a registration.
  package func forget(_ registration: AnyRegistration) {
    let forgotten = instances.withLock {
      $0.held.removeValue(forKey: ObjectIdentifier(registration))
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Lets go of everything, outside the locks, the newest instance first, and keeps nothing after.
  package func close() {
    var held = instances.withLock { state in
      defer { state = Instances(isClosed: true) }
      return state.held.values.sorted { $0.serial < $1.serial }
    }
    while held.popLast() != nil {}
    registrations.removeAll()
    declared.removeAll()
  }
}

private struct Instances {
  var held: [ObjectIdentifier: any AnyInstance] = [:]
  var isClosed = false
}

/// An object that a store held, and does no longer keep alive.
package struct HeldObject {
  private let key: AnyKey
  private weak let object: AnyObject?

  fileprivate init?(_ instance: any AnyInstance) {
    guard let object = instance.object else { return nil }
    key = instance.provenance.key
    self.object = object
  }

  /// What the object was made for, if it is still alive.
  package var survivorKey: AnyKey? { object == nil ? nil : key }
}
