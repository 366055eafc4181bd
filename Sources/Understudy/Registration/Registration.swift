// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How to create a `Value`.
///
/// Safety of `@unchecked Sendable`: as for `AnyRegistration`, every stored property is immutable
/// and `Sendable`. Every `AnyRegistration` is created as a `Registration` with the type of its
/// values, so a registration of that value type has this class.
package final class Registration<Value>: AnyRegistration, @unchecked Sendable {
  package let block: Block<Value>
  /// Proof that values may be stored. `nil` if each value goes to one caller and is never stored.
  package let sharing: SendableType<Value>?

  package let completion: Completion<Value>?

  package init(
    _ traits: consuming RegistrationTraits, sharing: SendableType<Value>?, _ block: Block<Value>,
    completion: Completion<Value>? = nil
  ) {
    self.block = block
    self.completion = completion
    self.sharing = sharing
    let isExisting = if case .existing = block { true } else { false }
    let isAlias = if case .relaying = block { true } else { false }
    let isCreated = traits.lifecycle == .notCached && completion == nil
    let isDirect =
      switch block {
      case .existing, .plain, .direct: isCreated
      default: false
      }
    let isStored = isExisting && traits.retention == .strong && sharing != nil
    super.init(
      traits, of: ObjectIdentifier(Value.self), isExisting: isStored, isDirect: isDirect,
      isAlias: isAlias)
  }

  package convenience init(
    _ traits: RegistrationTraits, sharing: SendableType<Value>?,
    _ block: @escaping @Sendable (Invocation) throws -> Value
  ) {
    self.init(traits, sharing: sharing, .sync(block))
  }

  package override func renewed(asNew isNew: Bool = false) -> AnyRegistration {
    var (traits, block) = (traits, block)
    traits.serial = isNew ? nil : serial
    if case .relaying(let relay) = block { block = .relaying(relay.renewed(asNew: isNew)) }
    let renewed = Registration(traits, sharing: sharing, block, completion: completion)
    for mark in [Mark.brought, .leaked] where !isNew && has(mark) { renewed.mark(mark) }
    return renewed
  }

  package override var replaced: AnyRegistration? {
    if case .decorating(let decoration) = block { decoration.replaced } else { nil }
  }

  override var missedStrikes: Int? {
    if case .decorating(let decoration) = block { decoration.missed() } else { nil }
  }

  package override var aliased: AnyKey? {
    if case .relaying(let relay) = block { relay.key } else { nil }
  }

  package override var place: MakingPlace {
    switch block.unwrapped {
    case .mainActor: .mainActor
    case .async: .anywhere
    default: .caller
    }
  }

  override var isShareable: Bool { sharing != nil }

  override var wrapsExisting: Bool {
    if case .existing = block.unwrapped { true } else { false }
  }

  override var effect: (@Sendable () throws -> Void)? {
    if case .decorating(let decoration) = block { decoration.before } else { nil }
  }

  override func existingInstance(at home: Int) -> AnyInstance? {
    guard case .existing(let value) = block else { return nil }
    return instance(of: value(), at: home, held: retention, isMade: false)
  }

  /// True if it returns an existing value, or an object that is held weakly.
  var isOwnedElsewhere: Bool {
    if case .existing = block { return true }
    return retention == .weak && key.name?.scope == nil
  }
}

extension AnyRegistration {
  /// This registration with its static type.
  ///
  /// - Precondition: It is a registration for `Value`.
  final func typed<Value>(as type: Value.Type) -> Registration<Value> {
    // Safety: the value type determines the class. A cast would look up the generic class at run
    // time.
    precondition(valueType == ObjectIdentifier(type))
    let registration = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe Unmanaged.fromOpaque(registration).takeUnretainedValue()
  }
}

package typealias Completion<Value> = @Sendable (inout Value, Resolver) throws -> Void

package enum MakingPlace {
  case caller
  case mainActor
  /// On any actor, while the requester waits.
  case anywhere
}

