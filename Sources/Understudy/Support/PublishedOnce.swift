// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is stored once and then read by any thread without a lock.
///
/// It is held at an address of its own and not as an optional, whose type the generic code that reads it
/// would have to look up every time.
///
/// Safety of `@unchecked Sendable`, here and of `Publication`: `place`, and the memory there, are written by
/// the one thread that moves `state` from `empty` to `writing`, before it moves it to `published` with
/// release order, and never again. A reader looks there only after it has seen `published` with
/// acquire order, so the write happened before. A value that is retired stays where it is, since somebody
/// may be reading it; it is released and the memory freed in `deinit`, when no reader can hold this object
/// any more, nor the registration that keeps it: a reader on the short way holds that, or is within the gate of the
/// table that does, or asks for a declared dependency, whose registration the process keeps.
/// What was being written when this was closed was never seen, and its writer takes it away. Only
/// `Registration`, where it has a `Sharing`, and `Resolver` make one: for a `Value` that is `Sendable`.
@usableFromInline
package final class PublishedOnce<Value>: Publication, @unchecked Sendable {
  package init() { super.init(of: ObjectIdentifier(Value.self)) }

  deinit {
    guard let place = place.load(ordering: .relaxed) else { return }
    if wasPublished { place.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    place.deallocate()
  }

  /// The value, if there is one to hand out.
  package var value: Value? { address?.assumingMemoryBound(to: Value.self).pointee }

  /// Stores a value; does nothing if there is one, or was, or if this was retired.
  package func publish(_ value: Value) {
    guard beginWriting() else { return }
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    address.initialize(to: value)
    place.store(UnsafeMutableRawPointer(address), ordering: .relaxed)
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
  /// The type of the value.
  package final let type: ObjectIdentifier
  /// Where the value is, once there is one.
  fileprivate final let place = Atomic<UnsafeMutableRawPointer?>(nil)

  fileprivate init(of type: ObjectIdentifier) {
    self.type = type
  }

  /// Where the value is, if there is one to hand out. It may be retired meanwhile, and is still there.
  package final var address: UnsafeMutableRawPointer? {
    isPublished ? place.load(ordering: .relaxed) : nil
  }

  /// True if there is a value to hand out.
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
