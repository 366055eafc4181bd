// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How values of a `Sendable` type are stored and shared between threads.
///
/// Only a `Sendable` type has one, since the initialiser requires it.
package struct Sharing<Value>: Sendable {
  /// `nil` for a decorator, which holds its values like the shadowed registration.
  private let retention: Retention?
  private let type: SendableType<Value>

  package init(_ retention: Retention?) where Value: Sendable {
    self.retention = retention
    type = SendableType()
  }

  /// The instance that stores a value.
  func instance(
    _ value: Value, of registration: AnyRegistration, from dependencies: [Provenance] = [],
    heldAs shadowed: Retention = .strong, isMade: Bool = true
  ) -> AnyInstance {
    switch retention ?? shadowed {
    case .strong: Instance(value, type, of: registration, from: dependencies, isMade: isMade)
    case .weak: WeakInstance(value, type, of: registration, from: dependencies, isMade: isMade)
    }
  }
}
