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
///   apply. Without these, it is `.notCached` for blocks and `.cached` for values.
/// - `inTests` says whether production may answer tests with it: see `LiveGuard`. `nil` leaves that
///   to layers, the resolver and the process.
/// - `metadata` is a value of your own that is found with the registration. It is not part of the
///   key.
/// - `rank` is not for use. It tells the compiler which of two forms it prefers.
public protocol Registering: Sendable {
  /// The defaults of registrations that do not say otherwise.
  var defaults: RegistrationDefaults { get }

  /// Adds a registration, replaces the one of the same key, and forgets its cached value.
  func add(_ registration: AnyRegistration)
}

extension Registering {
  /// No defaults. Each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults() }
}

/// The defaults of registrations that state none of their own.
public struct RegistrationDefaults: Sendable {
  /// The lifecycle of blocks and values. With `nil`, each form has its usual one.
  public var lifecycle: Lifecycle?
  /// The container of the registrations.
  public var container: (any Hashable & Sendable)? {
    get { containerName?.base }
    set { containerName = KeyName.made(of: newValue) }
  }
  /// The stated dependencies of the blocks. The graph shows them before anything runs.
  package var needs: [AnyKey] = []
  /// True if the instances are created when the assembly that registers them is loaded.
  package var isEager = false

  var containerName: KeyName?

  /// Creates defaults.
  public init(lifecycle: Lifecycle? = nil, container: (any Hashable & Sendable)? = nil) {
    self.lifecycle = lifecycle
    containerName = KeyName.made(of: container)
  }
}

/// Registers on another registrar, with other defaults.
package struct DefaultingRegistrar: Registering {
  package let base: any Registering
  package let defaults: RegistrationDefaults

  package func add(_ registration: AnyRegistration) { base.add(registration) }
}

extension Registering {
  /// Returns a registrar that states the dependencies of its blocks, as types. The graph shows and
  /// validates these dependencies before anything runs.
  public func needing<each Needed>(_ types: repeat (each Needed).Type) -> some Registering {
    needing(AnyKey.keys(for: repeat each types))
  }

  /// Returns a registrar that states the dependencies of its blocks, as keys.
  public func needing<each Needed>(_ keys: repeat Key<each Needed>) -> some Registering {
    var erased: [AnyKey] = []
    for key in repeat each keys { erased.append(key.erased) }
    return needing(erased)
  }

  /// Returns a registrar that states the dependencies of its blocks, as keys.
  public func needing(_ keys: [AnyKey]) -> some Registering {
    var defaults = defaults
    defaults.needs += keys
    return DefaultingRegistrar(base: self, defaults: defaults)
  }

  /// A registrar whose blocks are cached, and run when the assembly that registers them is loaded.
  public var eager: some Registering {
    var defaults = defaults
    defaults.lifecycle = .cached
    defaults.isEager = true
    return DefaultingRegistrar(base: self, defaults: defaults)
  }
}

extension Registering {
  /// Adds a registration whose values are never cached.
  func register<Value>(
    _ traits: consuming RegistrationTraits, unshared block: Block<Value>
  ) -> Key<Value> {
    added(Registration(traits, sharing: nil, block))
  }

  /// Adds a registration whose values may be cached, shared and completed.
  func register<Value: Sendable>(
    _ traits: consuming RegistrationTraits, shared block: Block<Value>,
    then complete: Completion<Value>? = nil,
    _ second: Completion<Value>? = nil, _ third: Completion<Value>? = nil
  ) -> Key<Value> {
    var completion = complete
    if second != nil || third != nil {
      completion = { value, resolver in
        try complete?(&value, resolver)
        try second?(&value, resolver)
        try third?(&value, resolver)
      }
    }
    traits.isCompletedLater = completion != nil
    let sharing = traits.lifecycle == .cached ? SendableType<Value>() : nil
    var block = block
    if traits.retention == .weak {
      // A value type cannot be held weakly.
      block = block.then { value in
        guard WeakReference(value).isObject else { throw NotCallable.notAnObject }
        return value
      }
    }
    return added(Registration(traits, sharing: sharing, block, completion: completion))
  }

  private func added<Value>(_ registration: Registration<Value>) -> Key<Value> {
    add(registration)
    return Key(erased: registration.key)
  }
}
