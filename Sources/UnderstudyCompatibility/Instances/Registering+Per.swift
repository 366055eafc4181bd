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
  /// ownership, overriding and invalidation are those of any cached instance, but a decorator of a
  /// layer wraps the instance anew for each request. A resolver stores one instance for each
  /// requested identity, until the key is registered anew, unregistered or reset. No instance is
  /// stored for a `.notCached` registration, or for a request that throws.
  ///
  /// - Parameters:
  ///   - type: The registered type, where the block does not say it.
  ///   - name: The name of the registration.
  ///   - qualifier: The qualifier that it is registered under.
  ///   - container: The container that it is registered in.
  ///   - lifecycle: The lifecycle for each identity. `.once` answers each identity once. The
  ///     registration keeps its key, so nothing else answers a further request for that identity.
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
    let callSite = CallSite(fileID, filePath, line, column)
    let key = AnyKey.made(
      Value.self, named: name, scopedTo: nil, qualifiedBy: qualifier,
      in: container ?? defaults.container)
    var traits = RegistrationTraits(key: key, at: callSite)
    traits.metadata = metadata
    traits.argumentType = Argument.self
    traits.inTests = inTests
    traits.isKeyedByArgument = true
    traits.statedNeeds = defaults.needs
    var part = RegistrationTraits(key: key, at: callSite)
    part.lifecycle = lifecycle
    part.argumentType = Argument.self
    part.inTests = inTests
    // It is in no list. A request holds the registration itself, as for a declared dependency, and
    // the level of the listed registration answers.
    part.isDeclaredDefault = true
    part.isKeyedByArgument = true
    let instances = InstancesPerArgument(of: part, identify, block)
    add(Registration(traits, sharing: nil, .relaying(instances.relay)))
    return Key(erased: key)
  }
}

/// The registrations of one block, one for each identity of an argument.
private final class InstancesPerArgument<Argument, Identity: Hashable & Sendable, Value: Sendable>:
  Sendable
{
  private let traits: RegistrationTraits
  private let identify: @Sendable (Argument) -> Identity
  private let make: @Sendable (Resolver, Argument) throws -> Value
  /// The registration of one identity. Its stored instances, the creations of them and the requests
  /// for it retain it. Without them, a new one does the same.
  private struct Part {
    weak let registration: Registration<Value>?
    /// The registration, once a request may have used it up: a claim does not retain it.
    var usedUp: Registration<Value>?
  }

  private struct Parts {
    // Names are compared by their numbers, so no user code runs under the lock.
    var all: [KeyName: Part] = [:]
    /// When there are as many parts, those that nothing retains are removed.
    var limit = 8
  }

  private let parts = Lock(Parts())
  /// The asked resolvers, their parents, and the level of the registration. Other layers keep their
  /// instances and claims until they end.
  private let levels = Lock<[ObjectIdentifier: WeakReference<LevelStore>]>([:])

  init(
    of traits: RegistrationTraits, _ identify: @escaping @Sendable (Argument) -> Identity,
    _ make: @escaping @Sendable (Resolver, Argument) throws -> Value
  ) {
    self.traits = traits
    self.identify = identify
    self.make = make
  }

  /// The registration is gone, so no request can get its instances any more.
  deinit {
    let parts = parts.withLock { $0.all.values.compactMap(\.registration) }
    for level in levels.withLock({ $0.values.compactMap(\.value) }) { level.forget(parts) }
  }

  /// Forwards a request to the instance of its argument.
  var relay: Relay<Value> {
    Relay(to: nil) { invocation, outcome in
      let (part, request) = try self.request(invocation, at: outcome.level)
      let value: Value = try invocation.resolver.value(for: request, noting: &outcome)
      self.noteUse(of: part)
      return value
    } waiting: { invocation, outcome in
      let (part, request) = try self.request(invocation, at: outcome.level)
      let value: Value = try await invocation.resolver.asyncValue(for: request, noting: &outcome)
      self.noteUse(of: part)
      return value
    } renewing: { [traits, identify, make] isNew in
      // A reset of the instances hands out none again that is used up.
      isNew || traits.lifecycle == .cached
        ? InstancesPerArgument(of: traits, identify, make).relay : nil
    }
  }

  private typealias PartRequest = (part: Registration<Value>, request: Request)

  private func request(_ invocation: Invocation, at level: LevelStore?) throws -> PartRequest {
    let argument: Argument = try invocation.argument()
    let name = KeyName(identify(argument))
    let part = parts.withLock { $0.all[name]?.registration } ?? addPart(named: name, at: level)
    let stores = invocation.resolver.lineage.map(\.store) + [level].compactMap(\.self)
    levels.withLock { levels in
      for store in stores where levels[ObjectIdentifier(store)]?.object == nil {
        levels[ObjectIdentifier(store)] = WeakReference(store)
      }
    }
    // `.once` uses up the key, and not one of its instances.
    let lifecycle = invocation.request.lifecycle == .once ? .cached : invocation.request.lifecycle
    var request = Request(
      part.key, declared: part, lifecycle: lifecycle,
      argument: PassedArgument(IdentifiedArgument(argument: argument, name: name)),
      at: invocation.request.callSite, isOnMainActor: invocation.request.isOnMainActor,
      keepsErrors: invocation.request.keepsErrors)
    request.isDecorated = invocation.request.isDecorated
    return (part, request)
  }

  /// Retains a registration that answers its identity once.
  private func noteUse(of part: Registration<Value>) {
    guard traits.lifecycle == .once, let named = part.key.name?.base as? PartName else { return }
    parts.withLock { $0.all[named.part]?.usedUp = part }
  }

  private func addPart(named name: KeyName, at level: LevelStore?) -> Registration<Value> {
    var traits = traits
    traits.key = AnyKey(
      type: Value.self, name: KeyName(PartName(whole: traits.key.name, part: name)),
      container: traits.key.container)
    traits.owner = level.map { WeakReference($0) }
    // The log identifies a requester by its serial number. A request by this block counts as one by
    // the listed registration.
    traits.serial = level?.registration(for: self.traits.key)?.serial
    let make = make
    let fresh = Registration(traits, sharing: SendableType()) { invocation in
      let identified: IdentifiedArgument<Argument> = try invocation.argument()
      return try make(invocation.resolver, identified.argument)
    }
    // Released after the lock: the identities are the user's, and an access may take the last
    // reference to a registration.
    var garbage: (parts: [KeyName: Part], registrations: [Registration<Value>]) = ([:], [])
    defer { withExtendedLifetime(garbage) {} }
    return parts.withLock { parts in
      if let part = parts.all[name]?.registration { return part }
      if parts.all.count >= parts.limit {
        garbage.parts = parts.all
        parts.all = parts.all.filter { _, part in
          guard let registration = part.registration else { return false }
          garbage.registrations.append(registration)
          return true
        }
        parts.limit = max(8, 2 * parts.all.count)
      }
      parts.all[name] = Part(registration: fresh)
      return fresh
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
private struct PartName: NamingPart, Hashable, Sendable, CustomStringConvertible {
  let whole: KeyName?
  let part: KeyName

  var description: String { [whole, part].compactMap { $0?.description }.joined(separator: ", ") }
}
