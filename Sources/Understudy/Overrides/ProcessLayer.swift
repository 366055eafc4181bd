// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The layer under everything, if a profile was started.
///
/// A task sees it unless another layer is bound (`OverrideLayer.bound`). That is fixed when a task
/// first looks for a layer, or is told of one, so one that starts a profile has to do so before.
package enum ProcessLayer {
  /// The layer that the process uses; fixed when this is first asked for. One load if there is
  /// none.
  static var current: OverrideLayer? { isKnownMissing.relaxedValue != 0 ? nil : fixed }

  private static let fixed = fix()
  /// True once it is fixed that there is none. It guards nothing else, so any order will do.
  private static var isKnownMissing: AtomicInt { .processLayerIsMissing }

  private enum State {
    case open
    case started(OverrideLayer)
    case fixed
  }

  private static let state = Lock(State.open)

  /// Has the process use a layer; false if it is too late.
  package static func start(_ layer: OverrideLayer) -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .started(layer)
      return true
    }
  }

  /// Takes the layer back, unless it was looked at.
  package static func withdraw() {
    state.withLock { state in
      if case .started = state { state = .open }
    }
  }

  /// Says what the process uses, for good.
  private static func fix() -> OverrideLayer? {
    state.withLock { state in
      defer { state = .fixed }
      guard case .started(let layer) = state else {
        isKnownMissing.set()
        return nil
      }
      return layer
    }
  }
}
