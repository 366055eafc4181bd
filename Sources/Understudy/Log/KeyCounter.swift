// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What a log knows of one key.
///
/// Reading the counts takes no lock, and none of them ever falls. They are changed under the log's mutex.
///
/// Safety: `state` is used within `withState` alone, which holds that mutex. It has no lock of its own, since each would
/// be an allocation for each key that a test asks for.
package final class KeyCounter: Sendable {
  private let made = Atomic<Int>(0)
  private let reused = Atomic<Int>(0)
  private let missed = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)
  private let mutex: SharedMutex
  // Used within `withState` alone, under the mutex.
  private nonisolated(unsafe) var state = State()
  private let captureCount = Atomic<Int>(0)
  private let lastSerial = Atomic<Int>(0)

  private struct State {
    var captures: [Capture] = []
    /// The subject that was made last; each knows the one before.
    var subject: EventSubject?
  }

  /// How many different objects of a key are watched that live at one time.
  private static let captureLimit = 4

  package let key: AnyKey

  init(_ key: AnyKey, sharing mutex: SharedMutex) {
    self.key = key
    self.mutex = mutex
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    mutex.withLock { unsafe body(&state) }
  }

  /// All counts as they were at one moment.
  var counts: ResolutionCounts {
    var counts = look()
    // What has not changed between two looks was so between them.
    while true {
      let again = look()
      if again == counts { return counts }
      counts = again
    }
  }

  private func look() -> ResolutionCounts {
    var counts = ResolutionCounts()
    counts.made = made.load(ordering: .acquiring)
    counts.reused = reused.load(ordering: .acquiring)
    counts.missed = missed.load(ordering: .acquiring)
    counts.failed = failed.load(ordering: .acquiring)
    return counts
  }

  package var wantsCaptures: Bool {
    captureCount.load(ordering: .relaxed) < KeyCounter.captureLimit
  }

  /// The same, and the instance of this serial number was not looked at last. Called under the log's mutex.
  package func wantsCapture(of serial: Int) -> Bool {
    guard wantsCaptures, lastSerial.load(ordering: .relaxed) != serial else { return false }
    lastSerial.store(serial, ordering: .relaxed)
    return true
  }

  var liveCapture: Capture? {
    withState { $0.captures.map(\.self) }.first { $0.object != nil }
  }

  /// Takes it back that objects were handed out at a place.
  package func forgetCaptures(at callSite: CallSite) {
    let kept = withState { state in
      defer { captureCount.store(state.captures.count, ordering: .relaxed) }
      return exchange(&state.captures, with: state.captures.filter { $0.callSite != callSite })
    }
    withExtendedLifetime(kept) {}
  }

  /// What events of the key have in common that a layer answers, or production.
  ///
  /// - Complexity: O(number of names of layers that answered).
  func subject(answeredBy layer: String?) -> EventSubject {
    withState { state in
      var known = state.subject
      while let subject = known {
        if subject.layer == layer { return subject }
        known = subject.next
      }
      let fresh = EventSubject(key, answeredBy: layer, next: state.subject)
      state.subject = fresh
      return fresh
    }
  }

  /// Counts a resolution.
  func count(_ outcome: ResolutionEvent.Outcome, _ held: borrowing HeldMutex) {
    switch outcome {
    case .made: KeyCounter.add(1, to: made)
    case .reused: KeyCounter.add(1, to: reused)
    case .missed: KeyCounter.add(1, to: missed)
    case .failed: KeyCounter.add(1, to: failed)
    }
  }

  /// Counts one that found an instance.
  @inline(__always)
  func countReuse(_ held: borrowing HeldMutex) { KeyCounter.add(1, to: reused) }

  func add(_ counts: ResolutionCounts, _ held: borrowing HeldMutex) {
    KeyCounter.add(counts.made, to: made)
    KeyCounter.add(counts.reused, to: reused)
    KeyCounter.add(counts.missed, to: missed)
    KeyCounter.add(counts.failed, to: failed)
  }

  @inline(__always)
  private static func add(_ number: Int, to count: borrowing Atomic<Int>) {
    count.store(count.load(ordering: .relaxed) + number, ordering: .releasing)
  }

  func note(_ capture: Capture) -> Bool {
    // A look at an object may be the last reference to it, so it is not taken under the lock.
    let gone = Set(
      withState { $0.captures.map(\.self) }.filter { $0.object == nil }.map(\.identity))
    return withState { state in
      state.captures.removeAll { gone.contains($0.identity) }
      guard state.captures.count < KeyCounter.captureLimit,
        !state.captures.contains(where: { $0.identity == capture.identity })
      else { return false }
      state.captures.append(capture)
      captureCount.store(state.captures.count, ordering: .relaxed)
      return true
    }
  }
}

/// An object that was handed out, watched and not kept alive.
///
/// Safety of `@unchecked Sendable`: immutable; the object is only compared and counted, never called.
package struct Capture: @unchecked Sendable {
  package let identity: ObjectIdentifier
  package weak let object: AnyObject?
  /// Where it was asked for.
  package let callSite: CallSite

  /// Watches a value, if it is an object.
  package init?<Value>(_ value: Value, at callSite: CallSite) {
    guard type(of: value as Any) is AnyClass else { return nil }
    let object = value as AnyObject
    identity = ObjectIdentifier(object)
    self.object = object
    self.callSite = callSite
  }
}
