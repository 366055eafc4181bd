// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The keys of all registrations, in the order of registration.
  public var keys: [AnyKey] { store.all.map(\.key) }

  /// True if something is registered for a key.
  public func contains<Value>(_ key: Key<Value>) -> Bool { contains(key.erased) }

  /// True if something is registered for a key.
  public func contains(_ key: AnyKey) -> Bool { store.registration(for: key) != nil }

  /// Removes the registration of a key. Returns `false` if there is none.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool { unregister(key.erased) }

  /// Removes the registration of a key. Returns `false` if there is none.
  @discardableResult
  public func unregister(_ key: AnyKey) -> Bool { remove(CollectionOfOne(key)) == 1 }

  /// Removes all registrations in a container, and returns their number.
  @discardableResult
  public func unregister(in container: any Hashable & Sendable) -> Int {
    remove(store.registrations(in: KeyName(container)).map(\.key))
  }
}
