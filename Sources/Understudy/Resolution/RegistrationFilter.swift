// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Which registrations are looked for. A criterion that is `nil` matches everything (G9-42).
struct RegistrationFilter {
  var type: (any Any.Type)?
  var name: KeyName?
  var container: Container = .any
  var isMatch: ((any Sendable) -> Bool)?

  enum Container {
    case any
    case only(KeyName?)
  }

  func accepts(_ key: AnyKey) -> Bool {
    (type == nil || key.type == type) && (name == nil || key.name == name)
  }
}

/// A registration that was found, with what its key's metadata is.
struct FoundRegistration {
  let registration: AnyRegistration
  /// An override that says nothing has the metadata of what it overrides.
  let metadata: any Sendable
}

extension Resolver {
  /// The registrations that a filter lets pass, as the calling task sees them, in the order of
  /// registering. Nothing is made (G9-47).
  ///
  /// - Complexity: O(n log n) in the number of registrations of the container, if one is given,
  ///   whatever else is registered.
  func find(_ filter: RegistrationFilter) -> [FoundRegistration] {
    var found: [AnyKey: FoundRegistration] = [:]
    var order: [AnyKey] = []
    let layer = OverrideLayer.current?.nearest(of: self)
    guard layer != nil else {
      return candidates(of: store, filter).map {
        FoundRegistration(registration: $0, metadata: $0.metadata)
      }.filter { filter.isMatch?($0.metadata) ?? true }
    }
    // Production first: an override stands where what it overrides stood.
    let stores = [store] + (layer?.stores(of: self).reversed() ?? [])
    for store in stores {
      for registration in candidates(of: store, filter) {
        let below = found.updateValue(
          FoundRegistration(
            registration: registration,
            metadata: registration.metadata is Void
              ? found[registration.key]?.metadata ?? () : registration.metadata),
          forKey: registration.key)
        if below == nil { order.append(registration.key) }
      }
    }
    return order.compactMap { found[$0] }.filter { filter.isMatch?($0.metadata) ?? true }
  }

  private func candidates(
    of store: RegistrationStore, _ filter: RegistrationFilter
  ) -> [AnyRegistration] {
    let members =
      switch filter.container {
      case .any: store.all
      case .only(let container): store.registrations(in: container)
      }
    return members.filter { filter.accepts($0.key) && $0.key.declaration == nil }
  }
}

extension OverrideLayer {
  /// The stores of this layer and of those below it that override a resolver, innermost first.
  fileprivate func stores(of resolver: Resolver) -> [RegistrationStore] {
    var stores: [RegistrationStore] = []
    var layer: OverrideLayer? = nearest(of: resolver)
    while let next = layer {
      stores.append(next.store)
      layer = next.next(of: resolver)
    }
    return stores
  }
}
