// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An object that a request was handed, watched and not kept alive (O9, O13).
package struct Capture: Sendable {
  private let watched: WatchedObject
  package var identity: ObjectIdentifier { watched.identity }
  package var object: AnyObject? { watched.object }
  /// Where the object was requested.
  package let callSite: CallSite

  /// Watches a value, if it is an object.
  package init?<Value>(_ value: Value, at callSite: CallSite) {
    guard let watched = WatchedObject(value) else { return nil }
    self.watched = watched
    self.callSite = callSite
  }
}
