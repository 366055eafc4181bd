// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Removes the registrations of some keys, and returns their number.
  @discardableResult
  public func unregister(_ keys: some Sequence<AnyKey>) -> Int {
    remove(keys)
  }

  /// Removes the registrations of some keys, and returns their number.
  @discardableResult
  public func unregister<Value>(_ keys: some Sequence<Key<Value>>) -> Int {
    remove(keys.lazy.map(\.erased))
  }

  /// Removes all registrations of a type in a container, under any name, and returns their number.
  /// By default it is the default container.
  @discardableResult
  public func unregister<Value>(
    _ type: Value.Type, in container: (any Hashable & Sendable)? = nil
  ) -> Int {
    let members = store.registrations(in: container.map { KeyName($0) })
    return unregister(members.map(\.key).filter { $0.type == type })
  }

  /// Removes all registrations, and returns their number. After that, no assembly is loaded.
  @discardableResult
  public func unregisterAll() -> Int {
    let forgotten = loadedAssemblies.removeAll()
    defer { store.forget(forgotten) }
    return unregister(keys)
  }
}

extension Container {
  /// Removes all registrations of a type in this container, under any name, and returns their
  /// number.
  @discardableResult
  public func unregister<Value>(_ type: Value.Type) -> Int {
    resolver.unregister(keys.filter { $0.type == type })
  }

  /// Removes the registration of a key of this container. Returns `false` if there is none.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool {
    key.erased.container == name && resolver.unregister(key)
  }
}
