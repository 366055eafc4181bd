// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What few registrations have: behind one reference, so that the others are small, and quickly copied.
final class RegistrationAdditions: Sendable {
  let metadata: any Sendable
  let argumentType: (any Any.Type)?
  let needs: [AnyKey]
  let statedNeeds: [AnyKey]

  /// Those that there are; `nil` if there are none.
  static func of(
    _ metadata: borrowing any Sendable, _ argumentType: (any Any.Type)?, _ needs: [AnyKey],
    _ statedNeeds: [AnyKey] = []
  ) -> RegistrationAdditions? {
    guard
      type(of: metadata) != Void.self || argumentType != nil || !needs.isEmpty
        || !statedNeeds.isEmpty
    else { return nil }
    return RegistrationAdditions(copy metadata, argumentType, needs, statedNeeds)
  }

  /// Some, with what was said to be asked for besides.
  static func adding(
    stated statedNeeds: [AnyKey], to others: RegistrationAdditions?
  ) -> RegistrationAdditions? {
    statedNeeds.isEmpty
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
