// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registration that answers a request, and the level that has it.
package struct Answer: Sendable {
  package let registration: AnyRegistration
  package let level: LevelStore
  /// True if a layer answers.
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

/// A claimed registration whose value is not handed out yet.
package struct Claim: PendingClaim {
  let answer: Answer
  let stack: LevelStack
  /// Where the value was requested.
  let callSite: CallSite
  /// True if the registration has a stored instance, which is forgotten with it.
  var wasCached = false

  /// Makes the claim final when the value is handed out.
  package func settle() {
    stack.changing { garbage in
      // A local constant, because the thread sanitizer treats a mutation through `answer` as a
      // mutation of `answer`.
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.noteUsedUp(answer.registration, at: callSite)
      if answer.claimant == nil { level.state.value.settle(answer.registration, &garbage) }
      if wasCached { stack.forgetInstances(of: answer, &garbage) }
    }
  }

  /// Puts the registration back, since there is no value, unless its key was registered anew.
  package func restore() {
    stack.changing { garbage in
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.restore(answer.registration)
    }
  }
}
