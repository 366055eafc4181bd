// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A registration that was claimed for a value which is not handed out yet.
struct Claimed: Sendable {
  let answer: Answer
  /// True if an instance is kept for it, which goes with it.
  let wasKept: Bool
}

/// What is claimed on the way to a value is gone when that is handed out, and put back if it cannot be (L1): a
/// decorator may fail with what it got, and an array with one of its elements.
extension Resolution {
  /// Says that what answers was claimed for the value.
  func settle(_ answer: Answer, wasKept: Bool = false) {
    let claim = Claimed(answer: answer, wasKept: wasKept)
    if isPart { claimed.append(claim) } else { settle(claim) }
  }

  /// Makes claims final, or leaves them to whoever this is a part for.
  func settle(_ claims: [Claimed]) {
    if isPart { claimed += claims } else { claims.forEach(settle) }
  }

  /// Takes over what was claimed for a part of the value.
  func takeClaims<Part>(of part: Resolution<Part>) {
    if !part.claimed.isEmpty { claimed += part.claimed }
  }

  /// Makes what was claimed for parts final, the value being there.
  func settleClaims() {
    if isPart || claimed.isEmpty { return }
    settle(claimed)
    claimed = []
  }

  /// Puts back what was claimed for parts, there being no value.
  func putBackClaims() {
    if claimed.isEmpty { return }
    putBack(claimed)
    claimed = []
  }

  func putBack(_ claims: [Claimed]) {
    for claim in claims { claim.answer.restore(in: resolver) }
  }

  private func settle(_ claim: Claimed) {
    claim.answer.settle(in: resolver)
    if claim.wasKept { forget(claim.answer) }
  }
}
