// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The violations and participants of a layer, from any thread.
package struct Ledger: Sendable {
  var violations: [Violation] = []
  /// The stored violations, and those that were reported elsewhere.
  var known: Set<Violation> = []
  var participants: [any LayerParticipant] = []
  var isClosed = false
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
}

extension Lock<Ledger> {
  /// Closes the ledger and returns its violations. Participants that outlast the end stay.
  func close() -> [Violation] {
    // This may release the last reference to a double, and so to a user's objects.
    let closed: Ledger? = withLock { ledger in
      if ledger.known.isEmpty, ledger.participants.isEmpty {
        ledger.isClosed = true
        return nil
      }
      let staying = ledger.participants.filter(\.outlastsEnd)
      return exchange(&ledger, with: Ledger(participants: staying, isClosed: true))
    }
    guard let closed else { return [] }
    withExtendedLifetime(closed) {}
    if closed.isOfNotRun { return closed.violations.filter { !$0.isOfOmission } }
    guard closed.isOfCancelled else { return closed.violations }
    return closed.violations.filter { !$0.isOfOmission || $0.isOfExpectation }
  }
}
