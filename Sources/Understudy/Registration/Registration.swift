// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How to make a `Value`.
///
/// Safety of `@unchecked Sendable`: as for `AnyRegistration`, every stored property is immutable and
/// `Sendable`. Nothing else makes an `AnyRegistration`, and each is made with the type of its values; so what has that
/// type is of this class. What is published is a `Value`, and one that is `Sendable`: nobody else publishes, or ends what is
/// published, and that is opened only where there is a `Sharing`.
@usableFromInline
package final class Registration<Value>: AnyRegistration, @unchecked Sendable {
  package let block: Block<Value>
  // The block once more, if a resolution that nobody watches may just call it: nothing is kept of it, and it takes
  // nothing, or nothing but the resolver.
  @usableFromInline let plain: (@Sendable () throws -> Value)?
  @usableFromInline let direct: (@Sendable (Resolver) throws -> Value)?
  /// How values are kept, or `nil` if they are handed to one caller each and never kept.
  package let sharing: Sharing<Value>?

  package init(
    _ traits: consuming RegistrationTraits, sharing: Sharing<Value>?, _ block: Block<Value>
  ) {
    self.block = block
    self.sharing = sharing
    switch (traits.lifecycle, block) {
    case (.notCached, .existing(let value)): (plain, direct) = (value, nil)
    case (.notCached, .plain(let block)): (plain, direct) = (block, nil)
    case (.notCached, .direct(let block)): (plain, direct) = (nil, block)
    default: (plain, direct) = (nil, nil)
    }
    // Only what is registered as cached, is held, and is not in a layer, is ever published.
    let mayBePublished =
      sharing != nil && traits.lifecycle == .cached && traits.retention == .strong
      && traits.isPublished
    unsafe super.init(
      traits, of: ObjectIdentifier(Value.self), mayBePublished: mayBePublished,
      isDirect: plain != nil || direct != nil)
  }

  deinit { unsafe publication.end(Value.self) }

  /// The same registration, as one of this type; checked. A cast would look up the type, which takes longer than
  /// comparing what the registration was made with.
  @inline(__always)
  package static func typed(_ registration: AnyRegistration) -> Registration {
    unsafe AnyRegistration.unmanaged(.passUnretained(registration), of: Value.self)
      .takeUnretainedValue()
  }

  package override func renewed() -> AnyRegistration {
    var traits = traits
    traits.serial = serial
    let renewed = Registration(traits, sharing: sharing, block)
    if isBrought { renewed.markBrought() }
    return renewed
  }

  package override var replaced: AnyRegistration? {
    if case .decorating(let decoration) = block { decoration.replaced } else { nil }
  }

  package override var strikes: FaultStrikes? {
    if case .decorating(let decoration) = block { decoration.strikes } else { nil }
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

  /// What the block makes.
  ///
  /// - Precondition: It may just be called.
  @inlinable @inline(__always)
  func directValue(_ resolver: Resolver) throws -> Value {
    // Not unwrapped by a pattern, for which the block would be retained.
    switch plain {
    case nil: try direct!(resolver)
    default: try plain!()
    }
  }

  override var isExisting: Bool {
    if case .existing = block { retention == .strong } else { false }
  }

  override func existingInstance(_ provenance: Provenance) -> AnyInstance? {
    guard case .existing(let existing) = block, let sharing else { return nil }
    return sharing.instance(existing(), provenance, isMade: false)
  }

  /// What wraps that which the block makes and another completes later.
  var wraps: [Wrap<Value>] {
    if case .wrapping(let wrapping) = block { wrapping.wraps } else { [] }
  }

  /// True if it hands out what somebody else has made: a value, or an object that is held weakly.
  var isOfOthers: Bool {
    if case .existing = block { return true }
    return retention == .weak && key.name?.scope == nil
  }

  /// Production's instance, if it is to be read without a lock.
  package var published: Value? {
    unsafe publication.value(Value.self)
  }

  /// Has production's instance read without a lock, if that may be.
  package func publish(_ value: Value) { unsafe publication.publish(value) }

  package convenience init(
    _ traits: RegistrationTraits, sharing: Sharing<Value>?,
    _ block: @escaping @Sendable (Invocation) throws -> Value
  ) {
    self.init(traits, sharing: sharing, .sync(block))
  }
}

/// Where a value is made.
package enum MakingPlace {
  /// On the thread that asks.
  case caller
  case mainActor
  /// Where it likes: whoever asks waits.
  case anywhere
}

/// The block of a registration, and where it runs.
package enum Block<Value>: Sendable {
  /// Nowhere: the value exists already, and nothing of a user's runs.
  case existing(@Sendable () -> Value)
  /// On the calling thread; takes nothing.
  case plain(@Sendable () throws -> Value)
  /// On the calling thread; takes nothing but the resolver.
  case direct(@Sendable (Resolver) throws -> Value)
  /// On the calling thread.
  case sync(@Sendable (Invocation) throws -> Value)
  /// On the main actor, which the closure asserts: on the calling thread if that is the main one, after
  /// a hop otherwise.
  case mainActor(@Sendable (Invocation) throws -> Value)
  /// Where it likes; the caller waits.
  case async(@Sendable @concurrent (Invocation) async throws -> KnownSendable<Value>)
  /// Wherever what it stands before is made.
  case decorating(Decoration<Value>)
  /// Wherever the registration that it stands for makes it.
  case relaying(Relay<Value>)
  /// Where a block runs whose value is wrapped then.
  case wrapping(Wrapping<Value>)

  /// What makes the value that is wrapped, if one is.
  var unwrapped: Block { if case .wrapping(let wrapping) = self { wrapping.block } else { self } }

  /// This block, and then a look at what it makes.
  package func then(_ look: @escaping @Sendable (Value) throws -> Value) -> Block {
    switch self {
    case .existing(let value): .plain { try look(value()) }
    case .plain(let block): .plain { try look(block()) }
    case .direct(let block): .direct { try look(block($0)) }
    case .sync(let block): .sync { try look(block($0)) }
    case .mainActor(let block): .mainActor { try look(block($0)) }
    case .async(let block): .async { KnownSendable(try look(try await block($0).value)) }
    case .decorating, .relaying, .wrapping: wrapped(in: look)
    }
  }

  /// This block, and then a wrapper around what it makes.
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
///
/// A class, so that the blocks of all registrations stay small.
package final class Wrapping<Value>: Sendable {
  let block: Block<Value>
  /// Run on what that makes, in this order.
  let wraps: [Wrap<Value>]

  init(_ block: Block<Value>, _ wraps: [Wrap<Value>]) {
    self.block = block
    self.wraps = wraps
  }
}

/// What stands before the answer of somebody else.
///
/// A class, so that the blocks of all registrations stay small.
package final class Decoration<Value>: Sendable {
  /// The registration of the same layer that it stands before; `nil` for what lies below.
  let replaced: AnyRegistration?
  /// Of a fault: runs before that is asked; what it throws comes instead.
  let before: @Sendable () throws -> Void
  /// Of a fault: which resolutions it was to hit, and whether it did.
  let strikes: FaultStrikes?
  /// Run on what that answers, in this order.
  let wraps: [Wrap<Value>]

  init(
    of replaced: AnyRegistration? = nil, before: @escaping @Sendable () throws -> Void = {},
    strikes: FaultStrikes? = nil, wraps: [Wrap<Value>] = []
  ) {
    self.replaced = replaced
    self.before = before
    self.strikes = strikes
    self.wraps = wraps
  }

  func wrapped(in wrap: @escaping Wrap<Value>) -> Decoration {
    Decoration(of: replaced, before: before, strikes: strikes, wraps: wraps + [wrap])
  }
}

/// How values of a type that is `Sendable` are kept and shared between threads.
///
/// One exists only for such a type: its initialiser asks for it.
package struct Sharing<Value>: Sendable {
  /// `nil` for a decorator, which keeps each value as what it wraps is kept at that time.
  private let retention: Retention?
  private let type: SendableType<Value>

  package init(_ retention: Retention?) where Value: Sendable {
    self.retention = retention
    type = SendableType()
  }

  /// The instance that keeps a value; a decorator's, as what it wraps is kept.
  package func instance(
    _ value: Value, _ provenance: Provenance, asBelow below: Retention = .strong,
    isMade: Bool = true
  ) -> AnyInstance {
    switch retention ?? below {
    case .strong: Instance(value, type, provenance, isMade: isMade)
    case .weak: WeakInstance(value, type, provenance, isMade: isMade)
    }
  }

  /// The value that an instance keeps, or `nil` if it was released meanwhile.
  package func value(_ instance: AnyInstance) -> Value? {
    switch retention ?? instance.retention {
    case .strong:
      unsafe AnyInstance.unmanaged(.passUnretained(instance), of: Value.self)
        ._withUnsafeGuaranteedRef {
          $0.value
        }
    case .weak: (instance as! WeakInstance<Value>).value
    }
  }
}
