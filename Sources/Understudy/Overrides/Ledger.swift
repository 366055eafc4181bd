// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The violations and participants of a layer, from any thread.
struct Ledger: Sendable {
  var violations: [Violation] = []
  /// The stored violations, and those that were reported elsewhere.
  var known: Set<Violation> = []
  var participants: [any LayerParticipant] = []
  /// The number of participants, from the first one, that the layer has taken to finish them.
  var taken = 0
  var isClosed = false
  /// True if the layer finishes no further participants.
  var isFinished = false
  /// True if the code under test did not run.
  var isOfNotRun = false
  /// True if the code under test may have been cut short by a cancellation.
  var isOfCancelled = false

  /// Stores a violation once. Returns `false` if the ledger is closed.
  mutating func add(_ violation: Violation) -> Bool {
    if isClosed { return false }
    if known.insert(violation).inserted { violations.append(violation) }
    return true
  }

  /// The violations that are to be reported: an omission is none if the code did not run.
  var findings: [Violation] {
    violations.filter { violation in
      !violation.isOfOmission
        || !isOfNotRun && (violation.isOfExpectation || !isOfCancelled)
    }
  }
}

extension OverrideLayer {
  /// Reports a violation, from any thread. The task of the layer's own test reports it at once, so
  /// that `withKnownIssue` sees it. Otherwise it is reported when the layer ends, or by the run.
  ///
  /// - Parameters:
  ///   - violation: The violation, or `nil` if there is none.
  ///   - maySkipLater: True if the test may still be skipped, so that an omission is no finding.
  package func record(_ violation: Violation?, maySkipLater: Bool = true) {
    guard let violation else { return }
    // The process of an exit test may end before the layer.
    if !violation.isOfOmission || !maySkipLater, let test, let host = TestHosts.current,
      host.expectsExit || host.testOfCallingTask()?.isSameTest(as: test) == true
    {
      // A known issue is one of its scope: the same finding outside of that is new.
      let isNew = state.withLock { $0.ledger.known.insert(violation).inserted }
      if isNew, host.report(violation) {
        state.withLock { _ = $0.ledger.known.remove(violation) }
      }
      return
    }
    // The layer of the process does not end.
    if self === ProcessLayer.current || !state.withLock({ $0.ledger.add(violation) }) {
      TestHosts.reportOnRun(violation, about: [self])
    }
  }

  /// Has `participant` finished when this layer ends, before violations are reported.
  ///
  /// - Returns: `false` if the layer finishes no further participants. It then tells this one.
  @discardableResult
  package func adopt(_ participant: any LayerParticipant) -> Bool {
    let outlastsEnd = participant.outlastsEnd
    let isAdopted = state.withLock { state in
      guard !state.ledger.isFinished || outlastsEnd else { return false }
      state.ledger.participants.append(participant)
      return true
    }
    if !isAdopted { participant.willNotBeFinished(by: self) }
    return isAdopted
  }

  /// The participants that were not taken yet, to finish them. After the last ones, the layer
  /// adopts no others.
  func takeParticipants(areLast: Bool) -> [any LayerParticipant] {
    state.withLock { state in
      if state.ledger.taken == state.ledger.participants.count {
        state.ledger.isFinished = true
        return []
      }
      let participants = state.ledger.participants[state.ledger.taken...].map(\.self)
      state.ledger.taken += participants.count
      if areLast { state.ledger.isFinished = true }
      return participants
    }
  }

  /// Releases the participants that were taken.
  func releaseTaken() {
    let taken: [any LayerParticipant] = state.withLock { state in
      let rest = state.ledger.participants[state.ledger.taken...].map(\.self)
      state.ledger.taken = 0
      return exchange(&state.ledger.participants, with: rest)
    }
    withExtendedLifetime(taken) {}
  }

  /// All participants that the layer has adopted, until its end.
  package var participants: [any LayerParticipant] {
    state.withLock { $0.ledger.participants.map(\.self) }
  }

  /// Notes that the code under the layer did not get to the point where it would have used the
  /// overrides and met the expectations.
  package func noteNotRun() { state.withLock { $0.ledger.isOfNotRun = true } }

  /// Notes that the task was cancelled, so it may not have used the overrides and stubs. A missing
  /// expected call is still reported.
  package func noteCancelled() { state.withLock { $0.ledger.isOfCancelled = true } }

  /// Notes how an error ended a run: the layer could not be configured, the test was skipped or
  /// cancelled, or the task was cancelled.
  func noteNotRun(if error: any Error, isConfigured: Bool) {
    if !isConfigured || TestHosts.current?.isSkip(error) == true {
      noteNotRun()
    } else if Task.isCancelled {
      noteCancelled()
    }
  }

  /// Closes the ledger and returns its violations. Participants that outlast the end stay.
  func closeLedger() -> [Violation] {
    let closed: Ledger? = state.withLock { state in
      state.ledger.isClosed = true
      if state.ledger.known.isEmpty, state.ledger.participants.hasNone { return nil }
      let staying = state.ledger.participants[state.ledger.taken...].filter { $0.outlastsEnd }
      return exchange(
        &state.ledger, with: Ledger(participants: staying, isClosed: true, isFinished: true))
    }
    // The ledger may hold the last reference to a double, and so to a user's objects.
    defer { withExtendedLifetime(closed) {} }
    return closed?.findings ?? []
  }
}
