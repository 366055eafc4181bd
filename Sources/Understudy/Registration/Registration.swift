// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How to make a `Value`.
///
/// Safety of `@unchecked Sendable`: as for `AnyRegistration`, every stored property is immutable and
/// `Sendable`.
package final class Registration<Value>: AnyRegistration, @unchecked Sendable {
  private let block: @Sendable (Invocation) throws -> Value
  /// How values are kept, or `nil` if they are handed to one caller each and never kept.
  package let sharing: Sharing<Value>?

  package init(
    _ traits: RegistrationTraits, sharing: Sharing<Value>?,
    _ block: @escaping @Sendable (Invocation) throws -> Value
  ) {
    self.block = block
    self.sharing = sharing
    super.init(traits)
  }

  /// Calls the block.
  package func make(_ invocation: Invocation) throws -> Value {
    try block(invocation)
  }
}

/// How values of a type that is `Sendable` are kept and shared between threads.
///
/// One exists only for such a type: its initialiser asks for it.
package struct Sharing<Value>: Sendable {
  /// Production's instance, read without a lock.
  package let published = PublishedOnce<Value>()
  /// Makes the instance that keeps a value.
  package let instance: @Sendable (Value, Provenance) -> any AnyInstance
  /// The value that an instance keeps, or `nil` if it was released meanwhile.
  package let value: @Sendable (any AnyInstance) -> Value?

  package init(_ retention: Retention) where Value: Sendable {
    switch retention {
    case .strong:
      instance = { Instance($0, $1) }
      value = { ($0 as! Instance<Value>).value }
    case .weak:
      instance = { WeakInstance($0, $1) }
      value = { ($0 as! WeakInstance<Value>).value }
    }
  }
}
