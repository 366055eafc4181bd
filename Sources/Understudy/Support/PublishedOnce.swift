// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// Safety of `@unchecked Sendable`: `stored` is written by the one thread that wins the exchange of
/// `isClaimed`, before it sets `isPublished` with release order, and never again. A reader looks at
/// `stored` only after it has seen `isPublished` with acquire order, so the write happened before.
/// The value is released in `deinit`, when no reader can hold this object any more. Only `Sharing` and
/// `Resolver` make one, and only for a `Value` that is `Sendable`.
package final class PublishedOnce<Value>: @unchecked Sendable {
  private let isClaimed = Atomic<Bool>(false)
  private let isPublished = Atomic<Bool>(false)
  // Written once, before anybody reads: there is no access to check at run time.
  @exclusivity(unchecked) private var stored: Value?

  package init() {}

  package var value: Value? {
    isPublished.load(ordering: .acquiring) ? stored : nil
  }

  /// Stores a value; does nothing if there is one.
  package func publish(_ value: Value) {
    guard !isClaimed.exchange(true, ordering: .relaxed) else { return }
    stored = value
    isPublished.store(true, ordering: .releasing)
  }
}
