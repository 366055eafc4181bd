// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  /// Claims the registration of an answer. Returns `false` if another request claimed it.
  func claim(_ answer: Answer, wasCached: Bool = false, _ garbage: inout Garbage) -> Bool {
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
    claims.append(
      Claim(answer: answer, stack: levels, callSite: request.callSite, wasCached: wasCached))
    return true
  }
}
