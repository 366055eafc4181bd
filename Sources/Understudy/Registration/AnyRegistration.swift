// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Safety of `@unchecked Sendable`: every stored property is a constant and `Sendable`, and `word`
// changes by atomic operations only. The compiler cannot check it because the class has a subclass,
// which is `final` and in this module.
/// A registration of any type: the key, the lifecycle, and the place of the registration.
public class AnyRegistration: @unchecked Sendable, CustomStringConvertible {
  // The first stored property: `has` and `mark` look for it there.
  private let word = AtomicWord()
  /// The properties of this registration. Another one that is made from them gets a `serial` of its
  /// own.
  package final let traits: RegistrationTraits
  /// The order of registering, over the whole process.
  package let serial: Int
  /// Unique in the process, even if a later registration gets the same address.
  package let id: Int
  final let valueType: ObjectIdentifier

  /// True if it hands out a strongly held value that exists already.
  package final let isExisting: Bool
  /// True if a block that takes at most the resolver creates each value anew.
  final let isDirect: Bool
  package final let isAlias: Bool
  /// True if it hands out its block's value unchanged, or a strongly held instance of it.
  final let isPlain: Bool

  init(
    _ traits: consuming RegistrationTraits, of valueType: ObjectIdentifier, isExisting: Bool,
    isDirect: Bool, isAlias: Bool
  ) {
    self.valueType = valueType
    self.isExisting = isExisting
    self.isDirect = isDirect
    self.isAlias = isAlias
    isPlain =
      !traits.isDecoration && !traits.isUnimplemented && !isAlias && traits.retention == .strong
    id = AtomicInt.lastRegistration.next()
    serial = traits.serial ?? id
    traits.serial = nil
    self.traits = traits
  }

  /// The key that it answers.
  public final var key: AnyKey { traits.key }
  /// How often it creates its value.
  public final var lifecycle: Lifecycle { traits.lifecycle }
  /// How its cached instance is held.
  package final var retention: Retention { traits.retention }
  /// The attached metadata, or `()` if there is none.
  public final var metadata: any Sendable { traits.metadata }
  /// Where it was registered.
  public final var callSite: CallSite { traits.callSite }
  package final var argumentType: (any Any.Type)? { traits.argumentType }

  /// The keys that its block is known to resolve before it runs: the parameters of `autowiring:`.
  package final var needs: [AnyKey] { traits.needs }
  /// True if its instance is created when its assembly is loaded.
  public final var isEager: Bool { traits.isEager }

  /// Whether production may answer in tests. `nil` leaves it to the resolver and the process.
  package final var inTests: LiveGuard? { traits.inTests }

  /// True for a decorator or a fault: it forwards the request to the registration that it shadows.
  package final var isDecoration: Bool { traits.isDecoration }
  /// True for a fault: it throws, or forwards the request to the registration that it shadows.
  package final var isFault: Bool { traits.isFault }
  final var isDeclaredDefault: Bool { traits.isDeclaredDefault }
  // In a debug build, a block's caller would reserve stack space for all traits.
  package final var isCompletedLater: Bool { traits.isCompletedLater }

  /// The registration of the same layer that it shadows, if it shadows one.
  package var replaced: AnyRegistration? { nil }
  /// The number of resolutions, if it is a fault that should have struck one and did not.
  var missedStrikes: Int? { nil }
  /// The key that an alias stands for; `nil` if it is no alias, or its argument chooses the key.
  package var aliased: AnyKey? { nil }
  package var place: MakingPlace { .caller }
  /// True if its values may be stored: their type is known to be `Sendable`.
  var isShareable: Bool { false }
  /// True if the value that its decorators wrap existed before.
  var wrapsExisting: Bool { false }
  var effect: (@Sendable () throws -> Void)? { nil }

  /// The instance of a value that existed before the registration.
  func existingInstance(at home: Int) -> AnyInstance? { nil }

  /// True if this registration shadows another one of its layer, perhaps with others between the
  /// two.
  package final func shadows(_ other: AnyRegistration) -> Bool {
    guard let replaced else { return false }
    return replaced === other || replaced.shadows(other)
  }

  /// True if it needs no answer of the levels below: it decorates nothing, or an override of its
  /// own layer.
  final var answersAlone: Bool { !isDecoration || replaced?.answersAlone ?? false }

  /// True if it takes no argument, and forwards to no registration that may take one.
  package final var ignoresArguments: Bool { argumentType == nil && !isDecoration && !isAlias }

