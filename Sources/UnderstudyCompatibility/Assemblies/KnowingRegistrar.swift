// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// A registrar that knows the existing registrations.
package protocol KnowingRegistrar: Registering {
  /// The resolver that answers the keys that this registrar's resolver does not know.
  var parent: Resolver? { get }

  /// The registration that a new one for the key would displace or replace.
  func present(_ key: AnyKey) -> AnyRegistration?

  /// Adds a registration if `present` is still the one of its key. Returns `false` if some thread
  /// has changed that in the meantime.
  func add(_ registration: AnyRegistration, replacing present: AnyRegistration?) -> Bool

  /// Removes the registration that a new one for the key would replace. Returns `false` if a new
  /// one would only displace it.
  func withdraw(_ key: AnyKey) -> Bool
}

extension Resolver: KnowingRegistrar {
  package func present(_ key: AnyKey) -> AnyRegistration? { store.registration(for: key) }

  package func add(_ registration: AnyRegistration, replacing present: AnyRegistration?) -> Bool {
    add(registration) { now, _ in now === present }
  }

  package func withdraw(_ key: AnyKey) -> Bool {
    dropDisplaced(key)
    _ = store.remove(key)
    return true
  }

  /// Forgets the registrations of a key that assemblies displace. Otherwise they would return when
  /// those are unloaded.
  func dropDisplaced(_ key: AnyKey) {
    for displaced in loadedAssemblies.displaced(key) {
      loadedAssemblies.restore(displaced)
      store.forget([displaced])
    }
  }
}

extension Container: KnowingRegistrar {
  package var parent: Resolver? { resolver.parent }
  package func present(_ key: AnyKey) -> AnyRegistration? { resolver.present(key) }
  package func add(_ registration: AnyRegistration, replacing present: AnyRegistration?) -> Bool {
    resolver.add(registration, replacing: present)
  }
  package func withdraw(_ key: AnyKey) -> Bool { resolver.withdraw(key) }
}

extension DefaultingRegistrar: KnowingRegistrar {
  package var parent: Resolver? { (base as? any KnowingRegistrar)?.parent }

  package func present(_ key: AnyKey) -> AnyRegistration? {
    (base as? any KnowingRegistrar)?.present(key)
  }

  package func add(_ registration: AnyRegistration, replacing present: AnyRegistration?) -> Bool {
    if let base = base as? any KnowingRegistrar {
      return base.add(registration, replacing: present)
    }
    base.add(registration)
    return true
  }

  package func withdraw(_ key: AnyKey) -> Bool {
    (base as? any KnowingRegistrar)?.withdraw(key) ?? false
  }
}
