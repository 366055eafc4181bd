// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Claim {
  /// Makes the claim final when the value is handed out.
  package func settle() {
    stack.changing { garbage in
      // A local constant, because the thread sanitizer treats a mutation through `answer` as a
      // mutation of `answer`.
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.noteUsedUp(answer.registration, at: callSite, &garbage)
      if answer.claimant == nil { level.state.value.settle(answer.registration, &garbage) }
      if wasCached { stack.forgetInstances(of: answer, &garbage) }
    }
  }

  /// Puts the registration back, since there is no value, unless its key was registered anew.
  package func restore() {
    stack.changing { garbage in
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.restore(answer.registration, of: answer.level)
    }
  }
}
