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
    /// The tests that have each object, in the order in which they got it.
    var holders: [ObjectIdentifier: [Holder]] = [:]
    /// The objects of each test, so that forgetting a test does not search those of other tests.
    var handed: [Int: Set<ObjectIdentifier>] = [:]
    /// The objects that a warning was about.
    var warned: [ObjectIdentifier: WatchedObject] = [:]
    private var lastNumber = 0

    /// Notes a holder of an object, and returns the tests that had the object before.
    mutating func note(_ holder: Holder) -> ArraySlice<Holder> {
      let identity = holder.capture.watched.identity
      var (all, holder) = (holders[identity] ?? [], holder)
      lastNumber += 1
      holder.number = lastNumber
      let place = all.firstIndex { $0.root == holder.root } ?? all.count
      all.replaceSubrange(place..<min(place + 1, all.count), with: [holder])
      holders[identity] = all
      handed[holder.root, default: []].insert(identity)
      return all.prefix(place)
    }

    /// Forgets holders of an object. Returns all of them, to release them outside of the lock.
    mutating func forget(
      _ identity: ObjectIdentifier, where isGone: (Holder) -> Bool
    ) -> [Holder] {
      let all = holders[identity] ?? []
      let left = all.filter { !isGone($0) }
      holders[identity] = left.isEmpty ? nil : left
      return all
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
    let earlier = state.withLock { root.isEnded ? [] : $0.note(holder) }
    // Accessing an object may take the last reference to it, so this is not done under the lock.
    let gone = Set(earlier.filter { $0.capture.watched.object == nil }.map(\.number))
    if !gone.isEmpty {
      _ = state.withLock { state in
        state.forget(capture.watched.identity) { gone.contains($0.number) }
      }
    }
    let other = earlier.first { !gone.contains($0.number) && !$0.test.isSameRun(as: test) }
    return other.map { ($0.test.name, $0.capture.callSite) }
  }

  static func isFirstWarning(of object: WatchedObject) -> Bool {
    // An earlier object may have had the same address. It is accessed outside of the lock.
    let last = state.withLock { exchange(&$0.warned[object.identity], with: object) }
    return last?.object == nil
  }

  /// Forgets a test that has ended.
  ///
  /// - Complexity: O(objects of the test, and tests that share them), however many other tests are
  ///   running.
  static func forget(_ root: OverrideLayer) {
    let forgotten = state.withLock { state in
      (state.handed.removeValue(forKey: root.serial) ?? []).map { object in
        state.forget(object) { $0.root == root.serial }
      }
    }
    withExtendedLifetime(forgotten) {}
  }
}
