// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What tells a key from others of its type by a number alone, where a name has to be compared besides.
extension AnyKey {
  /// That number; `nil` if to tell takes code of a user's, which runs nowhere but in its table.
  package var subject: Int? {
    guard let subject = distinctSubject else { return AnyKey.plainSubject(of: type) }
    return subject == KeyDistinction.noSubject ? nil : subject
  }

  /// That of a type alone: a multiple of four, since types are aligned, as none of the others is.
  static func plainSubject(of type: any Any.Type) -> Int { Int(bitPattern: ObjectIdentifier(type)) }

  /// That of a name, of its hash.
  static func subject(named hash: Int) -> Int { hash & ~3 | 2 }

  /// That of a declaration.
  static func subject(of declaration: Declaration) -> Int { declaration.identity &<< 1 | 1 }

  /// The name, if it is told from others without code of a user's, and there is nothing else.
  var quickName: QuickName? { onlyName(of: ObjectIdentifier(type))?.quick }
}
