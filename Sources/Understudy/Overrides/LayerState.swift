// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The rarer state of a layer, under the lock of its tree and in one piece of memory: every test makes a
/// layer, and each lock is an allocation.
struct LayerState: Sendable {
  var scope = LayerScope.ScopeState()
  var ledger = Ledger.LedgerState()
  var disposal = Disposal.DisposalState()
}
