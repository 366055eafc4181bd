// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The violations and participants of a layer, from any thread.
package struct Ledger: Sendable {
  struct LedgerState: Sendable {
    var violations: [Violation] = []
    var known: Set<Violation> = []
    var participants: [any LayerParticipant] = []
    var isClosed = false
    var isOfNotRun = false
    var isOfCancelled = false
  }

  private let state: Lock<LedgerState>

  init(_ state: Lock<LedgerState>) {
    self.state = state
  }

  /// Stores a violation once. Returns `false` if the ledger is closed.
  func add(_ violation: Violation) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      if state.known.insert(violation).inserted {
        state.violations.append(violation)
      }
      return true
    }
  }

  /// Notes that a violation is reported elsewhere. Returns `false` if it is already known.
  func noteReported(_ violation: Violation) -> Bool {
    state.withLock { $0.known.insert(violation).inserted }
  }

  /// Has the same violation be reported again.
  func forgetReported(_ violation: Violation) {
    state.withLock { _ = $0.known.remove(violation) }
  }

  func adopt(_ participant: any LayerParticipant) {
    state.withLock { $0.participants.append(participant) }
  }

  /// Removes and returns the doubles to verify.
  func takeParticipants() -> [any LayerParticipant] {
    state.withLock { exchange(&$0.participants, with: []) }
  }

  /// Notes that the code under test did not run.
  func noteNotRun() {
    state.withLock { $0.isOfNotRun = true }
  }

  /// Notes that the code under test may have been cut short by a cancellation.
  func noteCancelled() {
    state.withLock { $0.isOfCancelled = true }
  }

  /// Closes the ledger and returns its violations. Participants that outlast the end stay.
  func close() -> [Violation] {
    // This may release the last reference to a double, and so to a user's objects.
    let closed: LedgerState? = state.withLock { state in
      if state.known.isEmpty, state.participants.isEmpty {
        state.isClosed = true
        return nil
      }
      let staying = state.participants.filter(\.outlastsEnd)
      return exchange(&state, with: LedgerState(participants: staying, isClosed: true))
    }
    guard let closed else { return [] }
    withExtendedLifetime(closed) {}
    if closed.isOfNotRun { return closed.violations.filter { !$0.isOfOmission } }
    guard closed.isOfCancelled else { return closed.violations }
    return closed.violations.filter { !$0.isOfOmission || $0.isOfExpectation }
  }
}
