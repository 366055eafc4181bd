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
  /// True for the production default of a declared dependency. It is in no slot, and cannot go.
  package var isDeclaredDefault = false
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
