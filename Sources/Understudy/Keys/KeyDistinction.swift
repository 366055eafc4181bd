// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What tells a key from others of its type: a name, a container, the place of a declaration.
///
/// It lies behind one reference, so that keys, of which every question has several, are small; and most of those that
/// have one have a name and nothing else, which is then that name itself (`KeyName`). A name is hashed once.
final class KeyDistinction: Sendable {
  /// The name; anything if there is none.
  let base: any Hashable & Sendable
  let hasName: Bool
  /// The name, if it can be told from others without what its type says.
  let quick: QuickName?
  /// That of the name: names that are equal have the same; 0 if there is none.
  let hash: Int
  /// Names of one type that are equal have the same, or are told by their type from others; those of another type
  /// seldom have it.
  let ownHash: Int

  let container: KeyName?
  let declaration: Declaration?
  /// True if it is a name, and nothing else.
  let isName: Bool
  /// That of a key that has this (`AnyKey.subject`), found out once.
  let subject: Int

  static var noSubject: Int { 0 }

  /// A name.
  init(naming base: any Hashable & Sendable) {
    self.base = base
    hasName = true
    let quick = QuickName(base)
    self.quick = quick
    hash = KeyName.hash(of: base, quick)
    ownHash = if let quick { quick.hash } else { KeyName.ownHash(of: base) }
    container = nil
    declaration = nil
    isName = true
    subject = if let quick { AnyKey.subject(named: quick.hash) } else { KeyDistinction.noSubject }
  }

  /// The same name as another, or none, with what else there is.
  init(_ name: KeyName?, _ container: KeyName?, _ declaration: Declaration?) {
    let name = name?.distinction
    base = name?.base ?? false
    hasName = name != nil
    quick = name?.quick
    hash = name?.hash ?? 0
    ownHash = name?.ownHash ?? 0
    self.container = container
    self.declaration = declaration
    isName = hasName && container == nil && declaration == nil
    subject =
      if isName, let quick {
        AnyKey.subject(named: quick.hash)
      } else if !hasName, container == nil, let declaration {
        AnyKey.subject(of: declaration)
      } else {
        KeyDistinction.noSubject
      }
  }

  /// True if the name is a text, and is this one; runs no code of a user's.
  @inline(__always)
  func isText(_ other: String) -> Bool {
    guard case .text(let text)? = quick else { return false }
    return text == other
  }

  /// The bits of the name, if it is nothing else.
  var bits: NameBits? {
    if case .bits(let bits)? = quick { bits } else { nil }
  }
}
