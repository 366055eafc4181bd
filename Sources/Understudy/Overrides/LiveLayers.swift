// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The outermost layers of all tests that are running.
package enum LiveLayers {
  private static let roots = Lock<[ObjectIdentifier: OverrideLayer]>([:])

  package static var all: [OverrideLayer] { roots.withLock { Array($0.values) } }

  /// The innermost layer of the only live test, if that may take work that lost its context.
  package static var adopter: OverrideLayer? {
    let only = roots.withLock { $0.count == 1 ? $0.values.first : nil }
    guard let tip = only?.tip, let test = tip.test, test.adoptsEscapedWork else { return nil }
    return tip
  }

  /// Closes the scopes of a test that has ended, so that none of them answers later work without a
  /// context. Returns the findings about those whose operations still run.
  package static func closeAll(of test: RunningTest) -> [Violation] {
    let scopes = all.filter { $0.isOfOperation && $0.test?.isSameTest(as: test) == true }
      .ordered { $0.serial }
    scopes.forEach(close)
    return scopes.filter { $0.keeper?.isLeft != true }.map { root in
      Violation(
        Message(
          "'\(test.name)' ended before the operation of its layer.",
          facts: [Message.Fact("Layer", root.words)],
          remedies: ["Wait for the work that pushed the layer before the test ends."]),
        at: root.callSite)
    }
  }

  static func open(_ root: OverrideLayer) {
    roots.withLock { $0[ObjectIdentifier(root)] = root }
  }

  /// - Complexity: O(1), however many tests are running.
  static func close(_ root: OverrideLayer) {
    let closed = roots.withLock { $0.removeValue(forKey: ObjectIdentifier(root)) }
    withExtendedLifetime(closed) {}
  }
}

/// The layer under everything, if a profile was started.
///
/// A task sees it unless another layer is bound (`OverrideLayer.bound`). A profile must be started
/// before the first task looks for a layer or is told of one.
package enum ProcessLayer {
  private enum State {
    case open
    case started(OverrideLayer)
    case fixed
  }

  private static let state = Lock(State.open)

  /// The layer that the process uses, for good: fixed when this is first read.
  package static let current: OverrideLayer? = state.withLock { state in
    defer { state = .fixed }
    if case .started(let layer) = state { return layer }
    return nil
  }

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
}
