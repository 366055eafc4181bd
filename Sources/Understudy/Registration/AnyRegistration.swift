// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// How to make what a key asks for, whatever its type: the key, the lifecycle, where it was declared.
///
/// Safety of `@unchecked Sendable`: every stored property is immutable and `Sendable`, and `publication` says what
/// guards the memory that it has. The compiler cannot check it because the class has a subclass, which is `final` and
/// in this module.
public class AnyRegistration: @unchecked Sendable, CustomStringConvertible {
  private let made: RegistrationTraits
  /// The key of those, without a reference counted.
  final let unretainedKey: AnyKey.Unretained
  /// The order of registering, over the whole process.
  package let serial: Int
  /// Production's instance, read without a lock. `Registration` writes it.
  final let publication: Publication
  /// True if production's instance may be read without a lock.
  package final let mayBePublished: Bool
  /// The type of value that it makes, which vouches for that of the registration.
  @usableFromInline final let valueType: ObjectIdentifier
  /// True if a resolution that nobody watches may just call the block. Not asked of the blocks: a debug build would
  /// copy them for that.
  @usableFromInline final let isDirect: Bool

  private let used = Atomic<Bool>(false)
  private let adding = Atomic<Bool>(false)
  private let retired = Atomic<Bool>(false)
  private let claimedBehind = Atomic<Bool>(false)
  private let spent = Atomic<Bool>(false)
  private let brought = Atomic<Bool>(false)

  private static let nextSerial = Atomic<Int>(0)

  /// Of a subclass that makes values of this type, which is believed.
  @unsafe
  package init(
    _ traits: consuming RegistrationTraits, of valueType: ObjectIdentifier,
    mayBePublished: Bool, isDirect: Bool
  ) {
    self.valueType = valueType
    self.isDirect = isDirect
    self.mayBePublished = mayBePublished
    publication = Publication(isOpen: mayBePublished)
    serial = traits.serial ?? AnyRegistration.nextSerial.add(1, ordering: .relaxed).newValue
    unretainedKey = AnyKey.Unretained(traits.key)
    made = traits
  }

  /// What this registration answers.
  public final var key: AnyKey { made.key }
  /// How often it makes its value.
  public final var lifecycle: Lifecycle { made.lifecycle }
  /// How its cached instance is held.
  public final var retention: Retention { made.retention }
  /// What was attached to it; `()` if nothing was.
  public final var metadata: any Sendable { made.metadata }
  /// Where it was made.
  public final var callSite: CallSite { made.callSite }
  /// The type of argument that its block takes, or `nil`.
  public final var argumentType: (any Any.Type)? { made.argumentType }

  /// What its block is known to ask for, before it runs: the parameters of what is autowired.
  public final var needs: [AnyKey] { made.needs }
  /// What its block was said to ask for, with `needing(_:)`.
  public final var statedNeeds: [AnyKey] { made.statedNeeds }
  /// True if its instance is made when its assembly is loaded.
  public final var isEager: Bool { made.isEager }

  /// True if the registration's form fixes its lifecycle (L3).
  package final var isLifecycleFixed: Bool { made.isLifecycleFixed }
  /// True if it stands before what would have answered without it (O7).
  package final var isDecoration: Bool { made.isDecoration }
  /// True if it makes nothing: it fails, or leaves the question to what it stands before.
  package final var isFault: Bool { made.isFault }
  /// The registration of its layer that it stands before, if it does before one.
  package var replaced: AnyRegistration? { nil }
  /// True if it stands before another registration of its layer, perhaps with others between the two.
  package final func stands(before other: AnyRegistration) -> Bool {
    guard let replaced else { return false }
    return replaced === other || replaced.stands(before: other)
  }
  /// Which resolutions it was to hit, if it is a fault.
  package var strikes: FaultStrikes? { nil }
  /// What it stands for, if it is an alias.
  package var aliased: AnyKey? { nil }
  /// Where its value is made.
  package var place: MakingPlace { .caller }
  /// True if what it keeps exists already: nothing is made, and nothing else has a part in it.
  var isExisting: Bool { false }

  /// What keeps the value that exists already; `nil` if none does.
  func existingInstance(_ provenance: Provenance) -> AnyInstance? { nil }

  /// True if an argument is nothing to it, nor to what it asks with that.
  package final var ignoresArguments: Bool {
    argumentType == nil && !isDecoration && aliased == nil
  }
  /// True if using it is a violation (O8).
  package final var isUnimplemented: Bool { made.isUnimplemented }
  /// True if it was made with what it replaces in mind: that it replaces something is no finding.
  package final var isMerged: Bool { made.isMerged }
  /// True if its values are completed after they are made.
  package final var isCompletedLater: Bool { made.isCompletedLater }

  /// Everything that this registration was made with, for another one.
  package final var traits: RegistrationTraits {
    var traits = made
    traits.serial = nil
    return traits
  }

  /// The same registration with nothing cached, in the same place of the order.
  package func renewed() -> AnyRegistration { self }

  /// Makes its instance be looked for where it is kept, and no longer where it is read without a lock.
  package final func retirePublished() { publication.retire() }

  /// True if it ever answered.
  package var wasUsed: Bool { used.load(ordering: .relaxed) }

  /// True if it ever answered a question that needs no registration of its key: a declared dependency, or one that may
  /// go without an answer.
  package var hasAdded: Bool { adding.load(ordering: .relaxed) }

  package func markAdding() {
    if !hasAdded { adding.store(true, ordering: .relaxed) }
  }

  /// True while nobody can ask for it: claimed, unregistered, or replaced.
  package var isRetired: Bool { retired.load(ordering: .acquiring) }

  package func setRetired(_ isRetired: Bool) {
    retired.store(isRetired, ordering: .releasing)
  }

  /// True while the block of whoever claimed it runs, though it stands behind another: where it comes to answer
  /// meanwhile, nobody sees it. Changed under the lock of its key.
  package var isClaimedBehind: Bool { claimedBehind.load(ordering: .relaxed) }

  package func setClaimedBehind(_ isClaimed: Bool) {
    claimedBehind.store(isClaimed, ordering: .relaxed)
  }

  /// True once it was resolved as one that is used once: an assembly does not bring it back.
  package var isSpent: Bool { spent.load(ordering: .acquiring) }

  package func setSpent(_ isSpent: Bool) { spent.store(isSpent, ordering: .releasing) }

  /// True if an assembly that was loaded brought it, and nobody registered it by hand.
  package var isBrought: Bool { brought.load(ordering: .relaxed) }

  package func markBrought() { brought.store(true, ordering: .relaxed) }

  package func markUsed() {
    if !wasUsed { used.store(true, ordering: .relaxed) }
  }

  /// True if a resolution that nobody watches may just call the block. What is asked for once is claimed first.
  @inlinable @inline(__always)
  final func mayBeCalled(_ lifecycle: Lifecycle) -> Bool {
    if case .once = lifecycle { false } else { isDirect }
  }

  /// The same reference, as one to a registration of a value's type; checked. (Were this a function of that type, a
  /// debug build would look it up.)
  @inlinable @inline(__always)
  package static func unmanaged<Value>(
    _ registration: Unmanaged<AnyRegistration>, of type: Value.Type
  ) -> Unmanaged<Registration<Value>> {
    unsafe precondition(
      registration._withUnsafeGuaranteedRef { $0.valueType } == ObjectIdentifier(type))
    return unsafe .fromOpaque(registration.toOpaque())
  }

  /// `'any Mailer', cached, registered at Shop/Main.swift:12`
  public var description: String { "\(key), \(lifecycle), registered at \(callSite)" }
}
