// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// It is held at an address of its own and not as an optional, whose type the generic code that reads it
/// would have to look up every time.
///
/// Safety of `@unchecked Sendable`: the memory at `address` is initialised by the one thread that moves
/// `state` from `empty` to `writing`, before it moves it to `published` with release order, and never
/// written again. A reader looks there only after it has seen `published` with acquire order, so the
/// write happened before. A value that is retired stays where it is, since somebody may be reading it;
/// it is released and the memory freed in `deinit`, when no reader can hold this object any more. What
/// was being written when this was closed was never seen, and its writer takes it away. Only `Sharing`
/// and `Resolver` make one, and only for a `Value` that is `Sendable`.
package final class PublishedOnce<Value>: @unchecked Sendable {
  private static var empty: UInt8 { 0 }
  private static var writing: UInt8 { 1 }
  /// Retired without a value: there will be none.
  private static var closed: UInt8 { 2 }
  private static var published: UInt8 { 3 }
  private static var retired: UInt8 { 4 }

  private let state = Atomic<UInt8>(PublishedOnce.empty)
  private let address: UnsafeMutablePointer<Value>

  package init() {
    address = .allocate(capacity: 1)
  }

  deinit {
    if state.load(ordering: .acquiring) >= PublishedOnce.published {
      address.deinitialize(count: 1)
    }
    address.deallocate()
  }

  /// True if there is a value to hand out.
  package var isPublished: Bool { state.load(ordering: .acquiring) == PublishedOnce.published }

  /// The value; only for whoever has seen that it is published. It may have been retired since, and is
  /// still there.
  package var value: Value { address.pointee }

  /// Stores a value; does nothing if there is one, or was, or if this was retired.
  package func publish(_ value: Value) {
    guard change(from: PublishedOnce.empty, to: PublishedOnce.writing) else { return }
    address.initialize(to: value)
    guard !change(from: PublishedOnce.writing, to: PublishedOnce.published) else { return }
    address.deinitialize(count: 1)
  }

  /// Hands out nothing any more. The value lives as long as this object does.
  package func retire() {
    // Each change that fails means that another thread has moved on, at most twice.
    while !change(from: PublishedOnce.published, to: PublishedOnce.retired),
      !change(from: PublishedOnce.empty, to: PublishedOnce.closed),
      !change(from: PublishedOnce.writing, to: PublishedOnce.closed)
    {
      let state = state.load(ordering: .acquiring)
      if state == PublishedOnce.retired || state == PublishedOnce.closed { return }
    }
  }

  private func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
