// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is known of function types as types. The language has no question for it, so what its
/// runtime keeps is read.
enum FunctionType {
  typealias Metatype = any Any.Type

  /// What a function of one parameter returns; `nil` for every other type, and for a function that
  /// throws, waits, or is `@Sendable`.
  ///
  /// Safety: a metatype is the address of what the runtime keeps of the type, for ever. Its first
  /// word is the kind of type. Of a function type the second is its form, which says how many
  /// parameters it has, and the third its result: so the ABI says, and so it is for a function that
  /// is known. Of other kinds nothing else is read.
  static func result(of type: Metatype) -> Metatype? {
    let found = unsafe words(of: type)
    guard let known, unsafe found[0] == known.kind, unsafe found[1] == known.form else {
      return nil
    }
    return unsafe unsafeBitCast(found[2], to: Metatype.self)
  }

  /// How a function of one parameter begins, if its result is where it should be.
  private static let known: (kind: UInt, form: UInt)? = {
    let found = unsafe words(of: ((Int) -> String).self)
    let result = unsafe UInt(bitPattern: words(of: String.self))
    return unsafe found[2] == result ? (found[0], found[1]) : nil
  }()

  private static func words(of type: Metatype) -> UnsafePointer<UInt> {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }
}
