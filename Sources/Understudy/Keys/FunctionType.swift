// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Looks into function types. The language has no API for this, so it reads the runtime's metadata.
enum FunctionType {
  typealias Metatype = any Any.Type

  /// The result type of a function with one parameter. `nil` for every other type, and for a
  /// function that throws, is asynchronous, or is `@Sendable`.
  ///
  /// Safety: a metatype is the address of its type's metadata, which is never freed. The first word
  /// is the kind of the type. For a function type, the second word has the flags with the number of
  /// parameters, and the third is the result type. The ABI guarantees this, and `known` checks it
  /// with a known function. For other kinds, no further word is used.
  static func result(of type: Metatype) -> Metatype? {
    let found = unsafe words(of: type)
    guard let known, unsafe found[0] == known.kind, unsafe found[1] == known.form else {
      return nil
    }
    return unsafe unsafeBitCast(found[2], to: Metatype.self)
  }

  /// The first two words of a function with one parameter, if its result is in the expected place.
  private static let known: (kind: UInt, form: UInt)? = {
    let found = unsafe words(of: ((Int) -> String).self)
    let result = unsafe UInt(bitPattern: words(of: String.self))
    return unsafe found[2] == result ? (found[0], found[1]) : nil
  }()

  private static func words(of type: Metatype) -> UnsafePointer<UInt> {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }
}
