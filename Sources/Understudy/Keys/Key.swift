// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What can be asked for: a type, and optionally a name and a container.
///
/// Every `register` returns one. An equal key made anywhere asks for the same.
public struct Key<Value>: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline package let erased: AnyKey

  package init(erased: AnyKey) {
    self.erased = erased
  }

  /// Makes a key.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    erased = .made(
      Value.self, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  }

  /// Makes a typed key from an erased one, or `nil` if that asks for another type.
  public init?(_ key: AnyKey) {
    guard key.type == Value.self else { return nil }
    erased = key
  }

  /// `'any Clock' named "wall"`
  public var description: String { erased.description }
}
