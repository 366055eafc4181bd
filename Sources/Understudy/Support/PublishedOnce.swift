// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// It is held at an address of its own and not as an optional, whose type the generic code that reads it
/// would have to look up every time.
///
/// Safety of `@unchecked Sendable`: the memory at `address` is initialised by the one thread that wins the
/// exchange of `isClaimed`, before it sets `published` with release order, and never written again. A
/// reader looks there only after it has seen `published` with acquire order, so the write happened
/// before. The value is released and the memory freed in `deinit`, when no reader can hold this object
/// any more. Only `Sharing` makes one, and only for a `Value` that is `Sendable`.
package final class PublishedOnce<Value>: @unchecked Sendable {
  private let isClaimed = Atomic<Bool>(false)
  private let published = Atomic<Bool>(false)
  private let address: UnsafeMutablePointer<Value>

  package init() {
    address = .allocate(capacity: 1)
  }

  deinit {
    if isPublished { address.deinitialize(count: 1) }
    address.deallocate()
  }

  /// True if there is a value; then there is one for good.
  package var isPublished: Bool { published.load(ordering: .acquiring) }

  /// The value; only for whoever has seen that it is published.
  package var value: Value {
    precondition(isPublished)
    return address.pointee
  }

  /// Stores a value; does nothing if there is one.
  package func publish(_ value: Value) {
    guard !isClaimed.exchange(true, ordering: .relaxed) else { return }
    address.initialize(to: value)
    published.store(true, ordering: .releasing)
  }
}
