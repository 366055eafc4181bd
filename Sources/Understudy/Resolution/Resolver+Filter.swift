// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The keys of a type that are registered, in the order of registering; what is left out of the criteria
  /// matches everything. Nothing is made (G9-42, G9-47).
  public func filter<Value>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) -> [Key<Value>] {
    find(.by(type, name, container)).map { Key(erased: $0.registration.key) }
  }

  /// The keys of a type whose metadata is of the predicate's type and satisfies it (G9-43).
  public func filter<Value, Metadata>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil,
    where isIncluded: (Metadata) -> Bool
  ) -> [Key<Value>] {
    find(.by(type, name, container))
      .filter { ($0.metadata as? Metadata).map(isIncluded) ?? false }.map {
        Key(erased: $0.registration.key)
      }
  }

  /// The keys of a type whose metadata is of this type and equals this (G9-44).
  public func filter<Value, Metadata: Equatable>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil,
    metadata: Metadata
  ) -> [Key<Value>] {
    find(.by(type, name, container))
      .filter { $0.metadata as? Metadata == metadata }.map { Key(erased: $0.registration.key) }
  }

  /// The keys that are registered, in the order of registering; what is left out of the criteria
  /// matches everything. Nothing is made (G9-42, G9-47).
  public func filter(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil
  ) -> [AnyKey] {
    find(.by(nil, name, container)).map { $0.registration.key }
  }

  /// The keys whose metadata is of the predicate's type and satisfies it (G9-43).
  public func filter<Metadata>(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    where isIncluded: (Metadata) -> Bool
  ) -> [AnyKey] {
    find(.by(nil, name, container))
      .filter { ($0.metadata as? Metadata).map(isIncluded) ?? false }.map { $0.registration.key }
  }

  /// The keys whose metadata is of this type and equals this (G9-44).
  public func filter<Metadata: Equatable>(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    metadata: Metadata
  ) -> [AnyKey] {
    find(.by(nil, name, container))
      .filter { $0.metadata as? Metadata == metadata }.map { $0.registration.key }
  }

  /// Those of some keys that something is registered for, in their order, each once (G9-45).
  public func filter(_ keys: some Sequence<AnyKey>) -> [AnyKey] {
    var seen: Set<AnyKey> = []
    return keys.filter { seen.insert($0).inserted && visibleRegistration(for: $0) != nil }
  }

  /// Those of some keys that something is registered for, in their order, each once (G9-45).
  public func filter<Value>(_ keys: some Sequence<Key<Value>>) -> [Key<Value>] {
    var seen: Set<Key<Value>> = []
    return keys.filter { seen.insert($0).inserted && visibleRegistration(for: $0.erased) != nil }
  }

  /// What was attached to the registration for a key; `nil` if it is of another type or nothing is
  /// registered (G9-41). Nothing is made.
  public func metadata<Value, Metadata>(
    of key: Key<Value>, as type: Metadata.Type = Metadata.self
  ) -> Metadata? {
    metadata(of: key.erased)
  }

  /// What was attached to the registration for a key; `nil` if it is of another type or nothing is
  /// registered (G9-41). Nothing is made.
  public func metadata<Metadata>(
    of key: AnyKey, as type: Metadata.Type = Metadata.self
  ) -> Metadata? {
    let filter = RegistrationFilter(
      type: key.type, name: key.name, container: .only(key.container))
    return find(filter).first { $0.registration.key == key }?.metadata as? Metadata
  }

  /// The registration that answers a key for the calling task; `nil` if nothing does.
  public func registration(for key: AnyKey) -> AnyRegistration? { visibleRegistration(for: key) }

  private func visibleRegistration(for key: AnyKey) -> AnyRegistration? {
    var layer = OverrideLayer.current?.nearest(of: self)
    while let next = layer {
      if let registration = next.store.registration(for: key) { return registration }
      layer = next.next(of: self)
    }
    return store.registration(for: key)
  }
}

extension RegistrationFilter {
  static func by(
    _ type: (any Any.Type)?, _ name: (any Hashable & Sendable)?,
    _ container: (any Hashable & Sendable)?
  ) -> RegistrationFilter {
    RegistrationFilter(
      type: type, name: name.map { KeyName($0) },
      container: container.map { .only(KeyName($0)) } ?? .any)
  }

  static func by(
    _ type: (any Any.Type)?, _ name: (any Hashable & Sendable)?, _ container: Container
  ) -> RegistrationFilter {
    RegistrationFilter(type: type, name: name.map { KeyName($0) }, container: container)
  }
}
