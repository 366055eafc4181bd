// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value guarded by a mutex, its own or one that it shares with others: so what is used together is locked once.
///
/// No user code may run inside `withLock`, nor after `lock` while the mutex is held, and no lock of the same mutex
/// may be taken there: it is not recursive. Decide inside, act outside; and extend the lifetime of whatever is taken out
/// and not used, since an optimised build lets go of that at once, inside. `withLock` is inlinable so that a
/// generic caller in another module of this package is specialised to its types: without that, a
/// call on a double costs ten times as much.
///
/// Safety of `@unchecked Sendable`: the value is reachable through `withLock`, which holds the mutex, and through
/// `Guarded`, which is shown that it is held. The addresses of the mutex and of the value never change, because both
/// live in heap objects, and `box` keeps them: it has the value, and the mutex or who has that. A part of a value is a
/// stored property of it, so it lies in the same box, and those who have the whole and those who have the part take
/// turns by one mutex.
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

  /// A part of the value, guarded by the same mutex. The path leads to a stored property, or the process ends. Nobody
  /// uses the part within the lock of the whole.
  @inline(__always)
  func part<Part>(_ path: WritableKeyPath<State, Part>) -> Lock<Part> {
    guard let part = unsafe state.pointer(to: path) else {
      preconditionFailure("only what is stored is a part")
    }
    return unsafe Lock<Part>(box, address, part)
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
    return try unsafe body(&state.pointee)
  }

  /// Locks the mutex, until what is returned goes. The caller keeps this lock meanwhile, and stays on its thread.
  @unsafe @available(*, noasync) @inline(__always)
  func lock() -> HeldMutex { unsafe HeldMutex(locking: address) }

  /// The value, for who holds the mutex that guards it.
  package var guarded: Guarded<State> { unsafe Guarded(address: address, state: state) }
}

/// A value that a lock guards, for who holds the mutex. No reference is counted on the way to it, which takes as long as
/// locking does.
///
/// Safety of `@unchecked Sendable`: the value is reached by who shows that the mutex is held. Whoever has this keeps the
/// lock.
@safe
@usableFromInline
package struct Guarded<State>: @unchecked Sendable {
  /// That of the mutex. A debug build looks up the type of the state for any function of this, and not for this.
  @usableFromInline package let address: UnsafeMutablePointer<Mutex>
  @usableFromInline package let state: UnsafeMutablePointer<State>

  fileprivate init(address: UnsafeMutablePointer<Mutex>, state: UnsafeMutablePointer<State>) {
    unsafe self.address = address
    unsafe self.state = state
  }

  /// Locks the mutex, until what is returned goes. The caller keeps the lock meanwhile, and stays on its thread.
  @unsafe @available(*, noasync) @inline(__always)
  func lock() -> HeldMutex { unsafe HeldMutex(locking: address) }

  /// Where the value is, for as long as the mutex is held.
  @unsafe @inline(__always)
  func place(_ held: borrowing HeldMutex) -> UnsafeMutablePointer<State> {
    guard unsafe held.address == address else {
      preconditionFailure("another mutex guards this")
    }
    return unsafe state
  }
}

/// A mutex that several locks have, kept by one of them.
///
/// Safety of `@unchecked Sendable`: both are immutable, and the owner is only kept.
@safe
package struct SharedMutex: @unchecked Sendable {
  fileprivate let owner: AnyObject
  fileprivate let address: UnsafeMutablePointer<Mutex>

  /// Runs `body` while the mutex is held, under the same conditions as `Lock.withLock`.
  func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe Mutex.lock(address)
    defer {
      unsafe Mutex.unlock(address)
      extendLifetime(owner)
    }
    return body()
  }
}

/// A mutex that the calling thread has locked, which proves to all locks that share it that they may be used. There is
/// one for each time that it is locked, and the mutex is unlocked when that goes: at the latest at the end of its scope.
///
/// Safety: whoever has one keeps a lock that has the mutex meanwhile.
@safe
package struct HeldMutex: ~Copyable {
  fileprivate let address: UnsafeMutablePointer<Mutex>

  /// Locks a mutex, which the caller keeps meanwhile.
  @available(*, noasync) @inline(__always)
  init(locking address: UnsafeMutablePointer<Mutex>) {
    unsafe Mutex.lock(address)
    unsafe self.address = address
  }

  deinit { unsafe Mutex.unlock(address) }

  /// Unlocks it now.
  @inline(__always)
  consuming func unlock() {}

  /// The mutex, which stays locked for whoever gets it to unlock.
  @inline(__always)
  consuming func leftLocked() -> UnsafeMutablePointer<Mutex> {
    let address = unsafe address
    discard self
    return unsafe address
  }
}

/// What lies beside a value: its own mutex, or who has the one that it shares.
private struct LockHeader {
  // The first, so that its address is that of the header.
  private var own = Mutex()
  private let owner: AnyObject?

  init(owner: AnyObject?) {
    self.owner = owner
  }

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
