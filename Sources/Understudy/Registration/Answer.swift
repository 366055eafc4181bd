// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registration that answers a request, and the level that has it.
package struct Answer: Sendable {
  package let registration: AnyRegistration
  package let level: LevelStore
  /// True if a layer answers. A debug build reads this often.
  package let isOfLayer: Bool
  /// The level that stores a claim instead of the registration's own level: a boundary between the
  /// caller and the registration. So no test takes anything from production or from another test.
  let claimant: LevelStore?
  /// True if the registration is requested at its own place, even if another one shadows it.
  let isMember: Bool

  init(
    registration: AnyRegistration, level: LevelStore, claimant: LevelStore? = nil,
    isMember: Bool = false
  ) {
    self.registration = registration
    self.level = level
    self.claimant = claimant
    self.isMember = isMember
    isOfLayer = level.isOfLayer
  }
}

/// A claimed registration whose value is not handed out yet. It is put back if the value cannot be.
package struct Claim: Sendable {
  let answer: Answer
  let stack: LevelStack
  let callSite: CallSite
  /// True if the registration has a stored instance, which is forgotten with it.
  var wasCached = false
}
