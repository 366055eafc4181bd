// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A view of one container of a resolver. It registers in the container, and sees nothing else.
///
/// A view is a value without state of its own. Two views of one container may have different
/// default lifecycles, and neither changes the registrations of the other.
public struct Container: Registering {
  package let resolver: Resolver
  /// The container and the default lifecycle.
  public let defaults: RegistrationDefaults

  package var name: KeyName? { defaults.containerName }

  /// Adds a registration to the resolver.
  public func add(_ registration: AnyRegistration) { resolver.add(registration) }
}

extension Resolver {
  /// Returns a view of a container.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the container. `nil` is the default container.
  ///   - lifecycle: The lifecycle of registrations through the view that state none. A value that
  ///     is not `Sendable` cannot be cached: with `.cached`, a request for it throws
  ///     `ResolutionError.Reason.notShareable`.
  /// - Returns: The view.
  public func container(
    _ identifier: (any Hashable & Sendable)?, lifecycle: Lifecycle? = nil
  ) -> Container {
    Container(
      resolver: self, defaults: RegistrationDefaults(lifecycle: lifecycle, container: identifier))
  }
}
