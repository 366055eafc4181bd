// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer's scope, its ledger and its disposal know, under one lock: every test makes a layer, and to make
/// and destroy a lock takes several times as long as to lock it.
package struct LayerState: Sendable {
  var scope = LayerScope.ScopeState()
  var ledger = Ledger.LedgerState()
  var disposal: [Disposal.Entry] = []

  package init() {}
}
