// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A view of one container of a resolver: what is registered through it is in the container, and it
/// sees nothing else.
///
/// It is a value without state of its own: two views of one container may have different default
/// lifecycles, and neither changes what others register.
public struct Container: Registering {
  /// The resolver that the container is in.
  public let resolver: Resolver
  /// What names the container; `nil` is the default container.
  public var identifier: (any Hashable & Sendable)? { name?.base }
  /// The lifecycle of what is registered through this view and does not say otherwise, values
  /// included; `nil` leaves each form its own.
  public let lifecycle: Lifecycle?
  package let name: KeyName?

  package init(
    _ resolver: Resolver, _ identifier: (any Hashable & Sendable)?, lifecycle: Lifecycle?
  ) {
    self.resolver = resolver
    self.lifecycle = lifecycle
    name = KeyName.made(of: identifier)
  }

  /// The container and the default lifecycle.
  public var defaults: RegistrationDefaults {
    RegistrationDefaults(lifecycle: lifecycle, in: name)
  }

  /// Adds a registration to the resolver.
  public func add(_ registration: AnyRegistration) {
    resolver.add(registration)
  }

  /// The key that asks for something in this container.
  public func key<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil
  ) -> Key<Value> {
    Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: identifier)
  }
}

extension Resolver {
  /// A view of a container; `nil` is the default container.
  ///
  /// - Parameters:
  ///   - identifier: What names the container.
  ///   - lifecycle: What is registered through the view has it unless it says otherwise. A block
  ///     whose value is not `Sendable` cannot be kept: under `.cached` resolving it throws
  ///     `ResolutionError.Reason.notShareable`.
  /// - Returns: The view.
  public func container(
    _ identifier: (any Hashable & Sendable)?, lifecycle: Lifecycle? = nil
  ) -> Container {
    Container(self, identifier, lifecycle: lifecycle)
  }
}
