// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Notes the registration that answers a key, or that none does, for a caller that searched
  /// without a request. The instance in creation depends on that.
  package func note(_ answer: Answer?, to key: AnyKey) {
    Construction.current?.creation?.add(
      Provenance(
        of: key, answer: answer.map { .registration($0.registration) } ?? .nothing,
        rank: answer?.level.rank ?? 0, production: store))
  }

  /// The value, or `nil` if nothing answers or the weakly held object is gone.
  package func valueIfThere<Value>(for request: Request) throws(ResolutionError) -> Value? {
    var request = request
    request.mayBeMissing = true
    return try resolution(of: request).valueIfThere()
  }

  /// The value or `nil`. The caller is responsible for its claims.
  package func valueIfThere<Value>(
    for request: Request, claiming claims: inout [Claim]
  ) throws(ResolutionError) -> Value? {
    var request = request
    request.mayBeMissing = true
    let resolution = try resolution(of: request, isPart: true)
    let value: Value? = try resolution.valueIfThere()
    claims += resolution.claims
    return value
  }

  /// The value of one of several registrations of a key. Returns `nil` if nothing answers, or if it
  /// was used up.
  ///
  /// - Parameter member: The registration to ask instead of the answering one.
  package func value<Value>(
    for request: Request, under top: OverrideLayer?, ofMember member: AnyRegistration?,
    claiming claims: inout [Claim]
  ) throws(ResolutionError) -> Value? {
    let levels = LevelStack(top: top?.store, production: store)
    let preferred = member.map {
      Answer(
        registration: store.current($0), level: store, claimant: levels.boundary, isMember: true)
    }
    if let member = preferred?.registration,
      levels.reading({
        store.state.value.hasClaimed(member) || levels.isClaimed(member, of: store)
      })
    {
      return nil
    }
    let resolution = Resolution(
      request, of: self, for: Surroundings(top: top), from: levels.top, preferred: preferred,
      isPart: true)
    do throws(ResolutionError) {
      let value: Value? = try resolution.valueIfAnswered()
      claims += resolution.claims
      return value
    } catch {
      guard resolution.isVacant else { throw error }
      return nil
    }
  }
}
