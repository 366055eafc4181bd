// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The outermost layers of all tests that are running.
package enum LiveLayers {
  private static let roots = Lock<[ObjectIdentifier: OverrideLayer]>([:])

  package static var all: [OverrideLayer] { roots.withLock { Array($0.values) } }

  /// The outermost layers of the tests that calling work without a context may belong to. Cases of
  /// XCTest run one at a time, so a layer of an earlier case is none of them.
  package static var ofCaller: [OverrideLayer] {
    let all = all
    guard !all.isEmpty, let running = TestHosts.current?.runningCase(), running.adoptsEscapedWork
    else { return all }
    return all.filter { $0.test?.isSameTest(as: running) == true }
  }

  /// The innermost layer of the only live test, if that may take work that lost its context.
  package static var adopter: OverrideLayer? {
    let roots = ofCaller
    guard roots.count == 1, let test = roots[0].tip.test, test.adoptsEscapedWork else { return nil }
    return roots[0].tip
  }

  /// The findings about scopes of a test that has ended, and whose operations still run.
  package static func unended(of test: RunningTest) -> [Violation] {
    all.filter { $0.isOfOperation && $0.test?.isSameTest(as: test) == true }.map { root in
      Violation(
        Message(
          "The test ended before the operation of its layer '\(root.name)'.",
          facts: [Message.Fact("Test", "'\(test.name)'"), Message.Fact("Layer", root.words)],
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
