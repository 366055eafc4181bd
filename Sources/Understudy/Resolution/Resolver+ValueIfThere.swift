// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// Resolves the registration of a key, for a caller that says where the request is made.
  package func resolve<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    try value(for: Request(key.erased, at: callSite))
  }

  /// Notes that nothing is registered for a key, for a caller that looked and made no request: the
  /// instance being created depends on that.
  package func noteUnregistered(_ key: AnyKey) {
    Construction.current?.creation?.add(
      Provenance(of: key, answer: .nothing, rank: 0, production: store))
  }

  /// Resolves what is registered for a key, for a caller that asks at a place of its own; `nil` if
  /// nothing answers.
  package func resolveIfThere<Value>(
    _ key: Key<Value>, at callSite: CallSite
  ) throws(ResolutionError) -> Value? {
    var request = Request(key.erased, at: callSite)
    request.mayBeMissing = true
    return try valueIfThere(for: request)
  }

  /// The value, or `nil` if nothing answers or the object that is held weakly is gone.
  package func valueIfThere<Value>(for request: Request) throws(ResolutionError) -> Value? {
    try claiming { (claims) throws(ResolutionError) -> Value? in
      try valueIfThere(for: request, claiming: &claims)
    }
  }

  /// The value, or `nil`. The claims for it are the caller's.
  package func valueIfThere<Value>(
    for request: Request, claiming claims: inout [Claim]
  ) throws(ResolutionError) -> Value? {
    let top = try layerOfCaller(request)
    let resolution = Resolution(request, of: self, under: top, from: top?.store, isPart: true)
    do throws(ResolutionError) {
      if let value: Value = try resolution.valueIfAnswered() {
        claims += resolution.claims
        return value
      }
    } catch {
      guard resolution.saysNothingAnswers(error) else { throw error }
    }
    resolution.isNothingNoted = false
    resolution.noteNothing()
    return nil
  }

  /// The value of one registration among several for a key; `nil` if nothing answers, or it was
  /// used up.
  ///
  /// - Parameters:
  ///   - request: The request for the key.
  ///   - top: The innermost layer that the caller sees.
  ///   - member: The registration that is asked behind the answering one, or `nil` for the
  ///     answering one.
  ///   - claims: Gets the claims for the value.
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
        store.state.value.hasClaimed(member) || levels.isClaimed(member, of: store.rank)
      })
    {
      return nil
    }
    let resolution = Resolution(
      request, of: self, under: top, from: levels.top, preferred: preferred, isPart: true)
    do throws(ResolutionError) {
      let value: Value? = try resolution.valueIfAnswered()
      claims += resolution.claims
      return value
    } catch {
      guard resolution.saysNothingAnswers(error) else { throw error }
      return nil
    }
  }

  /// Creates a value of several parts: the claims for those are final if it is created, and put
  /// back if not.
  package func claiming<Whole>(
    _ body: (inout [Claim]) throws(ResolutionError) -> Whole
  ) throws(ResolutionError) -> Whole {
    var claims: [Claim] = []
    do throws(ResolutionError) {
      let whole = try body(&claims)
      for claim in claims { claim.settle() }
      return whole
    } catch {
      for claim in claims { claim.restore() }
      throw error
    }
  }
}
