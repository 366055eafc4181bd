// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolver has for a question at a glance: an instance to be copied, or else the registration.
///
/// Safety: the value at `address` is of the type that was asked for, and stays there until `end`: either the calling
/// thread is within the gate of the table that has the registration (`pass`), or `registration` is retained; both
/// keep what is published. Whoever gets an address copies the value and calls `end`, once, and does nothing else before.
/// Without an address, `registration` is retained, and is taken once. No reference is counted for a look at an
/// instance within the gate.
@safe
@usableFromInline
struct QuickLook {
  /// Where production's instance is.
  @usableFromInline let address: UnsafeMutableRawPointer?
  /// What answers, unless the calling thread is within the gate.
  @usableFromInline let registration: Unmanaged<AnyRegistration>?
  private let pass: ReaderGate.Pass?

  /// A look that finds nothing.
  static var nothing: QuickLook { QuickLook() }

  private init() { unsafe (address, registration, pass) = (nil, nil, nil) }

  /// A look of a thread that has found a registration outside the gate.
  init(_ registration: AnyRegistration?, of type: ObjectIdentifier) {
    if let registration {
      unsafe self.init(retained: .passRetained(registration), of: type)
    } else {
      self.init()
    }
  }

  /// The same of a registration to which a reference is counted for the look.
  init(retained registration: Unmanaged<AnyRegistration>, of type: ObjectIdentifier) {
    unsafe self.registration = registration
    unsafe address = QuickLook.address(registration, type)
    unsafe pass = nil
  }

  /// A look of a thread that has entered a gate, which it leaves unless there is something to copy; `nil` if it has
  /// found nothing there.
  ///
  /// - Parameters:
  ///   - registration: What was found within the gate.
  ///   - type: What was asked for.
  ///   - pass: What `enter` returned.
  @inline(__always)
  init?(
    _ registration: Unmanaged<AnyRegistration>?, of type: ObjectIdentifier,
    within pass: ReaderGate.Pass
  ) {
    unsafe address = QuickLook.address(registration, type)
    if unsafe address != nil {
      unsafe self.pass = pass
      unsafe self.registration = nil
    } else {
      unsafe self.pass = nil
      unsafe self.registration = registration?.retain()
      unsafe ReaderGate.leave(pass)
      if unsafe registration == nil { return nil }
    }
  }

  /// What vouches for the type is compared with what was asked for.
  @inline(__always)
  private static func address(
    _ registration: Unmanaged<AnyRegistration>?, _ type: ObjectIdentifier
  ) -> UnsafeMutableRawPointer? {
    unsafe registration?._withUnsafeGuaranteedRef {
      unsafe $0.valueType == type ? $0.publication.address : nil
    }
  }

  /// The instance at `address`; ends the look. The caller knows its type. The address is passed, since an optional of
  /// the value would be a type that a debug build looks up.
  @inlinable @inline(__always)
  func value<Value>(at address: UnsafeMutableRawPointer) -> Value {
    defer { unsafe end() }
    return unsafe address.assumingMemoryBound(to: Value.self).pointee
  }

  /// What answers, if its block can be called for that, with a reference that is the caller's now; ends the look.
  @inlinable @inline(__always)
  func callable(_ lifecycle: Lifecycle) -> Unmanaged<AnyRegistration>? {
    if unsafe address != nil {
      unsafe end()
      return nil
    }
    guard let registration = unsafe registration else { return nil }
    if unsafe registration._withUnsafeGuaranteedRef({ $0.mayBeCalled(lifecycle) }) {
      return unsafe registration
    }
    unsafe registration.release()
    return nil
  }

  /// Says that the value was copied; once, where there is an address. Never inlined: what it does has to come after the
  /// copy, and nothing that the caller's module knows of it says that it may be done before.
  @unsafe @usableFromInline @inline(never)
  func end() {
    if let pass = unsafe pass {
      unsafe ReaderGate.leave(pass)
    } else {
      unsafe registration?.release()
    }
  }
}
