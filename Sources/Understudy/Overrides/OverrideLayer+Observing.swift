// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Safety: `isObserving` is true from when the recollection was added until it is removed, at the latest in the layer's
/// `deinit`; and the layer keeps the recollection.
extension OverrideLayer {
  /// Has what is remembered of this layer's stack dropped when production changes, from now to the layer's end.
  func observeProduction() {
    guard !isObserving.load(ordering: .acquiring), !scope.isEnded,
      let observers = resolver.store.observers
    else { return }
    // First, so that nobody takes for done what is not; and undone, if another thread came meanwhile.
    unsafe observers.add(recollection)
    if isObserving.exchange(true, ordering: .acquiringAndReleasing) {
      observers.remove(recollection)
    }
  }

  /// Ends that; at the layer's end, and when it goes, if somebody began it meanwhile.
  func stopObservingProduction() {
    if isObserving.exchange(false, ordering: .acquiringAndReleasing) {
      resolver.store.observers?.remove(recollection)
    }
  }
}
