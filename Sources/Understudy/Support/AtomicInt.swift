// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import UnderstudyAtomics

/// The memory of an integer that an `AtomicInt` reads and changes.
///
/// It is declared and never used: as the first stored property of a class without a superclass, or
/// as a part of the state of a `Lock`.
package struct AtomicWord: Sendable {
  private let bits: Int

  package init(_ initial: Int = 0) {
    bits = initial
  }
}

/// What an access to an `AtomicInt` orders.
package enum AtomicOrdering: Sendable {
  /// Nothing but the integer itself.
  case relaxed
  /// A read sees everything that was done before the write whose integer it reads.
  case synchronizing
}

/// An integer that threads read and change without a lock.
///
/// `Atomic` of the standard library is not there before macOS 15 and iOS 18.
///
/// Safety of `@unchecked Sendable`: `owner` retains the memory at `word`, whose address never
/// changes, and is only retained. Nothing but the atomic functions of C uses the memory once it is
/// initialised: `AtomicWord` has no member to read or write it by.
@safe
package struct AtomicInt: @unchecked Sendable {
  private let owner: AnyObject
  private let word: UnsafeMutablePointer<Int>

  /// An integer with memory of its own.
  package init(_ initial: Int) {
    self.init(in: AtomicBox(initial))
  }

  /// The integer of an object.
  ///
  /// Safety: the caller promises that the first stored property is an `AtomicWord`, and that the
  /// class has no superclass. Stored properties begin behind the two words that every Swift object
  /// begins with, in the order of their declaration. The standard library has this function for
  /// atomics of older systems, and a test looks at every class that uses it.
  package init(in object: AnyObject) {
    owner = object
    unsafe word = _getUnsafePointerToStoredProperties(object).assumingMemoryBound(to: Int.self)
  }

  fileprivate init(_ word: UnsafeMutablePointer<AtomicWord>, of owner: AnyObject) {
    self.owner = owner
    // The one stored property is at offset 0, so both addresses are the same.
    unsafe self.word = UnsafeMutableRawPointer(word).assumingMemoryBound(to: Int.self)
  }

  package func load(ordering: AtomicOrdering) -> Int {
    defer { extendLifetime(owner) }
    return switch ordering {
    case .relaxed: unsafe understudy_load_relaxed(word)
    case .synchronizing: unsafe understudy_load_acquiring(word)
    }
  }

  /// The integer of an object, in one call for a caller in another module.
  package static func load(in object: AnyObject, ordering: AtomicOrdering) -> Int {
    AtomicInt(in: object).load(ordering: ordering)
  }

  package func store(_ value: Int, ordering: AtomicOrdering) {
    defer { extendLifetime(owner) }
    switch ordering {
    case .relaxed: unsafe understudy_store_relaxed(word, value)
    case .synchronizing: unsafe understudy_store_releasing(word, value)
    }
  }

  /// Adds a number, and wraps around.
  @discardableResult
  package func add(
    _ number: Int, ordering: AtomicOrdering
  ) -> (oldValue: Int, newValue: Int) {
    defer { extendLifetime(owner) }
    let old =
      switch ordering {
      case .relaxed: unsafe understudy_add_relaxed(word, number)
      case .synchronizing: unsafe understudy_add_ordered(word, number)
      }
    return (old, old &+ number)
  }

  /// Subtracts a number, and wraps around.
  @discardableResult
  package func subtract(
    _ number: Int, ordering: AtomicOrdering
  ) -> (oldValue: Int, newValue: Int) {
    add(0 &- number, ordering: ordering)
  }

  /// Sets bits, and returns the integer that had not all of them, or had.
  @discardableResult
  package func bitwiseOr(_ bits: Int, ordering: AtomicOrdering) -> Int {
    defer { extendLifetime(owner) }
    return switch ordering {
    case .relaxed: unsafe understudy_or_relaxed(word, bits)
    case .synchronizing: unsafe understudy_or_ordered(word, bits)
    }
  }

  /// Replaces the integer if it is the expected one.
  package func compareExchange(
    expected: Int, desired: Int, ordering: AtomicOrdering
  ) -> (exchanged: Bool, original: Int) {
    defer { extendLifetime(owner) }
    let original =
      switch ordering {
      case .relaxed: unsafe understudy_replace_relaxed(word, expected, desired)
      case .synchronizing: unsafe understudy_replace_ordered(word, expected, desired)
      }
    return (original == expected, original)
  }
}

/// A Boolean value that threads read and change without a lock.
package struct AtomicFlag: Sendable {
  private let number: AtomicInt

  /// A flag with memory of its own.
  package init(_ initial: Bool) {
    number = AtomicInt(initial ? 1 : 0)
  }

  /// The flag of an object, which is declared as the integer of an `AtomicInt` is.
  package init(in object: AnyObject) {
    number = AtomicInt(in: object)
  }

  package func load(ordering: AtomicOrdering) -> Bool { number.load(ordering: ordering) != 0 }

  package func store(_ value: Bool, ordering: AtomicOrdering) {
    number.store(value ? 1 : 0, ordering: ordering)
  }

  /// Sets the flag; true if it was set before.
  package func set(ordering: AtomicOrdering) -> Bool {
    number.bitwiseOr(1, ordering: ordering) != 0
  }
}

private final class AtomicBox: Sendable {
  private let word: AtomicWord

  init(_ initial: Int) {
    word = AtomicWord(initial)
  }
}

extension Lock {
  /// An integer in the memory of the value, which the mutex does not guard. The path leads to a
  /// stored property, or the process ends. The whole must not be used from then on: its parts are.
  @inline(__always)
  func integer(_ path: WritableKeyPath<State, AtomicWord>) -> AtomicInt {
    guard let word = unsafe state.pointer(to: path) else {
      preconditionFailure("only what is stored is a part")
    }
    return unsafe AtomicInt(word, of: box)
  }
}
