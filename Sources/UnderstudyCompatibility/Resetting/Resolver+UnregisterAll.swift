// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Removes what is registered for some keys, and says how many there were.
  @discardableResult
  public func unregister(_ keys: some Sequence<AnyKey>) -> Int {
    remove(keys)
  }

  /// Removes what is registered for some keys, and says how many there were.
  @discardableResult
  public func unregister<Value>(_ keys: some Sequence<Key<Value>>) -> Int {
    remove(keys.lazy.map(\.erased))
  }

  /// Removes all registrations of a type in a container, whatever their names; the default
  /// container unless told otherwise. Says how many there were.
  @discardableResult
  public func unregister<Value>(
    _ type: Value.Type, in container: (any Hashable & Sendable)? = nil
  ) -> Int {
    let members = store.registrations(in: container.map { KeyName($0) })
    return unregister(members.map(\.key).filter { $0.type == type })
  }

  /// Removes everything, and says how much there was. No assembly counts as loaded after it.
  @discardableResult
  public func unregisterAll() -> Int {
    loadedAssemblies.removeAll()
    return unregister(keys)
  }
}

extension Container {
  /// Removes all registrations of a type in this container, whatever their names; says how many
  /// there were.
  @discardableResult
  public func unregister<Value>(_ type: Value.Type) -> Int {
    resolver.unregister(keys.filter { $0.type == type })
  }

  /// Removes what is registered for a key, if the key is of this container; false if nothing is.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool {
    key.erased.container == name && resolver.unregister(key)
  }
}
