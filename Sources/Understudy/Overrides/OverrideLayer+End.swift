// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Ends the layer, on every exit: finishes its participants, disposes of its instances, releases
  /// everything that it holds, and returns its violations.
  package func end() -> [Violation] {
    endKept()
    var held: [(key: AnyKey, object: WatchedObject)]? =
      options.weight(of: .survivor) == .off ? nil : []
    var finished: [any LayerParticipant] = []
    // Twice, because verifying a double may cause disposals, and a disposal may create doubles.
    for _ in 1...2 {
      disposeNow()
      letGoOfInstances(&held)
      let participants = takeParticipants()
      if participants.isEmpty { break }
      for participant in participants {
        for violation in participant.finish() { record(violation) }
      }
      if held != nil { finished += participants }
    }
    if test != nil || TestHosts.areAny { checkAtEnd() }
    held? += store.heldObjects
    guard endScope() else { return [] }
    reportUndisposed()
    if let held { reportSurvivors(of: held, recordedBy: finished) }
    let violations = ledger.close()
    nextOfLineage?.log.absorb(log)
    return violations
  }

  /// Releases the instances that the layer created, newest first. The `deinit` of each still sees
  /// the layer, so it can resolve older instances. Instances and disposals that are added in the
  /// meantime come next. An endless chain is cut.
  private func letGoOfInstances(_ held: inout [(key: AnyKey, object: WatchedObject)]?) {
    guard store.keepsMade else { return }
    OverrideLayer.binding(self) {
      for _ in 0..<Disposal.mostAsked {
        held? += store.heldObjects
        var (made, isAnyGone) = (store.made, false)
        while let newest = made.popLast() {
          if store.forget(newest) { isAnyGone = true }
        }
        disposeNow()
        guard isAnyGone, store.keepsMade else { return }
      }
    }
  }

  /// Notes that the code under the layer did not get to the point where it would have used the
  /// overrides and met the expectations.
  package func noteNotRun() { ledger.withLock { $0.isOfNotRun = true } }

  /// Notes that the task was cancelled, so it may not have used the overrides and stubs. A missing
  /// expected call is still reported.
  package func noteCancelled() { ledger.withLock { $0.isOfCancelled = true } }

  /// Notes how an error ended a run: the test was skipped or cancelled, or the task was cancelled.
  func noteNotRun(if error: any Error) {
    if TestHosts.current?.isSkip(error) == true {
      noteNotRun()
    } else if Task.isCancelled {
      noteCancelled()
    }
  }

  /// Releases everything that the layer holds. Returns `false` if it had already ended.
  private func endScope() -> Bool {
    guard let overrides = scope.end() else { return false }
    outer?.scope.close(self)
    if root === self {
      if test != nil { LiveLayers.close(self) }
      LiveObjects.forget(self)
    }
    store.end()
    withExtendedLifetime(overrides) {}
    return true
  }

  /// Releases everything of a layer that was never ended and has no owner any more.
  func abandon() {
    let overrides = scope.end()
    store.end()
    withExtendedLifetime(overrides) {}
    _ = (ledger.close(), disposal.close())
  }

  /// Ends a layer that no adapter owns. Its violations go to the layer that it was pushed on, to
  /// the running test, or otherwise to standard error.
  package func endInPlace() {
    for violation in end() {
      if let outer, root !== self {
        outer.record(violation, isOmissionKept: false)
      } else {
        TestHosts.report(violation.naming(test))
      }
    }
  }

  private func checkAtEnd() {
    let all = scope.overrides
    let (shared, installed) = (countOfShared, scope.installed)
    // A test need not use all of an assembly.
    let isAssemblyUsed =
      !installed.isEmpty && all.contains { installed.contains($0.id) && $0.wasUsed }
    for (index, override) in all.enumerated() where !override.isUnimplemented {
      let isOfMany = index < shared || isAssemblyUsed && installed.contains(override.id)
      let successor =
        all.count < 2
        ? nil : all.last { $0.key == override.key }.flatMap { $0 === override ? nil : $0 }
      if successor != nil, installed.contains(override.id) { continue }
      if let violation = Violation.unshared(override, in: self) { record(violation) }
      if isOfMany, override.wasUsed || !isMistaken(override, among: all) { continue }
      let violation =
        if let successor, !override.wasUsed, successor.replaced == nil {
          Violation.replaced(override, by: successor, in: self)
        } else if override.wasUsed {
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
    for inner in scope.inner {
      record(.endedUnder(inner, self))
    }
    if scope.hasRunningWork, let violation = Violation.unfinished(self) { record(violation) }
  }

  /// The number of overrides that are for all tests of a suite. They come first, and a test need
  /// not use each of them unless the check is an error.
  private var countOfShared: Int {
    options.weight(of: .unusedOverride) == .error ? 0 : scope.countOfShared
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
    if key.declaration != nil || isRegistered(key) { return true }
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
      $0.key == key && ($0.hasAdded || $0.wasUsed && key.mayBeMissing)
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

  private func isRegistered(_ key: AnyKey) -> Bool {
    resolver.lineage.contains { $0.store.registration(for: key) != nil }
  }

  private func reportSurvivors(
    of held: [(key: AnyKey, object: WatchedObject)], recordedBy participants: [any LayerParticipant]
  ) {
    for (key, watched) in held {
      guard let object = watched.object else { continue }
      let call = participants.lazy.compactMap { $0.call(thatRecorded: object) }.first
      let violation = Violation(
        Message(
          "An instance of \(key) that this layer made is alive after the layer's end.",
          facts: facts + (call.map { [Message.Fact("Recorded in", $0)] } ?? []),
          remedies: (call == nil ? [] : ["Let the double record less: keepsLast(0)."])
            + ["Let go of it before the test ends, or make it outside the layer."]),
        of: .survivor, under: options, at: callSite)
      if let violation { record(violation) }
    }
  }
}
