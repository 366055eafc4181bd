// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A look at the caches that could hold an instance of a registration for a stack of layers.
struct CacheScan {
  /// One cache, and what it held.
  struct Entry {
    let layer: OverrideLayer?
    let store: RegistrationStore
    let instance: AnyInstance?

    /// True if the cache still holds what it held.
    func isCurrent(of registration: AnyRegistration) -> Bool {
      store.keeps(instance, of: registration)
    }
  }

  /// The instance that can be used, and where it is kept.
  let usable: Entry?
  /// The outermost layer that an instance made now could belong to; `nil` is production.
  let placement: OverrideLayer?
  /// All caches that were looked at, innermost first.
  let entries: [Entry]

  /// Looks at the caches, innermost first.
  ///
  /// Those of layers below the registration's own, or below the innermost boundary, are none of this
  /// stack's business (O5). An instance that an override would have changed is not used (O6).
  init(
    for registration: AnyRegistration, ownedBy owner: OverrideLayer?, under top: OverrideLayer?,
    resolver: Resolver, isAlive: (AnyInstance) -> Bool
  ) {
    let lowest = max(owner?.level ?? 0, top?.boundaryLevel ?? 0)
    var entries: [Entry] = []
    var layer = top
    while let candidate = layer, candidate.level >= lowest {
      entries.append(
        Entry(
          layer: candidate, store: candidate.store,
          instance: candidate.store.instance(of: registration)))
      layer = candidate.outer
    }
    if lowest == 0 {
      entries.append(
        Entry(
          layer: nil, store: resolver.store, instance: resolver.store.instance(of: registration)))
    }
    var placement = entries.last?.layer
    var usable: Entry?
    for entry in entries {
      guard let instance = entry.instance, isAlive(instance),
        owner != nil || resolver.mayHandOut(instance, of: registration),
        !registration.isDecoration
          || resolver.isThere(wrappedBy: instance, instance.provenance, under: top)
      else { continue }
      guard let culprit = instance.provenance.firstOverride(under: top) else {
        usable = entry
        break
      }
      if culprit.level > placement?.level ?? 0 { placement = culprit }
    }
    self.entries = entries
    self.usable = usable
    self.placement = placement
  }
}

extension Resolver {
  /// False if what an instance wraps (O7) is not what answers below any more: it was used up, unregistered, registered
  /// anew, or let go of by a reset.
  fileprivate func isThere(
    wrappedBy instance: AnyInstance, _ wrapper: Provenance, under top: OverrideLayer?,
    answering key: AnyKey? = nil
  ) -> Bool {
    let own: AnyRegistration? =
      if case .registration(let decorator) = wrapper.answer { decorator.replaced } else { nil }
    return wrapper.dependencies.allSatisfy { dependency in
      guard dependency.key == key ?? wrapper.key,
        case .registration(let registration) = dependency.answer
      else { return true }
      // What a decorator of the same layer stands before is in no table.
      if registration !== own && registration.isRetired
        || top?.boundary.hasClaimed(registration, of: dependency.level) ?? false
      {
        return false
      }
      if registration.isDecoration { return isThere(wrappedBy: instance, dependency, under: top) }
      if let aliased = registration.aliased, aliased != key,
        !isThere(wrappedBy: instance, wrapper, under: top, answering: aliased)
      {
        return false
      }
      return dependency.level > 0 || mayHandOut(instance, of: registration)
    }
  }
}

extension Provenance {
  /// The innermost layer because of which this would now be made otherwise, or `nil` if every
  /// dependency would be answered as it was.
  ///
  /// - Complexity: O(dependencies × layers).
  fileprivate func firstOverride(under top: OverrideLayer?) -> OverrideLayer? {
    guard let top else { return nil }
    var culprit: OverrideLayer?
    for dependency in dependencies {
      dependency.visit { dependency in
        if let layer = dependency.override(under: top), layer.level > culprit?.level ?? 0 {
          culprit = layer
        }
        return true
      }
    }
    return culprit
  }

  /// The layer that now answers this one dependency otherwise than when it was resolved.
  ///
  /// A registration that is gone, such as a `.once` that was claimed, is no reason to make anything
  /// again.
  private func override(under top: OverrideLayer) -> OverrideLayer? {
    var candidate: OverrideLayer? = top
    while let layer = candidate, layer.level >= max(level, 1) {
      candidate = layer.outer
      guard layer.level < ceiling, ObjectIdentifier(layer.resolver) == resolver else { continue }
      switch answer {
      case .registration(let registration):
        if let now = layer.registration(for: key), !top.boundary.hasClaimed(now, of: layer.level) {
          return now === registration ? nil : layer
        }
        // Gone is no reason; still there, and no longer what answers, is one.
        let isThere =
          layer.store.registration(for: registration.key) === registration
          && !top.boundary.hasClaimed(registration, of: layer.level)
        if layer.level == level, isThere { return layer }
      case .nothing:
        if let now = layer.registration(for: key), !top.boundary.hasClaimed(now, of: layer.level) {
          return layer
        }
      case .every(let members):
        let now = layer.store.all.filter { $0.key.isElement(of: key) }
        if !now.allSatisfy({ member in members.contains { $0 === member } }) { return layer }
      }
    }
    return nil
  }
}

extension Provenance {
  /// The level that only layers below it were asked of, where a layer that the asker sees is where the asking
  /// begins.
  static func ceiling(from start: OverrideLayer?, under top: OverrideLayer?) -> Int {
    start === top ? .max : (start?.level ?? 0) + 1
  }
}
