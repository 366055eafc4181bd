// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Registering {
  /// Registers a block that creates one instance for each argument.
  ///
  /// ```swift
  /// resolver.register(lifecycle: .cached, per: { $0.number }) { (order: Order) in Hall(order) }
  /// let hall = try resolver.resolve(Hall.self, with: order)
  /// ```
  ///
  /// Arguments with equal identities share an instance. The first of them creates it. The rules of
  /// ownership, overriding and invalidation are those of any cached instance. A resolver stores one
  /// instance for each requested identity, until the key is registered anew, unregistered or reset.
  ///
  /// - Parameters:
  ///   - type: The registered type, where the block does not say it.
  ///   - name: The name of the registration.
  ///   - qualifier: The qualifier that it is registered under.
  ///   - container: The container that it is registered in.
  ///   - lifecycle: The lifecycle for each identity. `.once` answers each identity once.
  ///   - metadata: The metadata that filters find the registration by.
  ///   - inTests: Whether production may answer in tests.
  ///   - identify: The identity of an argument.
  ///   - block: Creates the instance of an argument.
  @discardableResult
  public func register<Argument, Identity: Hashable & Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    per identify: @escaping @Sendable (Argument) -> Identity,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Argument) throws -> Value
  ) -> Key<Value> {
    register(
      type, named: name, qualifiedBy: qualifier, in: container, lifecycle: lifecycle,
      metadata: metadata, inTests: inTests, per: identify, fileID: fileID, filePath: filePath,
      line: line, column: column
    ) { (_: Resolver, argument: Argument) in try block(argument) }
  }

  /// Registers a block that gets the requested resolver, and creates one instance for each
  /// argument.
  @discardableResult
  public func register<Argument, Identity: Hashable & Sendable, Value: Sendable>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, lifecycle: Lifecycle,
    metadata: any Sendable = (), inTests: LiveGuard? = nil,
    per identify: @escaping @Sendable (Argument) -> Identity,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column,
    _ block: @escaping @Sendable (Resolver, Argument) throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let key = AnyKey.made(
      Value.self, named: name, scopedTo: nil, qualifiedBy: qualifier,
      in: container ?? defaults.container)
    // The block has a key of its own. So each instance depends on the registration that has the
    // block, and the level of that registration contributes to the instance. Another level has
    // another key, so its block is not asked for the instances of this one.
    let maker = Maker(make: block)
    let makerKey = AnyKey(
      type: Maker<Argument, Value>.self,
      name: KeyName(MakerName(whole: key.name, level: levelAbove)), container: key.container)
    let relay = Relay(to: nil) { _, _ in
      maker
    } waiting: { _, _ in
      maker
    }
    let registration = Registration(
      RegistrationTraits(key: makerKey, at: callSite), sharing: nil, .relaying(relay))
    // An unused override is reported for the requested key, and not for this one.
    registration.mark(.used)
    add(registration)

    var traits = RegistrationTraits(key: key, at: callSite)
    traits.metadata = metadata
    traits.argumentType = Argument.self
    traits.inTests = inTests
    traits.isKeyedByArgument = true
    traits.statedNeeds = defaults.needs + [makerKey]
    var part = RegistrationTraits(key: key, at: callSite)
    part.lifecycle = lifecycle
    part.argumentType = Argument.self
    part.inTests = inTests
    // It is in no list. A request holds the registration itself, as for a declared dependency.
    part.isDeclaredDefault = true
    part.isKeyedByArgument = true
    let instances = InstancesPerArgument<Argument, Identity, Value>(
      of: part, by: makerKey, identify)
    add(Registration(traits, sharing: nil, .relaying(instances.relay)))
    return Key(erased: key)
  }
}

extension Registering {
  /// What tells the level of these registrations from the levels above and below it: the layer, or
  /// the parent of the resolver.
  private var levelAbove: ObjectIdentifier? {
    switch self {
    case let layer as OverrideLayer: ObjectIdentifier(layer)
    case let registrar as DefaultingRegistrar: registrar.base.levelAbove
    case let registrar as any KnowingRegistrar: registrar.parent.map(ObjectIdentifier.init)
    default: nil
    }
  }
}

