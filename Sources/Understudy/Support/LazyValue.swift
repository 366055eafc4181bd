// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A value that is made when it is first needed, and then read by any thread without a lock.
///
/// `AtomicLazyReference` would do, but its `load` looks up the metadata of its types with every call: 700
/// instructions instead of ten.
///
/// Safety: `holder` is empty, or has one reference of its own. It is set once, by the thread that finds it empty,
/// with release order after what it refers to was made; it is read with acquire order; and its reference is
/// released in `deinit`, when nobody can read it any more.
@safe
struct LazyValue<Value: Sendable>: ~Copyable, Sendable {
  private final class Holder: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let holder = unsafe Atomic<Unmanaged<Holder>?>(nil)

  deinit { unsafe holder.load(ordering: .acquiring)?.release() }

  /// The value, if it was made.
  var value: Value? { unsafe holder.load(ordering: .acquiring)?.takeUnretainedValue().value }

  /// The value, made now if it was not: two threads may make one each, and get the same.
  func value(orMake make: () -> Value) -> Value {
    if let value { return value }
    let fresh = unsafe Unmanaged.passRetained(Holder(make()))
    let (isFirst, older) = unsafe holder.compareExchange(
      expected: nil, desired: fresh, ordering: .acquiringAndReleasing)
    guard !isFirst, let older = unsafe older else {
      return unsafe fresh.takeUnretainedValue().value
    }
    unsafe fresh.release()
    return unsafe older.takeUnretainedValue().value
  }
}
