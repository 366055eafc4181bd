// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// It is held at an address of its own and not as an optional, whose type the generic code that reads it
/// would have to look up every time.
///
/// Safety of `@unchecked Sendable`, here and of `Publication`: the memory at `address` is initialised by
/// the one thread that moves `state` from `empty` to `writing`, before it moves it to `published` with
/// release order, and never written again. A reader looks there only after it has seen `published` with
/// acquire order, so the write happened before. A value that is retired stays where it is, since somebody
/// may be reading it; it is released and the memory freed in `deinit`, when no reader can hold this object
/// any more, nor the registration or dependency that keeps it: a reader on the short way holds one of those.
/// What was being written when this was closed was never seen, and its writer takes it away. Only `Sharing`
/// and `Resolver` make one, and only for a `Value` that is `Sendable`.
@usableFromInline
package final class PublishedOnce<Value>: Publication, @unchecked Sendable {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  package override init() {
    address = .allocate(capacity: 1)
    super.init()
  }

  deinit {
    if wasPublished { address.deinitialize(count: 1) }
    address.deallocate()
  }

  /// The value; only for whoever has seen that it is published. It may have been retired since, and is
  /// still there.
  @inlinable package var value: Value { address.pointee }

  /// Stores a value; does nothing if there is one, or was, or if this was retired.
  package func publish(_ value: Value) {
    guard beginWriting() else { return }
    address.initialize(to: value)
    if !endWriting() { address.deinitialize(count: 1) }
  }
}

/// How far a value is that is published once, whatever its type: so whoever only looks need not know it.
@usableFromInline
package class Publication: @unchecked Sendable {
  private static let empty: UInt8 = 0
  private static let writing: UInt8 = 1
  /// Retired without a value: there will be none.
  private static let closed: UInt8 = 2
  private static let published: UInt8 = 3
  private static let retired: UInt8 = 4

  private let state = Atomic<UInt8>(Publication.empty)

  fileprivate init() {}

  /// The value, for whoever made this a `PublishedOnce` of that type, and has seen that it is published.
  @inlinable
  package final func value<Value>(as type: Value.Type) -> Value {
    unsafeDowncast(self, to: PublishedOnce<Value>.self).value
  }

  /// True if there is a value to hand out.
  @usableFromInline
  package final var isPublished: Bool { state.load(ordering: .acquiring) == Publication.published }

  fileprivate final var wasPublished: Bool {
    state.load(ordering: .acquiring) >= Publication.published
  }

  fileprivate final func beginWriting() -> Bool {
    change(from: Publication.empty, to: Publication.writing)
  }

  /// False if this was closed while the value was being written.
  fileprivate final func endWriting() -> Bool {
    change(from: Publication.writing, to: Publication.published)
  }

  /// Hands out nothing any more. The value lives as long as this object does.
  package final func retire() {
    // Each change that fails means that another thread has moved on, at most twice.
    while !change(from: Publication.published, to: Publication.retired),
      !change(from: Publication.empty, to: Publication.closed),
      !change(from: Publication.writing, to: Publication.closed)
    {
      let state = state.load(ordering: .acquiring)
      if state == Publication.retired || state == Publication.closed { return }
    }
  }

  private final func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
