// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A target of registrations: a resolver, an override layer or a container.
///
/// Every form of `register` is on this protocol. The registered type is the return type of the
/// block. Every form returns the key of the registration. A block may throw, and runs under no
/// lock.
///
/// The parameters of all forms:
///
/// - `type` is the registered type, where the block does not say it.
/// - `named`, `qualifiedBy` and `in` are a name, a qualifier and a container. They are part of the
///   key.
/// - `scopedTo` is a scope, also part of the key. Requests share the instance while something
///   retains it.
/// - `lifecycle` says how often the value is created. Without one, the defaults of the registrar
///   count, or else `.notCached` for blocks, and `.cached` for values.
/// - `metadata` is a value of your own that is found with the registration. It is not part of the
///   key.
public protocol Registering: Sendable {
  /// What a registration has when it does not say otherwise.
  var defaults: RegistrationDefaults { get }

  /// Adds a registration. One for the same key is replaced, and its cached value forgotten.
  func add(_ registration: AnyRegistration)
}

extension Registering {
  /// No defaults. Each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults() }
}

/// The defaults of registrations that state none of their own.
public struct RegistrationDefaults: Sendable {
  /// The lifecycle of blocks and values. `nil` leaves each form its own.
  public var lifecycle: Lifecycle?
  /// The container of the registrations.
  public var container: (any Hashable & Sendable)? {
    get { containerName?.base }
    set { containerName = KeyName.made(of: newValue) }
  }
  /// The stated dependencies of the blocks. The graph shows them before anything runs.
  public var needs: [AnyKey]
  /// True if the instances are created when the assembly that registers them is loaded.
  public var isEager: Bool

  private(set) var containerName: KeyName?

  init(lifecycle: Lifecycle?, in containerName: KeyName?) {
    self.lifecycle = lifecycle
    self.containerName = containerName
    needs = []
    isEager = false
  }

  /// Creates defaults.
  public init(
    lifecycle: Lifecycle? = nil, container: (any Hashable & Sendable)? = nil, needs: [AnyKey] = [],
    isEager: Bool = false
  ) {
    self.init(lifecycle: lifecycle, in: KeyName.made(of: container))
    self.needs = needs
    self.isEager = isEager
  }
}