  /// The same registration without a cached instance, in the same place of the order.
  ///
  /// - Parameter isNew: True for a new registration, which no resolver or layer has had.
  package func renewed(asNew isNew: Bool = false) -> AnyRegistration { self }

  /// What happened to a registration. A mark stays.
  package enum Mark: Int {
    /// It answered a request.
    case used = 0b0001
    /// It answered a request that proves that the key is no mistake: for a declared dependency,
    /// `T?`, an element of `[T]`, or a key that a child resolver registers.
    case answeredKnownKey = 0b0010
    /// A loaded assembly registered it.
    case brought = 0b0100
    /// A test added it to `Resolver.main`. Its removal is no finding.
    case leaked = 0b1000
    /// It was added to a resolver or a layer.
    case listed = 0b1_0000
    /// A test took its override back. That it was not used is no finding.
    case withdrawn = 0b10_0000
    /// It is an override of a suite. A test of the suite need not use it.
    case shared = 0b100_0000
    /// A request used it up at its own level.
    case usedUp = 0b1000_0000
    /// It was reported as an override that came too late. That it was not used is no other finding.
    case late = 0b1_0000_0000
  }

  package final func has(_ mark: Mark) -> Bool {
    AtomicInt(in: self).relaxedValue & mark.rawValue != 0
  }

  package final func mark(_ mark: Mark) {
    if !has(mark) { AtomicInt(in: self).bitwiseOr(mark.rawValue) }
  }

  /// `'any Mailer', cached, registered at Shop/Main.swift:12`
  public var description: String { "\(key), \(lifecycle), registered at \(callSite)" }
}

/// The properties that all registrations have, whatever their type.
package struct RegistrationTraits: Sendable {
  package var key: AnyKey
  package var lifecycle: Lifecycle = .notCached
  package var retention: Retention = .strong
  package var callSite: CallSite
  package var isLifecycleFixed = false
  package var isDecoration = false
  package var isFault = false
  package var isUnimplemented = false
  package var isEager = false
  package var isCompletedLater = false
  /// True for the production default of a declared dependency. No level lists it or removes it.
  package var isDeclaredDefault = false
  /// The level that answers for a registration that no level lists, such as the instance of one
  /// argument. By default it is the outermost resolver.
  package var owner: WeakReference<LevelStore>?
  /// True if it replaces another registration on purpose, so that this is no finding.
  package var isMerged = false
  /// True if the argument chooses the instance, so an equal argument is not ignored.
  package var isKeyedByArgument = false
  /// Whether tests may get the value. `nil` leaves this to the layer, the resolver and the process.
  package var inTests: LiveGuard?
  /// The position in the order of registration, or `nil` for the next one.
  package var serial: Int?
  package var metadata: any Sendable = ()
  /// The type of argument that the block takes, or `nil`.
  package var argumentType: (any Any.Type)?
  /// The keys of the dependencies that the form of the registration knows.
  package var needs: [AnyKey] = []
  /// The keys that were stated with `needing(_:)`.
  package var statedNeeds: [AnyKey] = []

  package init(key: AnyKey, at callSite: CallSite) {
    self.key = key
    self.callSite = callSite
  }

  /// - Parameter usual: The lifecycle if neither the registration nor the registrar gives another.
  init(
    _ type: any Any.Type, on defaults: RegistrationDefaults,
    named name: borrowing (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: borrowing (any Hashable & Sendable)?, lifecycle: Lifecycle? = nil,
    usually usual: Lifecycle = .notCached, retention: Retention = .strong, isFixed: Bool = false,
    metadata: borrowing any Sendable, inTests: LiveGuard? = nil,
    takes argumentType: (any Any.Type)? = nil, needs: [AnyKey] = [], at callSite: CallSite
  ) {
    key = AnyKey(
      type: type, name: KeyName.made(of: name, scope: scope, qualifier: qualifier),
      container: KeyName.made(of: container) ?? defaults.containerName)
    // An instance in a scope is shared for as long as the program holds it.
    self.lifecycle = scope == nil ? lifecycle ?? defaults.lifecycle ?? usual : .cached
    self.retention = scope == nil ? retention : .weak
    isLifecycleFixed = isFixed || scope != nil
    isEager = defaults.isEager
    self.inTests = inTests
    self.callSite = callSite
    self.metadata = copy metadata
    self.argumentType = argumentType
    self.needs = needs
    statedNeeds = defaults.needs
  }
}
