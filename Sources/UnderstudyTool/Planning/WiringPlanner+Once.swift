// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension WiringPlanner {
  /// Warns about a `once` component that several components need, since only the first gets it.
  ///
  /// This is not an error, because not all of them have to be requested.
  mutating func warnOfOnce() {
    for position in plan.registrations.indices {
      let component = plan.registrations[position].component
      guard component.lifecycle == .once else { continue }
      let takers = plan.own.flatMap { registration in
        (registration.sources + registration.later)
          .filter { $0.providers.contains(position) }
          .map { _ in registration.component.title }
      }
      guard takers.count > 1 else { continue }
      plan.diagnostics.append(
        Diagnostic(
          severity: .warning, place: component.place,
          message:
            "`\(component.title)` is registered once, and \(takers.count) components need it:"
            + " the second request finds nothing. (\(takers.joined(separator: ", ")))"))
    }
  }
}
