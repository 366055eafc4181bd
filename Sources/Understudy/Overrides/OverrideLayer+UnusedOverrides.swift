// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  func checkAtEnd() {
    let all = scope.overrides
    let installed = scope.installed
    // A test need not use each override of its suite, which come first.
    let shared = options.weight(of: .unusedOverride) == .error ? 0 : scope.countOfShared
    // A test need not use all of an assembly.
    let isAssemblyUsed =
      !installed.isEmpty && all.contains { installed.contains($0.id) && $0.has(.used) }
    for (index, override) in all.enumerated()
    where !override.traits.isUnimplemented && !override.has(.takenBack) {
      let isOfMany = index < shared || isAssemblyUsed && installed.contains(override.id)
      let successor =
        all.count < 2
        ? nil : all.last { $0.key == override.key }.flatMap { $0 === override ? nil : $0 }
      if successor != nil, installed.contains(override.id) { continue }
      if let violation = Violation.unshared(override, in: self) { record(violation) }
      if isOfMany, override.has(.used) || !isMistaken(override, among: all) { continue }
      let violation =
        if let successor, !override.has(.used), successor.replaced == nil {
          Violation.replaced(override, by: successor, in: self)
        } else if override.has(.used) {
          override.missedStrikes.flatMap { Violation.missed(override, of: $0, in: self) }
        } else {
          Violation.unused(override, in: self)
        }
      if let violation { record(violation) }
    }
    if options.weight(of: .unknownKey) != .off {
      let overrides = scope.overrides
      for override in overrides where !isKnown(override.key, among: overrides) {
        if let violation = Violation.unknown(override, in: self) { record(violation) }
      }
    }
    for inner in scope.inner { record(.endedUnder(inner, self)) }
    if scope.hasRunningWork, let violation = Violation.unfinished(self) { record(violation) }
  }

  /// True if it is known what an unused override was meant for: a request that it could not answer,
  /// or a key with a similar name, where production does not know the key of the override.
  private func isMistaken(_ override: AnyRegistration, among overrides: [AnyRegistration]) -> Bool {
    switch scope.elsewhere(override.key) {
    case .resolver, .early: return true
    // Work that lost its context may be another test's.
    case .lostWork, nil: break
    }
    return !isKnown(override.key, among: overrides)
      && !answeredByProduction(insteadOf: override.key).isEmpty
  }

  /// True if production or a layer below knows the overridden key: it is registered or declared
  /// there, or a key that it stands for is. Or an override of it answered a request for a type that
  /// needs no registration.
  private func isKnown(_ key: AnyKey, among overrides: [AnyRegistration]) -> Bool {
    // Most overrides have a registered key, which is found without comparing all others.
    if key.declaration != nil
      || resolver.lineage.contains(where: { $0.store.registration(for: key) != nil })
    {
      return true
    }
    let (asked, elements) = (key.asked, key.elements)
    func isAsked(_ known: AnyKey) -> Bool {
      asked.contains(known) || known.undeclared.map(asked.contains) ?? false
        || elements.map(known.isElement) ?? false
    }
    // An alias is known if its target is.
    let others = overrides.filter { $0.aliased != key }
    if overrides.contains(where: { $0.aliased == key && isKnown($0.key, among: others) }) {
      return true
    }
    let hasAdded = overrides.contains {
      $0.key == key && ($0.has(.added) || $0.has(.used) && key.mayBeMissing)
    }
    if hasAdded || resolver.lineage.contains(where: { $0.store.all.contains { isAsked($0.key) } }) {
      return true
    }
    var layer = next(of: resolver)
    while let below = layer {
      if below.scope.overrides.contains(where: { isAsked($0.key) }) { return true }
      layer = below.next(of: resolver)
    }
    return false
  }

  /// The keys that production answered and that an unused override may have meant; at most three.
  func answeredByProduction(insteadOf key: AnyKey) -> [AnyKey] {
    let keys = log.keysOfProduction.filter {
      $0 != key && ($0.type == key.type || $0.isNamed(like: key))
    }
    return Array(keys.ordered { $0.description }.prefix(3))
  }
}

extension AnyKey {
  /// True if one of the two type names contains the other, as in `MailerSpy` and `Mailer`.
  package func isNamed(like other: AnyKey) -> Bool {
    let name = String(describing: type).lowercased()
    let otherName = String(describing: other.type).lowercased()
    return min(name.count, otherName.count) > 3
      && (name.contains(otherName) || otherName.contains(name))
  }
}
