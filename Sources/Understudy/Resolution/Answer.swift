// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The registration that answers a key for a stack of layers.
struct Answer {
  let registration: AnyRegistration
  /// The layer that has the registration; `nil` if production does.
  let layer: OverrideLayer?

  var level: Int { layer?.level ?? 0 }

  /// The boundary that lies between the asker and the registration: a claim under it is a claim for
  /// those above it alone, so that no test takes anything from production or another test.
  let boundary: OverrideLayer?
  /// True if it is asked wherever it stands, and may be used up behind another registration.
  var isMember = false

  /// Lets go of the instances of a registration that nobody can ask for any more, or nobody above a
  /// boundary: those below it keep theirs. None lies below the registration.
  func forgetInstances(in resolver: Resolver, under top: OverrideLayer?) {
    let lowest = max(registration.isRetired ? 0 : boundary?.level ?? 0, level)
    if lowest == 0 { resolver.store.forget(registration) }
    for layer in top.map({ Array($0.stack) }) ?? [] where layer.level >= lowest {
      layer.store.forget(registration)
    }
  }

  /// Takes the registration out if it is still there; of many callers exactly one gets `true` (L1).
  func claim(in resolver: Resolver) -> Bool {
    guard let boundary else {
      return store(resolver).claim(registration, behindOthers: isMember)
    }
    return boundary.store.claimBelow(registration)
  }

  /// Puts back what `claim` took out, unless the key was registered anew meanwhile (L1).
  func restore(in resolver: Resolver) {
    guard let boundary else { return store(resolver).restore(registration) }
    boundary.store.restoreBelow(registration)
  }

  /// Says that a claim is final.
  func settle(in resolver: Resolver) {
    if boundary == nil { store(resolver).settle(registration) }
  }

  /// False if nobody can ask for the registration any more, or nobody above a boundary.
  func isCurrent(under boundary: OverrideLayer?) -> Bool {
    !registration.isRetired && !boundary.hasClaimed(registration, of: level)
  }

  /// Who keeps the value of a registration that exists already; `nil` is production. It depends on nothing, so one cache
  /// alone is ever its.
  func ownerOfExisting(under boundary: OverrideLayer?) -> OverrideLayer? {
    level < boundary?.level ?? 0 ? boundary : layer
  }

  /// Notes that an override is used.
  func noteUse(by request: Request) {
    if layer == nil { return }
    registration.markUsed()
    // Production would have answered that, or nobody would have minded.
    if request.mayBeMissing || request.key.declaration != nil { registration.markAdding() }
  }

  /// Where the registration is.
  func store(_ resolver: Resolver) -> RegistrationStore { layer?.store ?? resolver.store }
}

extension Resolver {
  /// Finds who answers, from a layer downwards.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - start: The innermost layer that may answer; `nil` for production alone.
  ///   - boundary: The innermost boundary that the asker sees.
  /// - Returns: Who answers, or `nil` if nobody does.
  func answer(
    to request: Request, from start: OverrideLayer?, boundary: OverrideLayer?
  ) -> Answer? {
    var candidate = start?.nearest(of: self)
    while let layer = candidate {
      let below = layer.next(of: self)
      let crossed = layer.level < boundary?.level ?? 0 ? boundary : nil
      if let registration = layer.registration(for: request.key),
        !boundary.hasClaimed(registration, of: layer.level)
      {
        return Answer(registration: registration, layer: layer, boundary: crossed)
      }
      candidate = below
    }
    guard let registration = store.registration(for: request.key) ?? request.declared,
      !boundary.hasClaimed(registration, of: 0)
    else { return nil }
    return Answer(registration: registration, layer: nil, boundary: boundary)
  }

  /// Whose block makes the value of what answers: a decorator asks what it stands before, and an alias what it stands
  /// for. `nil` if nobody's does.
  ///
  /// - Complexity: O(layers), each of which may decorate.
  func maker(of answer: Answer, to request: Request, under top: OverrideLayer?) -> Answer? {
    var (answer, request) = (answer, request)
    // Aliases of each other lead nowhere.
    for _ in 0...Resolver.maximumDepth {
      let next: Answer?
      if let aliased = answer.registration.aliased {
        request.key = aliased
        request.declared = aliased.declaredDefault
        next = self.answer(to: request, from: top, boundary: top?.boundary)
      } else if !answer.registration.isDecoration {
        return answer
      } else if let replaced = answer.registration.replaced, let layer = answer.layer,
        !layer.store.hasClaimedBelow(replaced),
        !(top?.boundary).hasClaimed(replaced, of: layer.level)
      {
        next = Answer(registration: replaced, layer: layer, boundary: nil)
      } else {
        let below = answer.layer?.next(of: self)
        next = self.answer(to: request, from: below, boundary: top?.boundary)
      }
      guard let next else { return nil }
      answer = next
    }
    return nil
  }
}

extension OverrideLayer? {
  /// True if a registration of a level was claimed under this boundary or one between the two.
  func hasClaimed(_ registration: AnyRegistration, of level: Int) -> Bool {
    // Of what the innermost boundary registers itself nothing is between the two, which is so for most.
    guard let innermost = self?.level, innermost > level else { return false }
    var boundary = self
    while let next = boundary, next.level > level {
      if next.store.hasClaimedBelow(registration) { return true }
      boundary = next.outer?.boundary
    }
    return false
  }
}
