// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Objects that a change under a lock released. They are destroyed after the lock is unlocked, the
/// newest first, since a `deinit` may be the user's code.
struct Garbage {
  private var newest: AnyObject?
  private var others: [AnyObject] = []

  mutating func add(_ object: AnyObject) {
    if let newest { others.append(newest) }
    newest = object
  }

  mutating func add(_ others: [AnyObject]) { for object in others { add(object) } }

  var newestFirst: [AnyObject] { (newest.map { [$0] } ?? []) + others.reversed() }

  consuming func release() {
    newest = nil
    if others.hasNone { return }
    while others.popLast() != nil {}
  }
}

extension Array {
  /// The same as `isEmpty`, which is generic code of `Collection` in a debug build. For arrays that
  /// each request looks at.
  var hasNone: Bool { count == 0 }
}
