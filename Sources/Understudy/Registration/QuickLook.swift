// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolver has for a question at a glance: an instance to be copied, or else the registration.
///
/// Safety: the value at `address` is of the type that was asked for, and stays there until `end`: either the calling
/// thread is within the gate of the table that has the registration (`pass`), or `registration` is retained; both
/// keep what is published. Whoever gets an address copies the value and calls `end`, and does nothing else before.
/// Without an address, `registration` is retained, and is taken once. No reference is counted for a look at an
/// instance within the gate.
@usableFromInline
struct QuickLook {
  /// Where production's instance is.
  @usableFromInline let address: UnsafeMutableRawPointer?
  /// What answers, unless the calling thread is within the gate.
  @usableFromInline let registration: Unmanaged<AnyRegistration>?
  private let pass: ReaderGate.Pass?

  /// A look that finds nothing.
  static var nothing: QuickLook { QuickLook() }

  private init() { (address, registration, pass) = (nil, nil, nil) }

  /// A look of a thread that has found a registration outside the gate.
  init(_ registration: AnyRegistration?, of type: ObjectIdentifier) {
    self.registration = if let registration { .passRetained(registration) } else { nil }
    address = QuickLook.address(self.registration, type)
    pass = nil
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
    address = QuickLook.address(registration, type)
    if address != nil {
      self.pass = pass
      self.registration = nil
    } else {
      self.pass = nil
      self.registration = registration?.retain()
      ReaderGate.leave(pass)
      if registration == nil { return nil }
    }
  }

  /// What vouches for the type is compared with what was asked for.
  @inline(__always)
  private static func address(
    _ registration: Unmanaged<AnyRegistration>?, _ type: ObjectIdentifier
  ) -> UnsafeMutableRawPointer? {
    registration?._withUnsafeGuaranteedRef { $0.valueType == type ? $0.publication.address : nil }
  }

  /// The instance at `address`; ends the look. The caller knows its type. The address is passed, since an optional of
  /// the value would be a type that a debug build looks up.
  @inlinable @inline(__always)
  func value<Value>(at address: UnsafeMutableRawPointer) -> Value {
    defer { end() }
    return address.assumingMemoryBound(to: Value.self).pointee
  }

  /// Says that the value was copied. Never inlined: what it does has to come after the copy, and nothing that the
  /// caller's module knows of it says that it may be done before.
  @usableFromInline @inline(never)
  func end() {
    if let pass { ReaderGate.leave(pass) } else { registration?.release() }
  }
}
