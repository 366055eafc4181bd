// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The keys of all registrations, in the order of registering (G9-25).
  public var keys: [AnyKey] { store.all.map(\.key) }

  /// True if something is registered for a key.
  public func contains<Value>(_ key: Key<Value>) -> Bool { contains(key.erased) }

  /// True if something is registered for a key.
  public func contains(_ key: AnyKey) -> Bool { store.registration(for: key) != nil }

  /// Removes what is registered for a key; false if nothing is (G9-50).
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool { unregister(key.erased) }

  /// Removes what is registered for a key; false if nothing is (G9-50).
  @discardableResult
  public func unregister(_ key: AnyKey) -> Bool { store.remove(key) }

  /// Removes what is registered for some keys, and says how many there were (G9-51).
  @discardableResult
  public func unregister(_ keys: some Sequence<AnyKey>) -> Int {
    keys.count { store.remove($0) }
  }

  /// Removes what is registered for some keys, and says how many there were (G9-51).
  @discardableResult
  public func unregister<Value>(_ keys: some Sequence<Key<Value>>) -> Int {
    keys.count { store.remove($0.erased) }
  }

  /// Removes everything in a container, and says how much there was (G9-52).
  @discardableResult
  public func unregister(in container: any Hashable & Sendable) -> Int {
    unregister(store.registrations(in: KeyName(container)).map(\.key))
  }

  /// Removes all registrations of a type in a container, whatever their names; the default container
  /// unless told otherwise. Says how many there were (G9-53).
  @discardableResult
  public func unregister<Value>(
    _ type: Value.Type, in container: (any Hashable & Sendable)? = nil
  ) -> Int {
    let members = store.registrations(in: container.map { KeyName($0) })
    return unregister(members.map(\.key).filter { $0.type == type })
  }

  /// Removes everything, and says how much there was (G9-54). No assembly counts as loaded after it.
  @discardableResult
  public func unregisterAll() -> Int {
    attachments.forEach { $0.forgetRegistrations() }
    return unregister(keys)
  }
}
