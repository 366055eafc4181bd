// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The key of a request: a type, and optionally a name and a container.
///
/// Every `register` returns one. You can create an equal key anywhere.
public struct Key<Value>: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline package let erased: AnyKey

  package init(erased: AnyKey) { self.erased = erased }

  /// Creates a key.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    erased = .made(Value.self, named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
  }

  /// Creates a typed key from an erased one, or `nil` if that has another type.
  public init?(_ key: AnyKey) {
    guard key.type == Value.self else { return nil }
    erased = key
  }

  /// `'any Clock' named "wall"`
  public var description: String { erased.description }
}

/// A type that names a scope: `enum Signup: Scope {}`.
///
/// Requests share an instance that is registered `scopedTo:` this type, while something retains it.
/// After that, the next request creates a new one.
public protocol Scope {}

/// A type that tells registrations of one type apart: `enum Sandbox: Qualifier {}`.
///
/// Lookup is exact. A request without the qualifier does not find a qualified registration, nor the
/// other way round.
public protocol Qualifier {}
