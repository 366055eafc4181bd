// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// The criteria of a search for registrations. A criterion that is `nil` matches everything.
struct RegistrationFilter {
  var type: (any Any.Type)?
  var name: KeyName?
  /// True if a key that also has a scope or a qualifier does not match the name.
  var isNameExact = false
  var container: Container = .any

  enum Container {
    case any
    case only(KeyName?)

    /// This container, or any if it is `nil`.
    static func of(_ container: (any Hashable & Sendable)?) -> Container {
      container.map { .only(KeyName($0)) } ?? .any
    }
  }

  func accepts(_ key: AnyKey) -> Bool {
    guard type == nil || key.type == type else { return false }
    guard let name else { return true }
    return isNameExact ? key.name == name : key.name?.includes(name) ?? false
  }
}

/// A registration that was found, with the metadata of its key.
struct FoundRegistration {
  let registration: AnyRegistration
  /// An override without metadata has the metadata of the overridden registration.
  let metadata: any Sendable
}

extension RegistrationFilter {
  /// True if the filter matches a key, apart from its metadata.
  func lists(_ key: AnyKey) -> Bool {
    guard accepts(key), key.declaration == nil else { return false }
    return switch container {
    case .any: true
    case .only(let container): key.container == container
    }
  }

  /// The criteria as one key.
  fileprivate var key: AnyKey {
    let container: KeyName? = if case .only(let container) = container { container } else { nil }
    return AnyKey(type: type ?? Any.self, name: name, container: container)
  }
}

extension Resolver {
  /// The keys of the registrations that match a filter, as a resolution at the same place would see
  /// them, in the order of registration. Nothing is created.
  ///
  /// Work that lost its context gets production's registrations. If a running test overrides one of
  /// them, this is an issue of the run.
  ///
  /// - Complexity: O(n log n) in the number of registrations, of the container if one is given.
  func keys(
    _ type: (any Any.Type)?, _ name: (any Hashable & Sendable)?,
    _ container: RegistrationFilter.Container, at callSite: CallSite
  ) -> [AnyKey] {
    keys(type, name, container, at: callSite) { (_: Any) in true }
  }

  /// The same, for a condition that the metadata meets. Metadata of another type does not.
  func keys<Metadata>(
    _ type: (any Any.Type)?, _ name: (any Hashable & Sendable)?,
    _ container: RegistrationFilter.Container, at callSite: CallSite,
    where isIncluded: (Metadata) -> Bool
  ) -> [AnyKey] {
    let filter = RegistrationFilter(
      type: type, name: name.map { KeyName($0) }, container: container)
    return list(filter, under: try? layerOfLister(filter, at: callSite)).filter {
      ($0.metadata as? Metadata).map(isIncluded) ?? false
    }.map(\.registration.key)
  }

  /// The keys with exactly this name, of all types and containers, as a resolution at the same
  /// place would see them, in the order of registration.
  package func visibleKeys(
    named name: String, at callSite: CallSite
  ) throws(ResolutionError) -> [AnyKey] {
    let filter = RegistrationFilter(name: KeyName(name), isNameExact: true)
    return list(filter, under: try layerOfLister(filter, at: callSite)).map(\.registration.key)
  }

  /// The registrations of a type under a layer, of all names and containers, in the order of
  /// registration.
  package func visibleRegistrations(
    of type: any Any.Type, under top: OverrideLayer?
  ) -> [AnyRegistration] {
    list(RegistrationFilter(type: type), under: top).map(\.registration)
  }

  private func list(
    _ filter: RegistrationFilter, under top: OverrideLayer?
  ) -> [FoundRegistration] {
    var found: [AnyKey: FoundRegistration] = [:]
    // An override stands where the overridden registration stood.
    var serials: [AnyKey: Int] = [:]
    // Production first: an override takes its metadata.
    let levels = visibleRegistrations(filter, under: top)
    let resolverCount = Array(lineage).count
    for (index, level) in levels.enumerated() {
      let isOfLayer = index >= resolverCount
      for registration in level {
        let below = found[registration.key]
        let isInherited = isOfLayer && registration.metadata is Void
        found[registration.key] = FoundRegistration(
          registration: registration,
          metadata: isInherited ? below?.metadata ?? () : registration.metadata)
        serials[registration.key] = min(
          serials[registration.key] ?? .max, registration.serial)
      }
    }
    return serials.sorted { $0.value < $1.value }.compactMap { found[$0.key] }
  }

  /// The unclaimed registrations that a filter accepts, for each level under a layer, outermost
  /// first.
  private func visibleRegistrations(
    _ filter: RegistrationFilter, under top: OverrideLayer?
  ) -> [[AnyRegistration]] {
    let levels = LevelStack(top: top?.store, production: store)
    let layers = (top.map { Array($0.stack) } ?? []).map(\.store).filter(levels.isOverridden)
    return (lineage.reversed().map(\.store) + layers.reversed()).map { level in
      let candidates = candidates(of: level, filter)
      return levels.reading { candidates.filter { !levels.isClaimed($0, of: level) } }
    }
  }

  private func candidates(
    of store: LevelStore, _ filter: RegistrationFilter
  ) -> [AnyRegistration] {
    let members =
      switch filter.container {
      case .any: store.all
      case .only(let container): store.registrations(in: container)
      }
    // `store.registrations(in:)` has compared the containers, by their own `==`.
    return members.filter { filter.accepts($0.key) && $0.key.declaration == nil }
  }

  /// The innermost layer that the calling code sees, for a caller that lists registrations without
  /// resolving them. It counts as a request for each key that a running test overrides.
  private func layerOfLister(
    _ filter: RegistrationFilter, at callSite: CallSite
  ) throws(ResolutionError) -> OverrideLayer? {
    guard OverrideLayer.areAnyAlive else { return nil }
    let top = try layerOfCaller(
      Request(filter.key, at: callSite), isAnswered: false)
    if top?.test != nil || !TestHosts.areAny { return top }
    for key in overriddenKeys(where: filter.lists) {
      _ = try layerOfCaller(Request(key, at: callSite), isAnswered: false)
    }
    return top
  }
}
