// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that needs no registration of its own, because it is made of another type's values.
protocol AskingForOther {
  /// The type that is requested instead.
  static var askedType: any Any.Type { get }
}

/// A type that is made of the values of all registrations of the other type.
protocol AskingForAll: AskingForOther {}

extension Optional: AskingForOther {
  static var askedType: any Any.Type { Wrapped.self }
}

extension Array: AskingForAll {
  static var askedType: any Any.Type { Element.self }
}

extension AnyKey {
  /// The key that is requested instead, if there is one: for `[T]?`, the key of `[T]`.
  var implied: AnyKey? { (type as? any AskingForOther.Type).map { ofType($0.askedType) } }

  /// The key and all keys that it stands for: for `[T]?`, also `[T]` and `T`.
  var asked: [AnyKey] { [self] + (implied?.asked ?? []) }

  /// The key that is counted if this one has no registration and stands for another: for `[T]?`,
  /// the key of `T`.
  package var countedInstead: AnyKey? { implied.map { $0.countedInstead ?? $0 } }

  /// True if the key needs no registration, since it stands for another key.
  var mayBeMissing: Bool { type is any AskingForOther.Type }

  /// The key of the elements, if this key stands for an array: for `[T]?`, the key of `T`.
  var elements: AnyKey? { type is any AskingForAll.Type ? implied : implied?.elements }

  /// True if this key's registration is an element of an array that is requested as `other`: the
  /// types are equal, and this key has at least every part of the discriminator of `other`.
  func isElement(of other: AnyKey) -> Bool {
    guard type == other.type, declaration == nil else { return false }
    if let container = other.container, container != self.container { return false }
    return other.name.map { wanted in name?.includes(wanted) ?? false } ?? true
  }
}

extension KeyName {
  private var parts: [KeyName] { (base as? NamePath)?.parts ?? [self] }

  fileprivate func includes(_ other: KeyName) -> Bool {
    self == other || Set(other.parts).isSubset(of: parts)
  }
}
