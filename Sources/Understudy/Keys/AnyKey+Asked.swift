// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that needs no registration of its own, because what it is made of has.
protocol AskingForOther {
  /// The type that is really asked for.
  static var askedType: any Any.Type { get }
}

/// One that is made of everything that is registered for what is really asked for.
protocol AskingForAll: AskingForOther {}

extension Optional: AskingForOther {
  static var askedType: any Any.Type { Wrapped.self }
}

extension Array: AskingForAll {
  static var askedType: any Any.Type { Element.self }
}

extension AnyKey {
  /// What is really asked for, if that is something else: of `[T]?`, `[T]`.
  var implied: AnyKey? {
    (type as? any AskingForOther.Type).map {
      ofType($0.askedType)
    }
  }

  /// The key and those that it stands for: of `[T]?`, also `[T]` and `T`.
  var asked: [AnyKey] { [self] + (implied?.asked ?? []) }

  /// What is counted where nothing is registered for the key, which stands for that: of `[T]?`, the
  /// key of `T`.
  package var countedInstead: AnyKey? { implied.map { $0.countedInstead ?? $0 } }

  /// True if the key needs no registration: it stands for another.
  var mayBeMissing: Bool { type is any AskingForOther.Type }

  /// What the elements are found by, if the key stands for an array: of `[T]?`, the key of `T`.
  var elements: AnyKey? { type is any AskingForAll.Type ? implied : implied?.elements }

  /// True if an array that is requested under another key has this key's registration as an
  /// element: that key is of the same type, and this one has every part of its discriminator,
  /// whatever else it has.
  func isElement(of other: AnyKey) -> Bool {
    guard type == other.type, declaration == nil else { return false }
    if let container = other.container, container != self.container { return false }
    return other.name.map { wanted in name?.includes(wanted) ?? false } ?? true
  }
}

extension KeyName {
  /// The scope, the qualifier and the name that this name is made of.
  private var parts: [KeyName] { (base as? NamePath)?.parts ?? [self] }

  /// True if this name has every part of another one.
  fileprivate func includes(_ other: KeyName) -> Bool {
    self == other || Set(other.parts).isSubset(of: parts)
  }
}
