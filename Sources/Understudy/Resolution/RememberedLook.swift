// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An instance that is reused as is remembered, to be copied.
///
/// Safety: the instance is kept until `end`, in one of two ways: the mutex of the stack is held, under which alone what
/// is remembered is dropped, and that is done before any store lets go of it; or a reference to it is counted. Whoever
/// gets a look copies the value, which ends the look, and does nothing else before.
@safe
@usableFromInline
struct RememberedLook: ~Copyable {
  @usableFromInline let instance: Unmanaged<AnyInstance>
  private let hold: Hold

  private enum Hold: ~Copyable {
    case mutex(HeldMutex)
    case reference
  }

  @inline(__always)
  init(_ instance: Unmanaged<AnyInstance>, under mutex: consuming HeldMutex) {
    unsafe self.instance = instance
    hold = .mutex(mutex)
  }

  /// A look of a thread that has more to do before the value is copied.
  init(retained instance: Unmanaged<AnyInstance>) {
    unsafe self.instance = instance.retain()
    hold = .reference
  }

  /// The value; ends the look. The caller knows its type.
  @inlinable @inline(__always)
  consuming func value<Value>() -> Value {
    let value = unsafe AnyInstance.unmanaged(instance, of: Value.self)._withUnsafeGuaranteedRef {
      $0.value
    }
    end()
    return value
  }

  /// Says that the value was copied: what is to be done is done by the end of this value, here and nowhere sooner. Never
  /// inlined, as `QuickLook.end` is not.
  @usableFromInline @inline(never)
  consuming func end() {}

  deinit {
    switch hold {
    case .mutex: break
    case .reference: unsafe instance.release()
    }
  }
}
