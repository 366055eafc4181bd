// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
  /// True for the production default of a declared dependency.
  package var isDeclaredDefault = false
  /// True if it replaces another registration on purpose, so that this is no finding.
  package var isMerged = false
  /// True if the argument chooses the instance, so an equal argument is not ignored.
  package var isKeyedByArgument = false
  /// Whether tests may get the value. `nil` leaves this to the layer, the resolver and the process.
  package var inTests: LiveGuard?
  /// The position in the order of registration, or `nil` for the next one.
  package var serial: Int?
  /// Properties that few registrations have.
  private var additions: RegistrationAdditions?

  package init(key: AnyKey, at callSite: CallSite) {
    self.key = key
    self.callSite = callSite
  }

  init(
    key: AnyKey, lifecycle: Lifecycle, retention: Retention, isLifecycleFixed: Bool, isEager: Bool,
    inTests: LiveGuard?, at callSite: CallSite, with additions: RegistrationAdditions?
  ) {
    self.key = key
    self.lifecycle = lifecycle
    self.retention = retention
    self.isLifecycleFixed = isLifecycleFixed
    self.isEager = isEager
    self.inTests = inTests
    self.callSite = callSite
    self.additions = additions
  }

  package var metadata: any Sendable {
    get { additions?.metadata ?? () }
    set { additions = .of(newValue, argumentType, needs, statedNeeds) }
  }

  package var argumentType: (any Any.Type)? {
    get { additions?.argumentType }
    set { additions = .of(metadata, newValue, needs, statedNeeds) }
  }

  package var needs: [AnyKey] {
    get { additions?.needs ?? [] }
    set { additions = .of(metadata, argumentType, newValue, statedNeeds) }
  }

  package var statedNeeds: [AnyKey] {
    get { additions?.statedNeeds ?? [] }
    set { additions = .of(metadata, argumentType, needs, newValue) }
  }
}

/// Properties that few registrations have. They are behind one reference, so that other
/// registrations are small and cheap to copy.
final class RegistrationAdditions: Sendable {
  let metadata: any Sendable
  let argumentType: (any Any.Type)?
  let needs: [AnyKey]
  let statedNeeds: [AnyKey]

  /// Creates the additions, or returns `nil` if there are none.
  static func of(
    _ metadata: borrowing any Sendable, _ argumentType: (any Any.Type)?, _ needs: [AnyKey],
    _ statedNeeds: [AnyKey] = []
  ) -> RegistrationAdditions? {
    guard
      type(of: metadata) != Void.self || argumentType != nil || !needs.hasNone
        || !statedNeeds.hasNone
    else { return nil }
    return RegistrationAdditions(copy metadata, argumentType, needs, statedNeeds)
  }

  /// Adds stated dependencies to some additions.
  static func adding(
    stated statedNeeds: [AnyKey], to others: RegistrationAdditions?
  ) -> RegistrationAdditions? {
    statedNeeds.hasNone
      ? others : .of(others?.metadata ?? (), others?.argumentType, others?.needs ?? [], statedNeeds)
  }

  private init(
    _ metadata: any Sendable, _ argumentType: (any Any.Type)?, _ needs: [AnyKey],
    _ statedNeeds: [AnyKey]
  ) {
    self.metadata = metadata
    self.argumentType = argumentType
    self.needs = needs
    self.statedNeeds = statedNeeds
  }
}
