// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer's scope, its ledger and its disposal know, under one lock: every test makes a layer, and each lock
/// is an allocation.
package struct LayerState: Sendable {
  var scope = LayerScope.ScopeState()
  var ledger = Ledger.LedgerState()
  var disposal: [Disposal.Entry] = []

  package init() {}
}
