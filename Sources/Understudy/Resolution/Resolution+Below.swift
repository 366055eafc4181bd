// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a decorator or a fault stands before (O7).
extension Resolution {
  /// The same question, to what a decoration stands before: by itself, whoever lies below its layer.
  func below(
    _ answer: Answer, _ decoration: Decoration<Value>, isLasting: Bool = false
  ) -> Resolution {
    var request = request
    request.isLeftByFault = false
    // What is used up is the decorator, which uncovers what it stands before (O2).
    if request.lifecycle == .once { request.lifecycle = .cached }
    return Resolution(
      request, of: resolver, under: top, from: answer.layer?.next(of: resolver),
      first: decoration.replaced.flatMap { replaced(by: answer, $0) }, isLasting: isLasting,
      isPart: true)
  }

  /// That there is nothing to decorate; whoever can live with that depends on it.
  func nothing(_ below: Resolution) -> NothingToDecorate {
    isVacant = true
    below.noteUnregistered()
    return NothingToDecorate()
  }

  /// True if an error says no more than that nothing answers: who does stands for what nothing answers, or for an object
  /// that is gone.
  func saysNothingAnswers(_ error: ResolutionError) -> Bool {
    if isVacant { return true }
    if case .released = error.reason { return error.key == request.key }
    return false
  }

  /// What answers that question now.
  func answerBelow(_ answer: Answer) -> (resolution: Resolution, answer: Answer)? {
    guard case .decorating(let decoration) = Registration<Value>.typed(answer.registration).block
    else { return nil }
    let below = below(answer, decoration)
    return
      (below.first ?? resolver.answer(to: request, from: below.start, boundary: boundary))
      .map { (below, $0) }
  }

  /// What a fault leaves to others to answer.
  func valueLeftByFault(_ answer: Answer) throws(ResolutionError) -> Value? {
    guard let left = try leftByFault(answer) else { return nil }
    defer { takeOver(left) }
    let value = try left.valueIfAnswered()
    if value == nil { noteNothing(left) }
    return value
  }

  /// The same, waiting for it.
  func asyncValueLeftByFault(_ answer: Answer) async throws(ResolutionError) -> Value? {
    guard let left = try leftByFault(answer) else { return nil }
    defer { takeOver(left) }
    let value = try await left.asyncValueIfAnswered()
    if value == nil { noteNothing(left) }
    return value
  }

  /// Notes that nothing answers what a fault leaves to others: asked of those, and not of the fault.
  private func noteNothing(_ left: Resolution) {
    left.noteNothing()
    isNothingNoted = true
  }

  /// Takes over what is known of the question that a fault left to others.
  private func takeOver(_ left: Resolution) {
    takeClaims(of: left)
    origin = left.origin
    if left.isVacant { isVacant = true }
  }

  /// The same question, to what a fault stands before; throws if it strikes.
  ///
  /// Whoever is left to answer is counted, logged and kept as without the fault.
  private func leftByFault(_ answer: Answer) throws(ResolutionError) -> Resolution? {
    let registration = Registration<Value>.typed(answer.registration)
    tracker?.contribute(answer.layer)
    note(answer)
    guard case .decorating(let decoration) = registration.block else { return nil }
    tracker?.add(provenance(of: registration, answer, []))
    do {
      if let top { try top.scope.running(decoration.before) } else { try decoration.before() }
    } catch {
      let error = explained(error, registration)
      record(.failed, answer)
      throw error
    }
    return Resolution(
      self, leftTo: decoration.replaced.flatMap { replaced(by: answer, $0) },
      from: answer.layer?.next(of: resolver))
  }

  /// A registration that another one of its layer stands before. It is not in the layer's table any
  /// more, so a claim of it is noted as one of what lies below; under a boundary further in, for those above that alone.
  private func replaced(by answer: Answer, _ registration: AnyRegistration) -> Answer? {
    guard let layer = answer.layer, !layer.store.hasClaimedBelow(registration),
      !boundary.hasClaimed(registration, of: layer.level)
    else { return nil }
    let isOnce = [registration.lifecycle, request.lifecycle].contains(.once)
    return Answer(
      registration: registration, layer: layer, boundary: answer.boundary ?? (isOnce ? layer : nil))
  }
}
