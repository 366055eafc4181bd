// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a layer knows, under one lock and in one piece of memory: every test makes a layer, and each lock is an
/// allocation. Each part is used by the one whose it is.
///
/// The log may be kept after the layer is gone, and this memory with it. It must keep nothing of the rest then, so the
/// layer empties that when it goes.
struct LayerState: Sendable {
  var log = ResolutionLog.LogState()
  var scope = LayerScope.ScopeState()
  var ledger = Ledger.LedgerState()
  var disposal = Disposal.DisposalState()
  var store = RegistrationStore.StoreState()
}
