// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One request on its way to a value.
///
/// `Resolution+Decision` makes a decision with the engine, under the locks and without the value's
/// type. `Resolution+Synchronous` and `Resolution+Asynchronous` carry it out outside of the locks.
final class Resolution {
  let resolver: Resolver
  let request: Request
  let levels: LevelStack
  let top: OverrideLayer?
  /// The innermost layer that may answer. A decorator asks below its own layer.
  let start: LevelStore?
  /// The answer that comes before all others while it is valid: a registration that a fault or
  /// decorator shadows, or a chosen member.
  var preferred: Answer?
  let construction: Construction?
  /// The innermost layer that overrides the resolver: the one that logs the request.
  let layer: OverrideLayer?
  /// The order of the request in the log, or 0 without a log and observers.
  let order: Int
  /// True if an enclosing request may still fail, so that claims for the value can be put back.
  let isPart: Bool
  let observed: ObservedRequest?
  /// False for a request below a decorator's own layer: the decorator's request is counted.
  let isCounted: Bool
  /// True if the request is known to run on the main actor.
  var isOnMainActor: Bool
  /// The live guard of work that lost its context. It is set before the levels are locked.
  var escapedWorkGuard: EscapedWorkGuard?

  /// The origin of the value, once it exists.
  var origin = ValueOrigin.cached
  /// True if a decorator returned the object that it got, which is disposed of under its own key.
  var isUnderlyingValue = false
  /// True if the decorators of a layer returned the existing object that the layer was given.
  var isExistingValue = false
  /// True if the answering registration is an alias. Its value is created under the aliased key.
  var isRelayed = false
  /// The values that were created for the value and wrapped.
  var parts: [Any] = []
  /// The value after its completion, if a completion still has to run.
  var completedValue: AnyObject?
  /// The registrations that were claimed for the value or its parts.
  var claims: [Claim] = []
  /// True if it failed only because nothing answers: the answering registration stands for a key
  /// without an answer, or for an object that is gone.
  var isVacant = false
  /// True if another instance of the registration is in creation. Once it is stored, it may answer
  /// instead of the present instance.
  var sawCreation = false
  /// True if a layer of the caller ended after the request began, so its overrides are gone.
  var isAfterEnd = false
  /// True if it is noted that nothing answers the request that a fault forwards.
  var isNothingNoted = false

  /// Begins a request. By default, one that starts below the innermost layer is not counted.
  ///
  /// - Parameter order: The order of a request that has already begun.
  init(
    _ request: Request, of resolver: Resolver, for caller: Surroundings, from start: LevelStore?,
    preferred: Answer? = nil, isPart: Bool = false, isCounted: Bool? = nil, order: Int = 0
  ) {
    self.request = request
    isOnMainActor = request.isOnMainActor
    self.resolver = resolver
    top = caller.top
    self.start = start
    self.preferred = preferred
    construction = caller.construction
    self.isPart = isPart
    let topStore = caller.top?.store
    levels = LevelStack(top: topStore, production: resolver.store)
    self.isCounted = isCounted ?? (start === topStore)
    layer = caller.top?.nearest(of: resolver)
    observed = resolver.isObserved ? ObservedRequest() : nil
    let isNumbered = layer != nil || observed != nil
    self.order = order == 0 && isNumbered ? AtomicInt.lastResolution.next() : order
  }

  var creation: Creation? { construction?.creation }

  /// The surroundings of the code that made the request.
  var caller: Surroundings { Surroundings(construction: construction, top: top) }

  /// Only levels below this rank may answer.
  var ceiling: Int { levels.ceiling(from: start) }

  var path: [AnyKey] { (construction?.path ?? []).map(\.key) }

  func error(
    _ reason: ResolutionError.Reason, _ registration: AnyRegistration? = nil,
    through route: [AnyRegistration] = [], note: String? = nil
  ) -> ResolutionError {
    resolver.error(
      reason, request, path: path + (route.isEmpty ? [request.key] : route.map(\.key)),
      registration: registration, levels, from: start, note: note,
      place: isOfEscapedWork(reason) ? .escapedWork : placeOfStrictness(reason))
  }

  /// Forgets an attempt without a result, since another registration may answer the next one.
  func beginAgain() {
    sendCreated(nil)
    putBackClaims()
    origin = .cached
    isUnderlyingValue = false
    isExistingValue = false
    isRelayed = false
    parts = []
    completedValue = nil
    isVacant = false
    sawCreation = false
  }

  // MARK: Provenance

  /// The provenance of the value, for the instance that it becomes a part of.
  func provenance(
    _ answer: Answer, _ dependencies: [Provenance] = [], at place: InstancePlace? = nil
  ) -> Provenance {
    Provenance(
      of: request.key, answer: .registration(answer.registration), rank: answer.level.rank,
      production: levels.production, ceiling: ceiling, isDecorated: request.isDecorated,
      dependencies: dependencies, at: place)
  }

  /// Notes that nothing is registered for exactly this key. The instance in creation depends on
  /// that.
  func noteUnregistered() { addProvenance(.nothing, of: request.key) }

  func addProvenance(_ answer: Provenance.Answer, of key: AnyKey, rank: Int = 0) {
    creation?.add(
      Provenance(
        of: key, answer: answer, rank: rank, production: levels.production, ceiling: ceiling))
  }

  /// Notes that nothing answers, or that an object is gone. The instance in creation depends on
  /// that.
  func noteNothing() {
    if creation == nil || isNothingNoted { return }
    let answer = levels.reading {
      levels.answer(to: request.key, from: start, declared: request.declared)
    }
    addProvenance(
      answer.map { .registration($0.registration) } ?? .nothing, of: request.key,
      rank: answer?.level.rank ?? 0)
  }

  /// The error that nothing answers.
  func missing() -> ResolutionError {
    isVacant = true
    // There is no second search: a registration that answers by now had no part in this.
    if !isNothingNoted { noteUnregistered() }
    return error(.missing)
  }

  // MARK: Claims

  /// Claims the registration of an answer. Returns `false` if another request claimed it.
  func claim(_ answer: Answer, wasCached: Bool = false, _ garbage: inout Garbage) -> Bool {
    guard levels.claim(answer, &garbage) else { return false }
    claims.append(
      Claim(answer: answer, stack: levels, callSite: request.callSite, wasCached: wasCached))
    return true
  }

  /// Makes the claims for the value final, or leaves them to the enclosing request.
  func settleClaims() {
    if isPart || claims.hasNone { return }
    for claim in claims { claim.settle() }
    claims = []
  }

  /// Puts back the claims for the value, since there is none.
  func putBackClaims() {
    for claim in claims { claim.restore() }
    claims = []
  }
}

extension LevelStack {
  /// Only levels below this rank may answer, if the search begins at `start`.
  func ceiling(from start: LevelStore?) -> Int {
    if start === top { return .max }
    return start.map { $0.rank + 1 } ?? LevelStore.firstLayerRank
  }
}
