// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The objects that running tests were handed, to find one that two tests share (O13).
package enum LiveObjects {
  private struct Holder {
    let capture: Capture
    /// The serial number of the test's outermost layer.
    let root: Int
    let test: String
  }

  private struct State {
    var holders: [ObjectIdentifier: Holder] = [:]
    /// What each test was handed, so that forgetting one looks at nothing of the others.
    var handed: [Int: Set<ObjectIdentifier>] = [:]
  }

  private static let state = Lock(State())

  /// Notes that a test was handed an object; returns where another test that is running was handed
  /// the same one.
  package static func note(
    _ capture: Capture, in root: OverrideLayer
  ) -> (test: String, callSite: CallSite)? {
    guard let test = root.test else { return nil }
    return state.withLock { state in
      // What is handed out while its test ends would never be forgotten.
      if root.scope.isEnded { return nil }
      if let other = state.holders[capture.identity], other.root != root.serial,
        other.capture.object != nil
      {
        return (other.test, other.capture.callSite)
      }
      state.holders[capture.identity] = Holder(capture: capture, root: root.serial, test: test.name)
      state.handed[root.serial, default: []].insert(capture.identity)
      return nil
    }
  }

  /// Forgets a test that has ended.
  ///
  /// - Complexity: O(objects that it was handed), however many other tests are running.
  static func forget(_ root: OverrideLayer) {
    guard root.test != nil else { return }
    let forgotten = state.withLock { state in
      (state.handed.removeValue(forKey: root.serial) ?? []).compactMap { object -> Holder? in
        guard state.holders[object]?.root == root.serial else { return nil }
        return state.holders.removeValue(forKey: object)
      }
    }
    withExtendedLifetime(forgotten) {}
  }
}
