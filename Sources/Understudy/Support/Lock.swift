// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value guarded by a mutex, its own or one that it shares with others, so that values which are
/// used together are locked once.
///
/// No user code runs inside `withLock`, and no lock of the same mutex is taken there: it is not
/// recursive. Decide inside, act outside. Extend the lifetime of what is taken out and not used: an
/// optimised build destroys it at once, inside. `withLock` is inlinable so that a generic caller in
/// another module of this package is specialised to its types: a call of a double costs ten times
/// as much without that.
///
/// Safety of `@unchecked Sendable`: the value is reachable through `withLock` alone, which holds
/// the mutex. The addresses of the mutex and of the value never change, because both live in heap
/// objects, and `box` retains them: it has the value, and the mutex or the owner of that.
@safe
@usableFromInline
package struct Lock<State>: @unchecked Sendable {
  @usableFromInline let box: AnyObject
  @usableFromInline let address: UnsafeMutablePointer<Mutex>
  @usableFromInline let state: UnsafeMutablePointer<State>

  private init(
    _ box: AnyObject, _ address: UnsafeMutablePointer<Mutex>, _ state: UnsafeMutablePointer<State>
  ) {
    self.box = box
    unsafe self.address = address
    unsafe self.state = state
  }

  /// Guards a value with a mutex of its own.
  package init(_ state: State) {
    let box = LockBox<State>.holding(state, LockHeader(owner: nil))
    self = unsafe box.withUnsafeMutablePointers { header, state in
      unsafe Lock(box, LockHeader.open(header), state)
    }
  }

  /// Guards a value with the mutex of another lock.
  package init(_ state: State, sharing mutex: SharedMutex) {
    let box = LockBox<State>.holding(state, LockHeader(owner: mutex.owner))
    self = unsafe box.withUnsafeMutablePointers { unsafe Lock(box, mutex.address, $1) }
  }

  /// This lock's mutex, for others that are to share it.
  package var mutex: SharedMutex { unsafe SharedMutex(owner: box, address: address) }

  package var guarded: Guarded<State> { unsafe Guarded(address: address, state: state) }

  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe Mutex.lock(address)
    defer {
      unsafe Mutex.unlock(address)
      extendLifetime(box)
    }
    return try unsafe body(&state.pointee)
  }
}

/// The places of a mutex and of its value, for a double's call, which is inlined into its caller.
///
/// Safety of `@unchecked Sendable`: the value is used while the mutex is locked. The owner retains
/// the lock.
@safe
@usableFromInline
package struct Guarded<State>: @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutablePointer<Mutex>
  @usableFromInline package let state: UnsafeMutablePointer<State>

  fileprivate init(address: UnsafeMutablePointer<Mutex>, state: UnsafeMutablePointer<State>) {
    unsafe self.address = address
    unsafe self.state = state
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

/// The header of a value: its own mutex, or the owner of the shared one.
private struct LockHeader {
  // The first, so that it has the address of the header.
  private var own = Mutex()
  private let owner: AnyObject?

  init(owner: AnyObject?) { self.owner = owner }

  /// Opens the mutex of a header that lies where it will stay.
  static func open(_ header: UnsafeMutablePointer<LockHeader>) -> UnsafeMutablePointer<Mutex> {
    let mutex = unsafe own(header)
    unsafe Mutex.open(mutex)
    return unsafe mutex
  }

  static func close(_ header: UnsafeMutablePointer<LockHeader>) {
    if unsafe header.pointee.owner == nil { unsafe Mutex.close(own(header)) }
  }

  private static func own(
    _ header: UnsafeMutablePointer<LockHeader>
  ) -> UnsafeMutablePointer<Mutex> {
    unsafe UnsafeMutableRawPointer(header).assumingMemoryBound(to: Mutex.self)
  }
}

private final class LockBox<State>: ManagedBuffer<LockHeader, State> {
  static func holding(_ state: State, _ header: LockHeader) -> ManagedBuffer<LockHeader, State> {
    let box = create(minimumCapacity: 1) { _ in header }
    unsafe box.withUnsafeMutablePointerToElements { unsafe $0.initialize(to: state) }
    return box
  }

  deinit {
    unsafe withUnsafeMutablePointers { header, state in
      unsafe state.deinitialize(count: 1)
      unsafe LockHeader.close(header)
    }
  }
}
