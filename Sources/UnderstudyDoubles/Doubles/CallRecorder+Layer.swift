// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder: LayerParticipant {
  /// Has the outermost layer finish this double, unless a layer does so already.
  func adoptIfNeeded() {
    guard let layer = OverrideLayer.ofCaller?.outermostThatEnds else { return }
    let adopted = state.withLock { state in
      guard case .none = state.owner else { return false }
      state.owner = .layer(WeakLayer(layer: layer))
      return true
    }
    if adopted { layer.adopt(self) }
  }

  package func willBeFinished(by layer: OverrideLayer) {
    state.withLock { state in
      if !state.owner.isFinished { state.owner = .layer(WeakLayer(layer: layer)) }
    }
  }

  /// Tells the layer that owns this double, else the caller's, else keeps it for `finish`.
  func report(_ violation: Violation) {
    if let layer = owner ?? .ofCaller {
      layer.record(violation)
    } else if let tell = StrayViolations.listener {
      tell(violation)
    } else {
      state.withLock { $0.untold.append(violation) }
    }
  }

  private var owner: OverrideLayer? {
    state.withLock { $0.owner.layer }
  }

  /// The policy of the double's layer, or of the caller's; a layer that has none has that of the next below it.
  var layerPolicy: UnstubbedPolicy? {
    guard let layer = owner ?? .ofCaller else { return nil }
    for layer in layer.stack {
      if let policy = layer.unstubbedPolicy { return policy }
    }
    return nil
  }

  /// Ends the double's part and returns everything that nobody was told yet.
  package func finish() -> [Violation] { finish(isOfLayer: true) }

  /// The same, told by a layer at its end or by somebody else.
  func finish(isOfLayer: Bool) -> [Violation] {
    let ending = state.withLock { $0.end(isOfLayer: isOfLayer) }
    return ending.untold
      + ending.unmet.map { unmetViolation($0, diff: ending.diff) }
      + ending.unused.map { unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: ending.calls) }
      + ending.suspended.map(suspendedViolation)
  }

  /// Checks the expectations now, forgets them, and returns what nobody was told yet.
  func verify() -> [Violation] {
    let (untold, expectations) = state.withLock { state in
      defer {
        state.untold = []
        state.expectations.removeAll()
        state.refresh()
      }
      return (state.untold, state.expectations)
    }
    // Their matchers are user code, and are let go of here.
    defer { withExtendedLifetime(expectations) {} }
    // No call can meet them any more.
    for case let place? in expectations.unmet.map(\.place) { place.order.excuse(place.index) }
    return untold + expectations.unmet.map { unmetViolation($0, diff: expectations.diff) }
  }
}
