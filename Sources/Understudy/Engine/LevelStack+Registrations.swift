// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// All registrations that a search sees: for the elements of an array, and for the keys that an
// error proposes. The functions run while the levels of the stack are locked.

extension LevelStack {
  /// The registrations of all levels, in the order of registration.
  func registrations(from start: LevelStore?) -> [AnyRegistration] {
    unorderedRegistrations(from: start).ordered { $0.serial }
  }

  func unorderedRegistrations(from start: LevelStore?) -> [AnyRegistration] {
    var all: [AnyRegistration] = []
    var next: LevelStore? = start ?? production
    while let level = next {
      if !level.isOfLayer || isOverridden(by: level) { all += level.state.value.visible }
      next = self.level(below: level)
    }
    return all
  }
}
