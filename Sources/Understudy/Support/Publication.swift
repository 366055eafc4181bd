// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A place for a value that is stored once and then read by any thread without a lock.
///
/// It knows nothing of the value's type, which generic code that only looks would have to look up every time; so
/// whoever has one says the type each time, and ends it.
///
/// Safety: `place`, and the memory there, are written by the one thread that moves `state` from `empty` to
/// `writing`, before it moves it to `published` with release order, and never again. A reader looks there only
/// after it has seen `published` with acquire order, so the write happened before. A value that is retired stays
/// where it is, since somebody may be reading it; it is released and the memory freed by `end`. What was being
/// written when this was closed was never seen, and its writer takes it away.
///
/// The compiler does not see that all who name a type name the same, that it is `Sendable`, nor that the end comes
/// once and last. `Registration` sees to it, and nobody else writes or ends one: it opens one only where it has a
/// `Sharing`, so for a `Value` that is `Sendable`, publishes that, and ends it in its `deinit`. No reader holds the
/// registration then, nor what keeps it: a reader has the registration by its type, or has compared its
/// `valueType`; and holds it, or is within the gate of the table that does, or asks for a declared dependency, whose
/// registration the process keeps.
struct Publication: ~Copyable, Sendable {
  private static var empty: UInt8 { 0 }
  private static var writing: UInt8 { 1 }
  /// There is no value, and there will be none: it was retired without one, or was never open.
  private static var closed: UInt8 { 2 }
  private static var published: UInt8 { 3 }
  private static var retired: UInt8 { 4 }

  private let state: Atomic<UInt8>
  /// Where the value is, once there is one; 0 before.
  private let place = Atomic<UInt>(0)

  /// Makes a place for a value; or for none, ever.
  init(isOpen: Bool) {
    state = Atomic(isOpen ? Publication.empty : Publication.closed)
  }

  /// Where the value is, if there is one to hand out. It may be retired meanwhile, and is still there.
  @inline(__always)
  var address: UnsafeMutableRawPointer? {
    unsafe isPublished ? memory : nil
  }

  /// The value, if there is one to hand out, of the type that was published.
  @unsafe
  func value<Value>(_ type: Value.Type) -> Value? {
    unsafe address?.assumingMemoryBound(to: type).pointee
  }

  /// True if there is a value to hand out.
  var isPublished: Bool { state.load(ordering: .acquiring) == Publication.published }

  /// Stores a value; does nothing if there is one, or was, or if this was retired. All who name its type name this one.
  @unsafe
  func publish<Value>(_ value: Value) {
    if beginWriting() { unsafe write(value) }
  }

  /// True for the one who is to write the value.
  func beginWriting() -> Bool { change(from: Publication.empty, to: Publication.writing) }

  /// Writes the value, which nobody sees if this was closed meanwhile; once, after `beginWriting` has said true.
  @unsafe
  func write<Value>(_ value: Value) {
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe address.initialize(to: value)
    place.store(UInt(bitPattern: address), ordering: .relaxed)
    if !change(from: Publication.writing, to: Publication.published) {
      unsafe address.deinitialize(count: 1)
    }
  }

  /// Hands out nothing any more. The value lives until the end.
  func retire() {
    // Each change that fails means that another thread has moved on, at most twice.
    while !change(from: Publication.published, to: Publication.retired),
      !change(from: Publication.empty, to: Publication.closed),
      !change(from: Publication.writing, to: Publication.closed)
    {
      let state = state.load(ordering: .acquiring)
      if state == Publication.retired || state == Publication.closed { return }
    }
  }

  /// Lets go of the value, when nobody reads any more; once.
  @unsafe
  func end<Value>(_ type: Value.Type) {
    guard let memory = unsafe memory else { return }
    if state.load(ordering: .acquiring) >= Publication.published {
      unsafe memory.assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    unsafe memory.deallocate()
  }

  private var memory: UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: place.load(ordering: .relaxed))
  }

  private func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
