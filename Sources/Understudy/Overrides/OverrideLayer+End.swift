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
    held? += store.heldObjects + store.objectsOfGoneHomes
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
