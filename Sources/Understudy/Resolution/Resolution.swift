// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One request on its way to a value.
///
/// `Resolution+Decision` has the engine decide under the locks; `Resolution+Synchronous` and
/// `Resolution+Asynchronous` act outside of them. The value's type is known to these two alone.
final class Resolution {
  let resolver: Resolver
  let request: Request
  /// The levels that the caller sees.
  let levels: LevelStack
  /// The innermost layer that the caller sees.
  let top: OverrideLayer?
  /// The innermost layer that may answer; a decorator asks below its own.
  let start: LevelStore?
  /// The answer that comes before all others while requests can be answered by it: the registration
  /// that a fault or a decorator shadows.
  var preferred: Answer?
  /// The block on whose behalf the request is made.
  let construction: Construction?
  /// The innermost layer that overrides the resolver: the one that logs the request.
  let layer: OverrideLayer?
  /// The order of the request in the log; 0 if none is kept, and there is no observer.
  let order: Int
  /// True if another request may yet fail with the value, so that what is claimed for it can be put
  /// back.
  let isPart: Bool
  /// What is noted for the observers of the resolver, if there are any.
  let observed: ObservedRequest?
  /// True for a request that is no part of another one, and for one that a fault forwards.
  let isCounted: Bool
  /// True for a request that all layers of the caller may answer.
  let startsAtTop: Bool

  /// Where the value comes from, once it is there.
  var origin = ValueOrigin.cached
  /// True once a decorator handed on the very object that it got, which is disposed of as what it
  /// is.
  var isHandedOn = false
  /// True once the decorators of a layer handed on the very object that it was given.
  var isGiven = false
  /// True if the answering registration is an alias. Its value is created under the aliased key.
  var isRelayed = false
  /// The values that were wrapped on the way to the value, and created for it.
  var parts: [Any] = []
  /// The value as a completion leaves it, if one is left to run.
  var completedValue: AnyObject?
  /// The registrations that were claimed for the value, here or for its parts.
  var claims: [Claim] = []
  /// True once it failed because the answering registration stands for something that nothing
  /// answers.
  var isVacant = false
  /// True if another instance of the registration is in creation. Once that is stored, it may
  /// answer instead of the instance that answers now.
  var sawCreation = false
  /// True once it is noted that nothing answers what a fault forwards.
  var isNothingNoted = false

  /// Begins a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - resolver: The asked resolver.
  ///   - caller: The caller.
  ///   - start: The innermost layer that may answer.
  ///   - preferred: The answer that comes before all others.
  ///   - isPart: True if the caller may yet fail with the value.
  ///   - isCounted: False for a request that is part of another one; unless told otherwise, one
  ///     that begins below the innermost layer.
  ///   - order: The order of a request that has begun.
  init(
    _ request: Request, of resolver: Resolver, for caller: Caller, from start: LevelStore?,
    preferred: Answer? = nil, isPart: Bool = false, isCounted: Bool? = nil, order: Int = 0
  ) {
    self.request = request
    self.resolver = resolver
    top = caller.top
    self.start = start
    self.preferred = preferred
    construction = caller.construction
    self.isPart = isPart
    let topStore = caller.top?.store
    levels = LevelStack(top: topStore, production: resolver.store)
    startsAtTop = start === topStore
    self.isCounted = isCounted ?? startsAtTop
    layer = caller.layer
    observed = resolver.isObserved ? ObservedRequest() : nil
    if order != 0 {
      self.order = order
    } else if caller.layer != nil, let topStore {
      self.order = topStore.nextNumber()
    } else {
      self.order = observed == nil ? 0 : resolver.store.nextNumber()
    }
  }

  /// Begins a request under a layer.
  convenience init(
    _ request: Request, of resolver: Resolver, under top: OverrideLayer?, from start: LevelStore?,
    preferred: Answer? = nil, within construction: Construction? = .current, isPart: Bool = false,
    isCounted: Bool? = nil
  ) {
    self.init(
      request, of: resolver,
      for: Caller(construction: construction, under: top, asking: resolver), from: start,
      preferred: preferred, isPart: isPart, isCounted: isCounted)
  }

  /// The same request, forwarded by a fault to the registration that it shadows.
  init(forwarding faulty: Resolution, to preferred: Answer?, from start: LevelStore?) {
    request = faulty.request
    resolver = faulty.resolver
    levels = faulty.levels
    top = faulty.top
    self.start = start
    self.preferred = preferred
    construction = faulty.construction
    layer = faulty.layer
    order = faulty.order
    observed = faulty.observed
    isPart = faulty.isPart
    isCounted = faulty.isCounted
    startsAtTop = start === faulty.levels.top
  }

  var creation: Creation? { construction?.creation }

  /// Only levels below this rank may answer.
  var ceiling: Int { levels.ceiling(from: start) }

  var path: [AnyKey] { (construction?.path ?? []).map(\.key) }

  func error(
    _ reason: ResolutionError.Reason, _ registration: AnyRegistration? = nil,
    through route: [AnyRegistration] = [], note: String? = nil
  ) -> ResolutionError {
    resolver.error(
      reason, request, path: path + (route.isEmpty ? [request.key] : route.map(\.key)),
      registration: registration, levels, from: start, note: note)
  }

  // MARK: Provenance

  /// The provenance of the value, for the instance that it becomes a part of.
  func provenance(_ answer: Answer, _ dependencies: [Provenance] = []) -> Provenance {
    Provenance(
      of: request.key, answer: .registration(answer.registration), rank: answer.level.rank,
      production: levels.production, ceiling: ceiling, dependencies: dependencies)
  }

  /// Notes that nothing is registered for the very key: the instance being created depends on that.
  func noteUnregistered() {
    creation?.add(
      Provenance(
        of: request.key, answer: .nothing, rank: 0, production: levels.production, ceiling: ceiling)
    )
  }

  /// Notes that nothing answers, or an object that is gone: the instance being created depends on
  /// that.
  func noteNothing() {
    guard let creation, !isNothingNoted else { return }
    let answer = levels.reading {
      levels.answer(to: request.key, from: start, declared: request.declared)
    }
    creation.add(
      Provenance(
        of: request.key, answer: answer.map { .registration($0.registration) } ?? .nothing,
        rank: answer?.level.rank ?? 0, production: levels.production, ceiling: ceiling))
  }

  /// The error that nothing answers.
  func missing() -> ResolutionError {
    isVacant = true
    // Not looked for again: a registration that answers by now had no part in this.
    if !isNothingNoted { noteUnregistered() }
    return error(.missing)
  }

  /// True if an error says no more than that nothing answers: the answering registration stands for
  /// something that nothing answers, or for an object that is gone.
  func saysNothingAnswers(_ error: ResolutionError) -> Bool {
    if isVacant { return true }
    if case .released = error.reason { return error.key == request.key }
    return false
  }

  // MARK: Claims

  /// Makes the claims for the value final, or leaves them to the request that this one is a part
  /// of.
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
  /// The rank that only levels below it may answer, where the search begins at `start`.
  func ceiling(from start: LevelStore?) -> Int {
    start === top ? .max : (start?.rank ?? production.rank) + 1
  }
}

extension LevelStore {
  func nextNumber() -> Int {
    lock.lock()
    defer { lock.unlock() }
    return lock.nextNumber()
  }
}
