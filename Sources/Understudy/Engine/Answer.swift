// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registration that answers a request, and the level that has it.
package struct Answer: Sendable {
  package let registration: AnyRegistration
  package let level: LevelStore
  /// True if a layer answers.
  package let isOfLayer: Bool
  /// The level that notes a claim instead of the registration's own: a boundary that lies between
  /// the caller and the registration, so that no test takes anything from production or from
  /// another test.
  let claimant: LevelStore?
  /// True if the registration is asked wherever it stands, also while another one shadows it.
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
  /// True if an instance is stored for the registration, which goes with it.
  var wasCached = false

  /// Makes the claim final: the value is handed out.
  package func settle() {
    stack.changing { garbage in
      // In a constant: the thread sanitizer takes a change through `answer` for one of its parts.
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
