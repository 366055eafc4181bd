// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Notes that nothing is registered for a key, for a caller that searched without a request. The
  /// instance in creation depends on that.
  package func noteUnregistered(_ key: AnyKey) {
    Construction.current?.creation?.add(
      Provenance(of: key, answer: .nothing, rank: 0, production: store))
  }

  /// Notes the registration that answers a key, for a caller that used it without a request. The
  /// instance in creation depends on that.
  package func note(_ answer: Answer, to key: AnyKey) {
    Construction.current?.creation?.add(
      Provenance(
        of: key, answer: .registration(answer.registration), rank: answer.level.rank,
        production: store))
  }

  /// The value, or `nil` if nothing answers or the weakly held object is gone.
  package func valueIfThere<Value>(for request: Request) throws(ResolutionError) -> Value? {
    var request = request
    request.mayBeMissing = true
    return try part(request, isPart: false).valueIfThere()
  }

  /// The value or `nil`. The caller is responsible for its claims.
  package func valueIfThere<Value>(
    for request: Request, claiming claims: inout [Claim]
  ) throws(ResolutionError) -> Value? {
    var request = request
    request.mayBeMissing = true
    let resolution = try part(request)
    let value: Value? = try resolution.valueIfThere()
    claims += resolution.claims
    return value
  }

  /// A request under the layers that the calling task sees. An enclosing one settles its claims if
  /// it is a part.
  func part(_ request: Request, isPart: Bool = true) throws(ResolutionError) -> Resolution {
    let top = try layerOfCaller(request)
    return Resolution(
      request, of: self, for: Surroundings(top: top), from: top?.store, isPart: isPart)
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
