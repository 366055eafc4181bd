// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is made when it is first needed, and then read by any thread without a lock.
///
/// `AtomicLazyReference` would do, but its `load` looks up the metadata of its types with every call: 700
/// instructions instead of ten.
///
/// Safety: `holder` is 0, or the address of an object to which one reference is counted. It is set once, by the thread that
/// finds it to be 0, with release order after the object was made; it is read with acquire order; and the reference is
/// released in `deinit`, when nobody can read it any more. (Were it a reference, a debug build would look up the
/// types that the atomic is made of, wherever a value is missing, and most are.)
@safe
struct LazyValue<Value: Sendable>: ~Copyable, Sendable {
  private final class Holder: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let holder = Atomic<UInt>(0)

  deinit {
    if let holder = unsafe address { unsafe LazyValue.reference(holder).release() }
  }

  /// The value, if it was made.
  var value: Value? {
    guard let holder = unsafe address else { return nil }
    return unsafe LazyValue.reference(holder).takeUnretainedValue().value
  }

  /// The value, made now if it was not: two threads may make one each, and get the same.
  func value(orMake make: () -> Value) -> Value {
    if let value { return value }
    let fresh = unsafe Unmanaged.passRetained(Holder(make()))
    let (isFirst, older) = unsafe holder.compareExchange(
      expected: 0, desired: UInt(bitPattern: fresh.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let older = unsafe UnsafeRawPointer(bitPattern: older) else {
      return unsafe fresh.takeUnretainedValue().value
    }
    unsafe fresh.release()
    return unsafe LazyValue.reference(older).takeUnretainedValue().value
  }

  private var address: UnsafeRawPointer? {
    unsafe UnsafeRawPointer(bitPattern: holder.load(ordering: .acquiring))
  }

  private static func reference(_ address: UnsafeRawPointer) -> Unmanaged<Holder> {
    unsafe .fromOpaque(address)
  }
}
