// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Ends the layer on whatever exit: finishes what it adopted, disposes of what it made, lets go of
  /// all that it holds, and returns what it has to say (O10, O11).
  package func end() -> [Violation] {
    disposeNow()
    for participant in ledger.takeParticipants() {
      for violation in participant.finish() { record(violation) }
    }
    if test != nil || TestHosts.areAny { checkAtEnd() }
    let held = options.weight(of: .survivor) == .off ? [] : store.heldObjects
    guard recollection.changing({ endScope() }) else { return [] }
    for survivor in held.compactMap(\.survivorKey) {
      if let violation = survivorViolation(survivor) { record(violation) }
    }
    let violations = ledger.close()
    next(of: resolver)?.log.absorb(log)
    return violations
  }

  /// Lets go of all that the layer holds; false if it had ended.
  private func endScope() -> Bool {
    guard let overrides = scope.end() else { return false }
    stopObservingProduction()
    if let outer {
      outer.scope.close(self)
    } else {
      if test != nil { LiveLayers.close(self) }
      LiveObjects.forget(self)
    }
    store.close()
    withExtendedLifetime(overrides) {}
    return true
  }

  /// Ends a layer that no adapter owns: what it has to say goes to the layer that it was pushed on,
  /// or to the test that runs.
  package func endInPlace() {
    for violation in end() {
      if let outer { outer.record(violation) } else { TestHosts.current?.report(violation) }
    }
  }

  private func checkAtEnd() {
    for override in uncheckedOverrides where !override.wasUsed && !override.isUnimplemented {
      if let violation = Violation.unused(override, in: self) { record(violation) }
    }
    for override in scope.overrides where !isKnownBelow(override.key) {
      if let violation = Violation.unknown(override, in: self) { record(violation) }
    }
    for inner in scope.inner {
      record(.endedUnder(inner, self))
    }
    if scope.hasRunningWork, let violation = Violation.unfinished(self) { record(violation) }
  }

  /// The overrides that should have been used: a suite's are for all of its tests, so each of those
  /// is asked only under a check that is an error.
  private var uncheckedOverrides: [AnyRegistration] {
    options.weight(of: .unusedOverride) == .error ? scope.overrides : scope.ownOverrides
  }

  private func isKnownBelow(_ key: AnyKey) -> Bool {
    if key.declaration != nil || resolver.store.registration(for: key) != nil { return true }
    var layer = next(of: resolver)
    while let below = layer {
      if below.scope.overrides.contains(where: { $0.key == key }) { return true }
      layer = below.next(of: resolver)
    }
    return false
  }

  private func survivorViolation(_ key: AnyKey) -> Violation? {
    Violation(
      Message(
        "An instance of \(key) that this layer made is alive after the layer's end.",
        facts: facts,
        remedies: ["Let go of it before the test ends, or make it outside the layer."]),
      of: .survivor, under: options, at: callSite)
  }
}
