// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Something that registrations can be made on: a resolver, an override layer, a container.
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
/// - `scopedTo` is a scope, also part of the key. It shares the instance for as long as the program
///   holds it.
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

/// What registrations have when they do not say otherwise.
public struct RegistrationDefaults: Sendable {
  /// The lifecycle of blocks and values; `nil` leaves each form its own.
  public var lifecycle: Lifecycle?
  /// The container that is registered in.
  public var container: (any Hashable & Sendable)? {
    get { containerName?.base }
    set { containerName = KeyName.made(of: newValue) }
  }
  /// What the blocks are said to ask for; the graph shows it before anything runs.
  public var needs: [AnyKey]
  /// True if the instances are made when the assembly that registers them is loaded.
  public var isEager: Bool

  /// The container's name.
  private(set) var containerName: KeyName?

  init(lifecycle: Lifecycle?, in containerName: KeyName?) {
    self.lifecycle = lifecycle
    self.containerName = containerName
    needs = []
    isEager = false
  }

  /// Makes defaults.
  public init(
    lifecycle: Lifecycle? = nil, container: (any Hashable & Sendable)? = nil, needs: [AnyKey] = [],
    isEager: Bool = false
  ) {
    self.init(lifecycle: lifecycle, in: KeyName.made(of: container))
    self.needs = needs
    self.isEager = isEager
  }
}