/// The block of a registration, and where it runs.
package enum Block<Value>: Sendable {
  /// The value already exists, so no user code runs.
  case existing(@Sendable () -> Value)
  /// Runs on the calling thread, without parameters.
  case plain(@Sendable () throws -> Value)
  /// Runs on the calling thread, with only the resolver as its parameter.
  case direct(@Sendable (Resolver) throws -> Value)
  /// Runs on the calling thread.
  case sync(@Sendable (Invocation) throws -> Value)
  /// Runs on the main actor: on the calling thread if that is the main thread, and after a hop
  /// otherwise. The closure asserts the isolation.
  case mainActor(@Sendable (Invocation) throws -> Value)
  /// Runs anywhere, while the caller waits.
  case async(@Sendable @concurrent (Invocation) async throws -> KnownSendable<Value>)
  /// Runs where the block of the shadowed registration runs.
  case decorating(Decoration<Value>)
  /// Runs where the block of the aliased registration runs.
  case relaying(Relay<Value>)
  /// A block whose value is then wrapped.
  case wrapping(Wrapping<Value>)

  var unwrapped: Block { if case .wrapping(let wrapping) = self { wrapping.block } else { self } }

  package func then(_ transform: @escaping @Sendable (Value) throws -> Value) -> Block {
    switch self {
    case .existing(let value): .plain { try transform(value()) }
    case .plain(let block): .plain { try transform(block()) }
    case .direct(let block): .direct { try transform(block($0)) }
    case .sync(let block): .sync { try transform(block($0)) }
    case .mainActor(let block): .mainActor { try transform(block($0)) }
    case .async(let block): .async { KnownSendable(try transform(try await block($0).value)) }
    case .decorating, .relaying, .wrapping: wrapped(in: transform)
    }
  }

  package func wrapped(in wrap: @escaping Wrap<Value>) -> Block {
    switch self {
    case .decorating(let decoration): .decorating(decoration.wrapped(in: wrap))
    case .wrapping(let inner): .wrapping(Wrapping(inner.block, inner.wraps + [wrap]))
    default: .wrapping(Wrapping(self, [wrap]))
    }
  }
}

package typealias Wrap<Value> = @Sendable (Value) throws -> Value

/// A block whose value is wrapped by its own layer.
package final class Wrapping<Value>: Sendable {
  let block: Block<Value>
  /// The wrappers, in the order in which they run.
  let wraps: [Wrap<Value>]

  init(_ block: Block<Value>, _ wraps: [Wrap<Value>]) {
    self.block = block
    self.wraps = wraps
  }
}

/// The contents of a decorator or a fault, which forwards to another registration.
package final class Decoration<Value>: Sendable {
  /// The shadowed registration of the same layer, or `nil` for the answer of the layers below.
  package let replaced: AnyRegistration?
  /// For a fault: runs before the shadowed registration. An error that it throws is the outcome.
  let before: @Sendable () throws -> Void
  /// For a fault: the number of resolutions, if it should have struck one and did not.
  let missed: @Sendable () -> Int?
  /// The wrappers, in the order in which they run.
  let wraps: [Wrap<Value>]

  package init(
    of replaced: AnyRegistration? = nil, before: @escaping @Sendable () throws -> Void = {},
    missed: @escaping @Sendable () -> Int? = { nil }, wraps: [Wrap<Value>] = []
  ) {
    self.replaced = replaced
    self.before = before
    self.missed = missed
    self.wraps = wraps
  }

  func wrapped(in wrap: @escaping Wrap<Value>) -> Decoration {
    Decoration(of: replaced, before: before, missed: missed, wraps: wraps + [wrap])
  }
}

package enum ValueOrigin: Sendable {
  case cached
  /// It was created. The level with this rank stores it, or none if `nil`.
  case created(storedAt: Int?)
}

/// Facts about the request of a relay, besides its value.
package struct RelayedRequest: Sendable {
  var origin = ValueOrigin.cached
  var claims: [Claim] = []
  /// True if it failed because nothing answers, or because a weakly held object is gone.
  var isVacant = false
  /// The level of the registration that has the relay.
  package var level: LevelStore?
}

/// Requests the value of another registration, synchronously or asynchronously.
package final class Relay<Value>: Sendable {
  package typealias Ask = @Sendable (Invocation, inout RelayedRequest) throws -> Value
  package typealias Wait = @Sendable (Invocation, inout RelayedRequest) async throws -> Value

  /// The requested key, or `nil` if it depends on the argument.
  let key: AnyKey?
  let ask: Ask
  let wait: Wait
  private let renew: (@Sendable (_ isNew: Bool) -> Relay?)?

  package init(
    to key: AnyKey?, _ ask: @escaping Ask, waiting wait: @escaping Wait,
    renewing renew: (@Sendable (_ isNew: Bool) -> Relay?)? = nil
  ) {
    self.key = key
    self.ask = ask
    self.wait = wait
    self.renew = renew
  }

  /// The relay of a registration that is reset, or added again as a new one: it has no instances
  /// yet.
  func renewed(asNew isNew: Bool) -> Relay { renew?(isNew) ?? self }
}

func isOneObject<Value>(_ left: Value, _ right: Value) -> Bool {
  type(of: left as Any) is AnyClass && left as AnyObject === right as AnyObject
}
