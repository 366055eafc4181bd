// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Releases the recorded objects at the end of the layer's test. Until then, the test may read
  /// the calls of a double that a nested layer has finished.
  func releaseObjects(with layer: OverrideLayer) {
    let outermost = layer.root
    // The end of a test is unknown if its layers are only scopes.
    guard outermost.test != nil, !outermost.isOfScopeInTest else { return }
    if outermost === layer { return releaseObjects() }
    let isAdopted = outermost.adopt(
      LayerEnd { [weak self] in
        self?.releaseObjects()
        return []
      })
    if !isAdopted { releaseObjects() }
  }

  /// Releases the calls with objects in their arguments. Such an object may retain the double, like
  /// a view model that passes itself, and would then be in a cycle.
  private func releaseObjects() {
    let property = state.withLock { $0.property }
    property?.releaseObject()
    // A type without references is known at once, however many calls there are.
    if Arguments.self is any ObjectFree.Type || _isPOD(Arguments.self) { return }
    let calls = state.withLock { $0.history.calls }
    // A test does not end later because of a long history of large arguments.
    var budget = 1_000_000
    let ticks = Set(
      calls.filter { call in
        var search = ObjectSearch(budget: min(10_000, budget))
        defer { budget -= min(10_000, budget) - max(0, search.budget) }
        return search.finds(in: call.arguments)
      }.map(\.tick))
    guard !ticks.isEmpty else { return }
    let released = state.withLock { $0.history.release(ticks) }
    withExtendedLifetime(released) {}
  }
}
