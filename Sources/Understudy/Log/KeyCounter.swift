// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a log knows of one key.
final class KeyCounter: Sendable {
  private struct State {
    var counts = ResolutionCounts()
    var captures: [Capture] = []
  }

  /// How many different objects of a key are watched.
  private static let captureLimit = 4

  let key: AnyKey
  private let state = Lock(State())

  init(_ key: AnyKey) {
    self.key = key
  }

  var counts: ResolutionCounts { state.withLock { $0.counts } }

  var wantsCaptures: Bool {
    state.withLock { $0.captures.count < KeyCounter.captureLimit }
  }

  var liveCapture: Capture? {
    state.withLock { $0.captures.map(\.self) }.first { $0.object != nil }
  }

  func count(_ outcome: ResolutionEvent.Outcome) {
    state.withLock { $0.counts.count(outcome) }
  }

  func add(_ counts: ResolutionCounts) {
    state.withLock { $0.counts = $0.counts + counts }
  }

  func note(_ capture: Capture) -> Bool {
    state.withLock { state in
      guard state.captures.count < KeyCounter.captureLimit,
        !state.captures.contains(where: { $0.identity == capture.identity })
      else { return false }
      state.captures.append(capture)
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
