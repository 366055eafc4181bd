// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The release of the objects that a double holds: in recorded arguments, answers and handlers.
///
/// The `deinit` of such an object may call a double that was finished. That is no late work of the
/// test, so it is no violation.
enum HeldObjects {
  /// True in code that runs because a double releases an object.
  @TaskLocal static var areBeingReleased = false

  static func releasing<Result>(_ body: () -> Result) -> Result {
    $areBeingReleased.withValue(true) { body() }
  }

  /// The release at the end of an outer layer.
  fileprivate final class Later: LayerParticipant {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    func releaseObjects() { release() }

    func finish() -> [Violation] { [] }
  }
}

extension CallRecorder {
  /// Releases the recorded objects at the end of the layer's test. Until then, the test may read
  /// the calls of a double that a nested layer has finished.
  package func releaseObjects() {
    guard let layer = owner else { return }
    let outermost = layer.root
    // The end of a test is unknown if its layers are only scopes.
    guard outermost.test != nil, !outermost.isOfScopeInTest else { return }
    if outermost === layer { return releaseCallsWithObjects() }
    let isAdopted = outermost.adopt(
      HeldObjects.Later { [weak self] in self?.releaseCallsWithObjects() })
    if !isAdopted { releaseCallsWithObjects() }
  }

  /// Releases the answers, the stored value and the calls of a finished double, when it is released
  /// itself.
  func releaseAll() {
    let mayHoldObjects = state.withLock { state in
      state.owner.isFinished
        && (!state.stubs.stubs.isEmpty || state.property != nil
          || !state.history.kept.isEmpty && !_isPOD(Arguments.self))
    }
    guard mayHoldObjects else { return }
    HeldObjects.releasing {
      let held = state.withLock { state in
        (
          exchange(&state.stubs, with: StubTable()), exchange(&state.property, with: nil),
          state.history.removeAll()
        )
      }
      withExtendedLifetime(held) {}
    }
  }

  /// Releases the calls with objects in their arguments. Such an object may retain the double, like
  /// a view model that passes itself, and would then be in a cycle.
  private func releaseCallsWithObjects() {
    HeldObjects.releasing { releaseCalls() }
  }

  private func releaseCalls() {
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
