// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  private typealias HeldObject = (key: AnyKey, object: WatchedObject)

  /// Ends the layer, on every exit: disposes of its instances, finishes its participants, releases
  /// everything that it holds, and returns its violations.
  package func end() -> [Violation] {
    for inner in keptLayers {
      for violation in inner.end() { record(violation) }
    }
    let own = outer?.isOfTest == true ? Set(store.heldObjects.map(\.object.identity)) : []
    var held: [HeldObject]? = options.weight(of: .survivor) == .off ? nil : []
    // Twice, because verifying a double may cause disposals, and a disposal may create doubles.
    for round in 1...2 {
      disposeNow()
      releaseInstances(&held)
      let participants = takeParticipants(areLast: round == 2)
      if participants.isEmpty { break }
      for participant in participants { participant.releaseObjects() }
      for participant in participants {
        for violation in participant.finish() { record(violation) }
      }
      if held == nil { releaseTaken() }
    }
    if isOfTest || TestHosts.areAny { checkAtEnd() }
    held? += store.heldObjects + store.objectsOfGoneHomes
    let overridden = outer?.isOfTest == true ? addedOverrides.map(\.key) : []
    guard release() else { return [] }
    closeDisposal()
    if let held {
      for (key, watched) in held {
        if let object = watched.object { recordSurvivor(object, of: key) }
      }
    }
    let violations = closeLedger()
    if let next = nextOfLineage {
      // A layer without a test, such as the one of the process, may be below several tests.
      next.log.absorb(log, without: own) { key in
        !next.isOfTest || overridden.contains { $0.isAnswer(to: key) }
      }
    }
    return violations
  }

  /// Releases the instances that the layer created, newest first. The `deinit` of each still sees
  /// the layer, so it can resolve older instances. Instances and disposals that are added in the
  /// meantime come next. An endless chain is cut.
  private func releaseInstances(_ held: inout [HeldObject]?) {
    guard store.hasStoredMade else { return }
    OverrideLayer.binding(self) {
      for _ in 0..<Disposal.mostAsked {
        held? += store.heldObjects
        var (made, isAnyGone) = (store.made, false)
        while let newest = made.popLast() {
          if store.forget(newest) { isAnyGone = true }
        }
        disposeNow()
        guard isAnyGone else { return }
      }
    }
  }

  /// Releases everything that the layer holds. Returns `false` if it had already ended.
  private func release() -> Bool {
    guard let live = close() else { return false }
    // Now, so that no block begins between the look and the end.
    if hasRunningWork, isOfTest || TestHosts.areAny { recordUnfinishedWork() }
    outer?.state.withLock { $0.live.inner.removeAll { $0 === self } }
    if root === self, isOfTest {
      LiveLayers.close(self)
      LiveObjects.forget(self)
    }
    release(live)
    return true
  }

  private func recordSurvivor(_ object: AnyObject, of key: AnyKey) {
    let call = participants.lazy.compactMap { $0.call(thatRecorded: object) }.first
    record(
      finding(
        .survivor, "An instance of \(key) that this layer made is alive after the layer's end.",
        facts: facts + (call.map { [Message.Fact("Recorded in", $0)] } ?? []),
        remedies: (call == nil ? [] : ["Let the double record less: keepsLast(0)."])
          + [
            "Let go of it before the test ends.",
            "Make it outside the layer, and register the object:  register(object)",
          ],
        at: callSite))
  }

  /// Ends a layer that no adapter owns. Its violations go to the layer that it was pushed on, to
  /// the running test, or otherwise to standard error.
  package func endInPlace() {
    for violation in end() {
      if let outer, root !== self {
        outer.record(violation, maySkipLater: false)
      } else {
        TestHosts.report(violation.naming(test))
      }
    }
  }
}
