// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Releases the recorded objects at the end of the test that a layer belongs to. Until then, the
  /// test may read the calls of a double that a nested layer has finished.
  func releaseObjects(with layer: OverrideLayer) {
    var outermost = layer
    while let outer = outermost.outer { outermost = outer }
    // The end of a test whose layers are scopes of its own is not known.
    guard outermost.test != nil, !outermost.isOfScopeInTest else { return }
    if outermost === layer { return releaseObjects() }
    outermost.adopt(
      LayerEnd { [weak self] in
        self?.releaseObjects()
        return []
      })
  }

  /// Releases the calls whose arguments contain objects. Such an object may hold the double, as a
  /// view model does that passes itself: each would keep the other alive.
  private func releaseObjects() {
    let property = state.withLock { $0.property }
    property?.releaseObject()
    if Arguments.self is any ObjectFree.Type { return }
    var search = ObjectSearch()
    let calls = state.withLock { $0.history.calls }
    let ticks = Set(calls.filter { search.finds(in: $0.arguments) }.map(\.tick))
    guard !ticks.isEmpty else { return }
    let released = state.withLock { $0.history.release(ticks) }
    withExtendedLifetime(released) {}
  }
}
