// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is remembered of a question: an instance that is to be copied, or whose block is to be called.
///
/// Safety: an instance is kept until `end`, in one of two ways: the mutex of the stack is held, under which alone what
/// is remembered is dropped, and that is done before any store lets go of it; or a reference to it is counted. Whoever
/// gets a look at one copies the value, which ends the look, and does nothing else before. Of an answer whose block is
/// to be called a reference is counted, and no mutex is held. Nothing but `end` ends a look: a `deinit` would be called
/// from functions that are inlined into other modules, which cannot see it.
@safe
@usableFromInline
struct RememberedLook: ~Copyable {
  /// The instance; or the answer, if its block is to be called.
  @usableFromInline let object: UnsafeMutableRawPointer
  /// The order of the resolution if a block is to be called, or else 0.
  @usableFromInline let order: Int
  /// The mutex that is held; `nil` if a reference to the object is counted.
  private let mutex: UnsafeMutablePointer<Mutex>?

  @inline(__always)
  init(_ instance: Unmanaged<AnyInstance>, under mutex: consuming HeldMutex) {
    unsafe object = instance.toOpaque()
    order = 0
    unsafe self.mutex = mutex.leftLocked()
  }

  /// A look of a thread that has more to do before the value is copied.
  init(retained instance: Unmanaged<AnyInstance>) {
    unsafe object = instance.retain().toOpaque()
    order = 0
    unsafe mutex = nil
  }

  /// A look at the block of an answer.
  init(blockOf answer: Unmanaged<RememberedAnswer>, order: Int) {
    unsafe object = answer.retain().toOpaque()
    self.order = order
    unsafe mutex = nil
  }

  /// True if a block is to be called.
  @inlinable @inline(__always)
  var isOfBlock: Bool { order > 0 }

  /// The answer whose block is to be called, which is kept until the end of the look.
  @inlinable @inline(__always)
  var answer: Unmanaged<RememberedAnswer> { unsafe .fromOpaque(object) }

  /// The value of the instance; ends the look. The caller knows its type.
  @inlinable @inline(__always)
  consuming func value<Value>() -> Value {
    let value = unsafe AnyInstance.unmanaged(.fromOpaque(object), of: Value.self)
      ._withUnsafeGuaranteedRef { $0.value }
    end()
    return value
  }

  /// Says that it was used. Never inlined, as `QuickLook.end` is not.
  @usableFromInline @inline(never)
  consuming func end() {
    if let mutex = unsafe mutex {
      unsafe Mutex.unlock(mutex)
    } else {
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}
