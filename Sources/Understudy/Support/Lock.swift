// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value guarded by a mutex.
///
/// No user code runs inside `withLock`, and no lock of the same mutex is taken there: it is not
/// recursive. Decide inside, act outside. Keep a removed value alive until after the lock: an
/// optimised build destroys an unused value at once, inside. `withLock` is inlinable so that a
/// generic caller in another module of this package is specialised to its types: a call of a double
/// costs ten times as much without that.
///
/// Safety of `@unchecked Sendable`: only `withLock`, which holds the mutex, and the fast path of a
/// double's call, which locks the mutex by hand, use the value. The addresses of the mutex and of
/// the value never change, because both live in one heap object, which `box` retains.
@safe
@usableFromInline
package struct Lock<State>: @unchecked Sendable {
  @usableFromInline let box: AnyObject
  @usableFromInline package let address: UnsafeMutablePointer<Mutex>
  @usableFromInline package let value: UnsafeMutablePointer<State>

  package init(_ state: consuming State) {
    let box = LockBox<State>.create(minimumCapacity: 1) { _ in Mutex() }
    self.box = box
    unsafe (address, value) = unsafe box.withUnsafeMutablePointers { unsafe ($0, $1) }
    unsafe Mutex.open(address)
    unsafe value.initialize(to: state)
  }

  /// This lock's mutex, for others that are to share it.
  package var mutex: SharedMutex { unsafe SharedMutex(owner: box, address: address) }

  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe Mutex.lock(address)
    defer {
      unsafe Mutex.unlock(address)
      extendLifetime(box)
    }
    return try unsafe body(&value.pointee)
  }
}

/// State that a mutex elsewhere guards: its owner uses it while that is locked. A pointer, since
/// every access to a stored property of a class is checked at run time.
///
/// Safety of `@unchecked Sendable`: as above. The state lives as long as this value, which is a
/// stored property of its owner.
@safe
struct GuardedState<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<State>

  init(_ state: consuming State) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: state)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The state, while the mutex is locked. It is read by address: a coroutine costs a debug build
  /// more than most reads.
  var value: State {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating _modify { yield unsafe &pointer.pointee }
  }
}

/// A mutex that several values share, retained by the lock that made it.
///
/// Safety of `@unchecked Sendable`: both are immutable, and the owner is only retained.
@safe
package struct SharedMutex: @unchecked Sendable {
  fileprivate let owner: AnyObject
  fileprivate let address: UnsafeMutablePointer<Mutex>

  @available(*, noasync)
  func lock() { unsafe Mutex.lock(address) }

  @available(*, noasync)
  func unlock() {
    unsafe Mutex.unlock(address)
    extendLifetime(owner)
  }
}

private final class LockBox<State>: ManagedBuffer<Mutex, State> {
  deinit {
    unsafe withUnsafeMutablePointers {
      unsafe $1.deinitialize(count: 1)
      unsafe Mutex.close($0)
    }
  }
}
