// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Releases the calls whose arguments contain objects. Such an object may hold the double, as a
  /// view model does that passes itself: each would keep the other alive.
  func releaseObjects() {
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
