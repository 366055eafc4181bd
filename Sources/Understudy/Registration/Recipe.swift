// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The arguments of a form of `register`, without the block.
struct Recipe {
  let name: KeyName?
  let container: KeyName?
  let lifecycle: Lifecycle?
  /// The lifecycle if neither the registration nor the registrar gives another.
  let usualLifecycle: Lifecycle
  let retention: Retention
  let isFixed: Bool
  let inTests: LiveGuard?
  let additions: RegistrationAdditions?
  let callSite: CallSite

  // Borrowed, to avoid copies: an existential is larger than all other arguments together.
  init(
    named name: borrowing (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: borrowing (any Hashable & Sendable)?,
    lifecycle: Lifecycle? = nil, usually usualLifecycle: Lifecycle = .notCached,
    retention: Retention = .strong, isFixed: Bool = false,
    metadata: borrowing any Sendable, inTests: LiveGuard? = nil,
    takes argumentType: (any Any.Type)? = nil,
    needs: [AnyKey] = [], at callSite: CallSite
  ) {
    self.name = KeyName.made(of: name, scope: scope, qualifier: qualifier)
    self.container = KeyName.made(of: container)
    // An instance in a scope is shared for as long as the program holds it.
    self.lifecycle = scope == nil ? lifecycle : .cached
    self.usualLifecycle = usualLifecycle
    self.retention = scope == nil ? retention : .weak
    self.isFixed = isFixed || scope != nil
    self.inTests = inTests
    additions = .of(metadata, argumentType, needs)
    self.callSite = callSite
  }

  func traits(for type: any Any.Type, _ defaults: RegistrationDefaults) -> RegistrationTraits {
    RegistrationTraits(
      key: AnyKey(type: type, name: name, container: container ?? defaults.containerName),
      lifecycle: lifecycle ?? defaults.lifecycle ?? usualLifecycle, retention: retention,
      isLifecycleFixed: isFixed, isEager: defaults.isEager,
      inTests: inTests, at: callSite, with: .adding(stated: defaults.needs, to: additions))
  }
}

extension Registering {
  /// Adds a registration whose values are never cached.
  func register<Value>(_ recipe: Recipe, unshared block: Block<Value>) -> Key<Value> {
    let traits = recipe.traits(for: Value.self, defaults)
    return added(Registration(consume traits, sharing: nil, block))
  }

  /// Adds a registration whose values may be cached, shared and completed.
  func register<Value: Sendable>(
    _ recipe: Recipe, shared block: Block<Value>, then complete: Completion<Value>? = nil,
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
    var traits = recipe.traits(for: Value.self, defaults)
    traits.isCompletedLater = completion != nil
    let sharing = traits.lifecycle == .cached ? Sharing<Value>(traits.retention) : nil
    let block = held(block, traits.retention)
    return added(
      Registration(
        consume traits, sharing: sharing, block, completion: completion))
  }

  /// Adds a registration whose block does not run on the calling thread.
  func register<Value: Sendable>(_ recipe: Recipe, _ block: Block<Value>) -> Key<Value> {
    let traits = recipe.traits(for: Value.self, defaults)
    let (block, sharing) = (held(block, traits.retention), Sharing<Value>(traits.retention))
    return added(Registration(consume traits, sharing: sharing, block))
  }

  private func added<Value>(_ registration: Registration<Value>) -> Key<Value> {
    add(registration)
    return Key(erased: registration.key)
  }

  /// A block that holds its value with a retention. A value type cannot be held weakly.
  func held<Value: Sendable>(_ block: Block<Value>, _ retention: Retention) -> Block<Value> {
    guard retention == .weak else { return block }
    return block.then { value in
      guard WeakReference(value).isObject else { throw Unheld.notAnObject }
      return value
    }
  }
}
