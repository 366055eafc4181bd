// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A registration that was claimed for a value which is not handed out yet.
struct Claimed: PendingClaim {
  let answer: Answer
  /// The innermost layer that who asked sees.
  let top: OverrideLayer?
  /// True if an instance is kept for it, which goes with it.
  let wasKept: Bool

  /// Makes the claim final: the value is handed out.
  func settle(in resolver: Resolver) {
    answer.settle(in: resolver)
    if wasKept { answer.forgetInstances(in: resolver, under: top) }
  }

  /// Puts the registration back: there is no value.
  func restore(in resolver: Resolver) { answer.restore(in: resolver) }
}

extension Resolver {
  /// Makes a value of several parts: what was claimed for those is gone if it is made, and put back if not (L1).
  func claiming<Whole>(
    _ body: (inout [Claimed]) throws(ResolutionError) -> Whole
  ) throws(ResolutionError) -> Whole {
    var claimed: [Claimed] = []
    do throws(ResolutionError) {
      let whole = try body(&claimed)
      for claim in claimed { claim.settle(in: self) }
      return whole
    } catch {
      for claim in claimed { claim.restore(in: self) }
      throw error
    }
  }
}

/// What is claimed on the way to a value is gone when that is handed out, and put back if it cannot be (L1): a
/// decorator may fail with what it got, and an array with one of its elements.
extension Resolution {
  /// Says that what answers was claimed for the value.
  func settle(_ answer: Answer, wasKept: Bool = false) {
    let claim = Claimed(answer: answer, top: top, wasKept: wasKept)
    if isPart { claimed.append(claim) } else { claim.settle(in: resolver) }
  }

  /// Makes claims final, or leaves them to whoever this is a part for.
  func settle(_ claims: [Claimed]) {
    if isPart { claimed += claims } else { for claim in claims { claim.settle(in: resolver) } }
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
    for claim in claims { claim.restore(in: resolver) }
  }
}
