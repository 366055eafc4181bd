// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyAtomics

/// The memory of an integer that an `AtomicInt` reads and changes.
///
/// Swift code only declares it, and C reads it: as the first stored property of a class without a
/// superclass, or as the state of a `Lock`.
package struct AtomicWord: Sendable {
  private let bits: Int

  package init(_ initial: Int = 0) { bits = initial }
}

/// An integer that threads read and change without a lock.
///
/// `Atomic` of the standard library needs macOS 15 and iOS 18. This value is no more than an
/// address, since a debug build pays for each reference that it copies.
///
/// Safety of `@unchecked Sendable`: only the atomic functions of C use the memory once it is
/// initialised, since `AtomicWord` has no member to read or write it by. The memory is never freed,
/// or it belongs to an object that reads its integer in its own methods alone. `self` lives until
/// they return: the compiler releases no object before an access through a pointer that follows.
@safe
package struct AtomicInt: @unchecked Sendable {
  private let word: UnsafeMutablePointer<Int>

  /// An integer of the process.
  init(number: Int) { unsafe word = understudy_word(number) }

  /// An integer whose memory is never freed: for a static property that no request reads.
  package init(_ initial: Int) {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: initial)
  }

  /// The integer of an object.
  ///
  /// Safety: the caller promises that the first stored property is an `AtomicWord`, and that the
  /// class has no superclass. Stored properties begin after the two words with which every Swift
  /// object begins, in the order of their declaration. The standard library has this function for
  /// atomics on older systems, and a test looks at every class that uses it.
  package init(in object: borrowing AnyObject) {
    unsafe word = _getUnsafePointerToStoredProperties(object).assumingMemoryBound(to: Int.self)
  }

  fileprivate init(_ word: UnsafeMutablePointer<AtomicWord>) {
    // The one stored property is at offset 0, so both addresses are the same.
    unsafe self.word = UnsafeMutableRawPointer(word).assumingMemoryBound(to: Int.self)
  }

  /// The integer, with everything that happened before it was written.
  package var value: Int { unsafe understudy_load_acquiring(word) }

  /// The integer alone. A debug build pays for each parameter, so there is none for the order.
  package var relaxedValue: Int { unsafe understudy_load_relaxed(word) }

  /// The integer of an object alone, in one call for a caller in another module.
  package static func relaxedValue(in object: borrowing AnyObject) -> Int {
    AtomicInt(in: object).relaxedValue
  }

  // A thread that reads a changed integer with `value` sees everything that happened before.

  package func store(_ value: Int) { unsafe understudy_store(word, value) }

  /// Adds a number, and wraps around.
  @discardableResult
  package func add(_ number: Int) -> (oldValue: Int, newValue: Int) {
    let old = unsafe understudy_add(word, number)
    return (old, old &+ number)
  }

  @discardableResult
  package func subtract(_ number: Int) -> (oldValue: Int, newValue: Int) { add(0 &- number) }

  /// Sets bits, and returns the integer as it was before.
  @discardableResult
  package func bitwiseOr(_ bits: Int) -> Int { unsafe understudy_or(word, bits) }

  package func compareExchange(expected: Int, desired: Int) -> (exchanged: Bool, original: Int) {
    let original = unsafe understudy_replace(word, expected, desired)
    return (original == expected, original)
  }
}

// An integer is a flag, too: 0 is false.
extension AtomicInt {
  package var isSet: Bool { value != 0 }

  /// Sets the flag. Returns `true` if it was set before.
  @discardableResult
  package func set() -> Bool { bitwiseOr(1) != 0 }
}

extension Lock<AtomicWord> {
  /// The integer in the memory of the value, which the mutex does not guard.
  var integer: AtomicInt { unsafe AtomicInt(value) }
}

// The integers of the process that requests and layers read and change, all 0 at first.
extension AtomicInt {
  // Flags, and counts of live objects.
  static var aliveLayers: AtomicInt { AtomicInt(number: 0) }
  static var boundResolvers: AtomicInt { AtomicInt(number: 1) }
  static var creations: AtomicInt { AtomicInt(number: 2) }
  static var asynchronousConstructions: AtomicInt { AtomicInt(number: 3) }
  static var testHostIsInstalled: AtomicInt { AtomicInt(number: 4) }
  static var layersWereKept: AtomicInt { AtomicInt(number: 5) }
  static var processHasNoTests: AtomicInt { AtomicInt(number: 6) }

  // The last numbers of series.
  static var lastLayer: AtomicInt { AtomicInt(number: 7) }
  static var lastLevel: AtomicInt { AtomicInt(number: 8) }
  static var lastRegistration: AtomicInt { AtomicInt(number: 9) }
  package static var lastInstance: AtomicInt { AtomicInt(number: 10) }
  static var lastIdentity: AtomicInt { AtomicInt(number: 11) }
  package static var lastCall: AtomicInt { AtomicInt(number: 12) }
  static var lastResolution: AtomicInt { AtomicInt(number: 13) }

  /// One of 256 counts: see `OverriddenTypes`.
  static func overrides(_ hash: UInt8) -> AtomicInt { AtomicInt(number: 14 + Int(hash)) }

  /// The next number of a series, which begins with 1.
  package func next() -> Int { add(1).newValue }
}