/// The name of a block. Each level has another one.
private struct MakerName: Hashable, Sendable, CustomStringConvertible {
  let whole: KeyName?
  let level: ObjectIdentifier?

  var description: String { whole?.description ?? "" }
}

/// The block, as a value that can be resolved.
private struct Maker<Argument, Value>: Sendable {
  let make: @Sendable (Resolver, Argument) throws -> Value
}

/// The registrations of one block, one for each identity of an argument.
private final class InstancesPerArgument<Argument, Identity: Hashable & Sendable, Value: Sendable>:
  Sendable
{
  private let traits: RegistrationTraits
  private let makerKey: AnyKey
  private let identify: @Sendable (Argument) -> Identity
  // Names are compared by their numbers, so no user code runs under the lock.
  private let parts = Lock<[KeyName: Registration<Value>]>([:])
  private let resolvers = Lock<[ObjectIdentifier: WeakResolver]>([:])

  private struct WeakResolver {
    weak var resolver: Resolver?
  }

  init(
    of traits: RegistrationTraits, by makerKey: AnyKey,
    _ identify: @escaping @Sendable (Argument) -> Identity
  ) {
    self.traits = traits
    self.makerKey = makerKey
    self.identify = identify
  }

  /// The registration is gone, so no request can get its instances any more.
  deinit {
    let parts = parts.withLock { Array($0.values) }
    for resolver in resolvers.withLock({ $0.values.compactMap(\.resolver) }) {
      resolver.store.forget(parts)
    }
  }

  /// Forwards a request to the instance of its argument.
  var relay: Relay<Value> {
    Relay(to: makerKey) { invocation, outcome in
      try invocation.resolver.value(for: self.request(invocation), noting: &outcome)
    } waiting: { invocation, outcome in
      try await invocation.resolver.asyncValue(for: self.request(invocation), noting: &outcome)
    } renewing: { [traits, makerKey, identify] in
      InstancesPerArgument(of: traits, by: makerKey, identify).relay
    }
  }

  private func request(_ invocation: Invocation) throws -> Request {
    let argument: Argument = try invocation.argument()
    let name = KeyName(identify(argument))
    let part = parts.withLock { parts in
      if let known = parts[name] { return known }
      let fresh = self.part(named: name)
      parts[name] = fresh
      return fresh
    }
    resolvers.withLock { resolvers in
      for resolver in invocation.resolver.lineage
      where resolvers[ObjectIdentifier(resolver)]?.resolver == nil {
        resolvers[ObjectIdentifier(resolver)] = WeakResolver(resolver: resolver)
      }
    }
    // `.once` uses up the key, and not one of its instances.
    let lifecycle = invocation.request.lifecycle == .once ? .cached : invocation.request.lifecycle
    return Request(
      part.key, declared: part, lifecycle: lifecycle,
      argument: PassedArgument(IdentifiedArgument(argument: argument, name: name)),
      at: invocation.request.callSite, isOnMainActor: invocation.request.isOnMainActor,
      keepsErrors: invocation.request.keepsErrors)
  }

  private func part(named name: KeyName) -> Registration<Value> {
    var traits = traits
    traits.key = AnyKey(
      type: Value.self, name: KeyName(PartName(whole: traits.key.name, part: name)),
      container: traits.key.container)
    let makerKey = makerKey
    return Registration(traits, sharing: SendableType()) { invocation in
      let maker: Maker<Argument, Value> = try invocation.resolver.value(
        for: Request(makerKey, at: invocation.request.callSite))
      let identified: IdentifiedArgument<Argument> = try invocation.argument()
      return try maker.make(invocation.resolver, identified.argument)
    }
  }
}

/// An argument that the log knows by its identity, so an equal one is not reported as ignored.
private struct IdentifiedArgument<Argument>: CustomStringConvertible {
  let argument: Argument
  let name: KeyName

  var description: String { name.description }
}

/// The name of an argument's instance.
private struct PartName: Hashable, Sendable, CustomStringConvertible {
  let whole: KeyName?
  let part: KeyName

  var description: String { [whole, part].compactMap { $0?.description }.joined(separator: ", ") }
}
