// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a store keeps.
struct Instances: Sendable {
  var held = PointerTable<AnyInstance>()
  var isClosed = false

  /// In the order of making.
  var newestLast: [AnyInstance] {
    held.count == 0 ? [] : held.elements.sorted { $0.serial < $1.serial }
  }
}

extension RegistrationStore {
  /// Lets go of all instances, outside the lock, the newest first; says how many there were.
  package func forgetAll() -> Int {
    changing {
      var held = instances.withLock {
        exchange(&$0, with: Instances(isClosed: $0.isClosed))
      }.newestLast
      let count = held.count
      for instance in held {
        guard case .registration(let registration) = instance.provenance.answer else { continue }
        registration.retirePublished()
      }
      while held.popLast() != nil {}
      return count
    }
  }

  /// How many instances are kept.
  package var instanceCount: Int { instances.withLock { $0.held.count } }

  /// True if one of them was made for this store: of one that keeps what exists already, the registration keeps that, too.
  package var keepsMade: Bool {
    instances.withLock { state in
      guard state.held.count > 0 else { return false }
      let slots = state.held.slots
      var place = 0
      // Not by an iterator, which a debug build looks up the types of with every step.
      while place < slots.count, slots[place]?.isMade != true { place += 1 }
      return place < slots.count
    }
  }

  /// The instances that were made for this store, the newest last.
  package var made: [AnyInstance] {
    instances.withLock { $0.held.elements }.filter(\.isMade).sorted { $0.serial < $1.serial }
  }

  /// Keeps an instance no longer, which the caller does; false if it is not what is kept of its registration.
  package func forget(_ instance: AnyInstance) -> Bool {
    guard case .registration(let registration) = instance.provenance.answer else { return false }
    let identity = ObjectIdentifier(registration)
    return changing {
      instances.withLock { state in
        guard state.held[identity] === instance else { return false }
        state.held[identity] = nil
        return true
      }
    }
  }

  package func instance(of registration: AnyRegistration) -> AnyInstance? {
    instances.withLock { $0.held[ObjectIdentifier(registration)] }
  }

  /// True if this is what is kept of a registration, if anything is. No reference leaves the lock, so whoever asks may
  /// hold another one.
  package func keeps(_ instance: AnyInstance?, of registration: AnyRegistration) -> Bool {
    instances.withLock { $0.held[ObjectIdentifier(registration)] === instance }
  }

  /// Keeps an instance, unless the store is closed, and returns the older one of the same
  /// registration that it replaces. The caller gives that one to `letGo`, where no lock is held: somebody may remember
  /// it.
  package func keep(
    _ instance: AnyInstance, of registration: AnyRegistration
  ) -> AnyInstance? {
    // No change to hear of, until one is replaced (`letGo`): an instance is made only for those who can use no
    // other, and this is called under a lock.
    instances.withLock { state in
      guard !state.isClosed else { return nil }
      let identity = ObjectIdentifier(registration)
      defer { state.held[identity] = instance }
      return state.held[identity]
    }
  }

  /// Lets go of an instance that another one replaced.
  package func letGo(of replaced: AnyInstance) {
    withExtendedLifetime(replaced) { changing {} }
  }

  /// The objects among the instances that were made for this store, held weakly.
  package var heldObjects: [HeldObject] {
    instances.withLock { $0.held.elements }.filter(\.isMade).sorted { $0.serial < $1.serial }
      .compactMap { HeldObject($0) }
  }

  /// Lets go of the instance of a registration.
  package func forget(_ registration: AnyRegistration) {
    changing {
      let identity = ObjectIdentifier(registration)
      let forgotten = instances.withLock { state in
        defer { state.held[identity] = nil }
        return state.held[identity]
      }
      withExtendedLifetime(forgotten) {}
    }
  }
}

/// An object that a store held, and does no longer keep alive.
package struct HeldObject {
  private let key: AnyKey
  private weak let object: AnyObject?

  fileprivate init?(_ instance: AnyInstance) {
    guard let object = instance.object else { return nil }
    key = instance.provenance.key
    self.object = object
  }

  /// What the object was made for, if it is still alive.
  package var survivorKey: AnyKey? { object == nil ? nil : key }
}
