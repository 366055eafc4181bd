// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// Safety of `@unchecked Sendable`: `stored` is written by the one thread that moves `state` from
/// `empty` to `writing`, before it moves it to `published` with release order, and never again. A
/// reader looks at `stored` only after it has seen `published` with acquire order, so the write
/// happened before. A value that is retired stays where it is, since somebody may be reading it; it is
/// released in `deinit`, when no reader can hold this object any more. Only `Sharing` and
/// `Resolver` make one, and only for a `Value` that is `Sendable`.
package final class PublishedOnce<Value>: @unchecked Sendable {
  private static var empty: UInt8 { 0 }
  private static var writing: UInt8 { 1 }
  private static var published: UInt8 { 2 }
  private static var retired: UInt8 { 3 }

  private let state = Atomic<UInt8>(PublishedOnce.empty)
  // Written once, before anybody reads: there is no access to check at run time.
  @exclusivity(unchecked) private var stored: Value?

  package init() {}

  package var value: Value? {
    state.load(ordering: .acquiring) == PublishedOnce.published ? stored : nil
  }

  /// Stores a value; does nothing if there is one, or was.
  package func publish(_ value: Value) {
    guard change(from: PublishedOnce.empty, to: PublishedOnce.writing) else { return }
    stored = value
    _ = change(from: PublishedOnce.writing, to: PublishedOnce.published)
  }

  /// Hands out nothing any more. The value lives as long as this object does.
  package func retire() {
    state.store(PublishedOnce.retired, ordering: .releasing)
  }

  private func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
