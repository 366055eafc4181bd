// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension LevelStack {
  /// Claims the answering registration. Under a boundary layer, only that layer and the layers
  /// above it see the claim. Returns `false` if another request claimed it.
  func claim(_ answer: Answer, _ garbage: inout Garbage) -> Bool {
    let level = answer.claimant ?? answer.level
    let isElsewhere =
      answer.claimant != nil || answer.isMember || answer.registration.isDeclaredDefault
    let isLasting = answer.isMember || answer.registration.has(.brought) || level === answer.level
    guard
      level.state.value.claim(
        answer.registration, of: answer.level, isElsewhere: isElsewhere,
        isLasting: isLasting)
    else { return false }
    level.lock.noteChange(&garbage)
    return true
  }
}

extension Claim {
  /// Makes the claim final when the value is handed out.
  package func settle() {
    var disposals = Disposals()
    stack.changing { garbage in
      // A local constant, because the thread sanitizer treats a mutation through `answer` as a
      // mutation of `answer`.
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.noteUsedUp(answer.registration, at: callSite, &garbage)
      if answer.claimant == nil { level.state.value.settle(answer.registration, &garbage) }
      if wasCached { stack.forgetInstances(of: answer, &disposals, &garbage) }
    }
    disposals.send()
  }

  /// Puts the registration back, since there is no value, unless its key was registered anew.
  package func restore() {
    stack.changing { garbage in
      let level = answer.claimant ?? answer.level
      level.lock.noteChange(&garbage)
      level.state.value.unclaim(answer.registration)
    }
  }
}
