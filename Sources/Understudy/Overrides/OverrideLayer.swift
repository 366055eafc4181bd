// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A set of overriding registrations with its own instances and its own log.
public final class OverrideLayer: Sendable {
  @TaskLocal package static var bound: OverrideLayer?

  /// The innermost layer that the calling task sees.
  public static var current: OverrideLayer? { bound }

  private let ledger = Lock<(violations: [Violation], participants: [any LayerParticipant])>(([], []))

  package init() {}

  /// Keeps a violation until the layer ends; from any thread.
  package func record(_ violation: Violation) {
    ledger.withLock { $0.violations.append(violation) }
  }

  /// Has `participant` finished when this layer ends, before violations are reported.
  package func adopt(_ participant: any LayerParticipant) {
    ledger.withLock { $0.participants.append(participant) }
  }

  /// Finishes the participants and takes what the ledger holds.
  package func end() -> [Violation] {
    let (violations, participants) = ledger.withLock { state in
      defer { state = ([], []) }
      return state
    }
    return violations + participants.flatMap { $0.finish() }
  }
}
