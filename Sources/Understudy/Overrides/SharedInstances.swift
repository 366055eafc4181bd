// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Watches a value that a request under this layer gets. Its object may be shared with another
  /// test, or captured before an override of its key.
  package func watch<Value>(_ value: Value, for key: AnyKey, at callSite: CallSite) {
    guard isOfTest, let watched = WatchedObject(value) else { return }
    let capture = Capture(watched: watched, callSite: callSite)
    guard log.note(capture, for: key), let other = LiveObjects.note(capture, in: root) else {
      return
    }
    // In a large suite hundreds of tests may use one instance, and each warning says the same.
    if options.weight(of: .sharedInstance) == .warning, !LiveObjects.isFirstWarning(of: watched) {
      return
    }
    let isOfProduction = watched.object.map(resolver.store.stores) ?? false
    record(
      finding(
        .sharedInstance,
        "One instance of \(key) is used by two tests that run at the same time.",
        facts: [
          Message.Fact("Test", "'\(root.test?.name ?? root.name)' at \(callSite)"),
          Message.Fact("Test", "'\(other.test)' at \(other.callSite)"),
        ],
        remedies: [
          isOfProduction
            ? "Give each test its own:  \(place.boundary)"
            : "Make a new one for each test, in the block that is registered.",
          allowing(.sharedInstance),
        ], at: callSite))
  }
}

/// The objects that running tests got, to find one that two tests share.
package enum LiveObjects {
  private struct Holder {
    let capture: Capture
    /// The serial number of the test's outermost layer.
    let root: Int
    let test: RunningTest
    var number = 0
  }

  private struct State {
    var holders: [ObjectIdentifier: Holder] = [:]
    /// The objects of each test, so that forgetting a test does not search those of other tests.
    var handed: [Int: Set<ObjectIdentifier>] = [:]
    /// The objects that a warning was about.
    var warned: [ObjectIdentifier: WatchedObject] = [:]
    private var lastNumber = 0

    /// Notes the holder of an object. If another test holds the object, returns that holder
    /// instead.
    mutating func note(_ holder: Holder) -> Holder? {
      let identity = holder.capture.watched.identity
      if let other = holders[identity], other.root != holder.root {
        return other.test.isSameRun(as: holder.test) ? nil : other
      }
      var holder = holder
      lastNumber += 1
      holder.number = lastNumber
      holders[identity] = holder
      handed[holder.root, default: []].insert(identity)
      return nil
    }

    /// Forgets the holder of a released object, unless another holder was noted in the meantime.
    mutating func forget(_ holder: Holder) {
      let identity = holder.capture.watched.identity
      if holders[identity]?.number == holder.number { holders[identity] = nil }
    }
  }

  private static let state = Lock(State())

  /// Notes that a test got an object. Returns the test and the place if another running test
  /// already has the object.
  package static func note(
    _ capture: Capture, in root: OverrideLayer
  ) -> (test: String, callSite: CallSite)? {
    guard let test = root.test else { return nil }
    let holder = Holder(capture: capture, root: root.serial, test: test)
    // An object that is handed out while its test ends would never be forgotten.
    while let other = state.withLock({ root.isEnded ? nil : $0.note(holder) }) {
      // Accessing an object may take the last reference to it, so this is not done under the lock.
      if other.capture.watched.object != nil { return (other.test.name, other.capture.callSite) }
      state.withLock { $0.forget(other) }
    }
    return nil
  }

  static func isFirstWarning(of object: WatchedObject) -> Bool {
    // An earlier object may have had the same address. It is accessed outside of the lock.
    let last = state.withLock { exchange(&$0.warned[object.identity], with: object) }
    return last?.object == nil
  }

  /// Forgets a test that has ended.
  ///
  /// - Complexity: O(objects of the test), however many other tests are running.
  static func forget(_ root: OverrideLayer) {
    let forgotten = state.withLock { state in
      (state.handed.removeValue(forKey: root.serial) ?? []).compactMap { object -> Holder? in
        guard state.holders[object]?.root == root.serial else { return nil }
        return state.holders.removeValue(forKey: object)
      }
    }
    withExtendedLifetime(forgotten) {}
  }
}
