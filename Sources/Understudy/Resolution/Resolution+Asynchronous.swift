// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The asynchronous driver: it carries out the decisions of the engine, and suspends where the
/// synchronous driver blocks or fails. The synchronous driver creates the value of a synchronous
/// block, so that a thread never waits for a task to create it.
extension Resolution {
  func asyncValue<Value>() async throws(ResolutionError) -> Value {
    guard let value: Value = try await asyncValueIfAnswered() else { throw missing() }
    return value
  }

  func asyncValueIfAnswered<Value>() async throws(ResolutionError) -> Value? {
    while let decision = decide(isWaiting: true) {
      if case .leave(let place) = decision.action {
        return place == .mainActor ? try await valueOnMainActor() : try valueIfAnswered()
      }
      recordEffects(of: decision)
      let answer = decision.answer
      switch decision.action {
      case .create(let new, let usesUp):
        do throws(ResolutionError) {
          let value: Value = try await asyncCreate(answer, for: new)
          guard let new else {
            called(value, answer)
            return handedOut(value)
          }
          if keep(value, of: new, usesUp: usesUp, answer) { return handedOut(value) }
        } catch {
          if let new { abandon(new, answer) }
          throw failed(error, answer)
        }
      case .wait(let other, let latch):
        // A task that is cancelled while it waits stops waiting. Other tasks go on.
        await LongWait.wait(at: latch, for: other, request.key, at: request.callSite)
        creation.map { Waiting.end(for: other, by: $0, at: latch) }
        guard !Task.isCancelled else {
          throw failed(error(.failed(CancellationError()), answer.registration), answer)
        }
      case .forward:
        let forwarded = try forwarded(by: answer)
        var isAnswered = true
        defer { takeOver(forwarded, isAnswered: isAnswered) }
        let value: Value? = try await forwarded.asyncValueIfAnswered()
        isAnswered = value != nil
        return value
      case .reuse, .reuseEarly, .fail, .askAgain, .leave:
        do throws(NoValue) {
          return try value(decision) as Value
        } catch {
          if case .failed(let error) = error { throw error }
        }
      }
      beginAgain()
    }
    return try await asyncImplicitValue()
  }

  /// Hops to the main actor and resolves there. Otherwise the main actor could wait for a task that
  /// waits for the main actor.
  private func valueOnMainActor<Value>() async throws(ResolutionError) -> Value? {
    isOnMainActor = true
    // The task does not use the resolution until the main actor is done with it.
    let resolution = KnownSendable(self)
    let value = await MainActor.run {
      Result { () throws(ResolutionError) -> KnownSendable<Value?> in
        KnownSendable(try resolution.value.valueIfAnswered())
      }
    }
    return try value.get().value
  }

  private func asyncCreate<Value>(
    _ answer: Answer, for new: Creation?
  ) async throws(ResolutionError) -> Value {
    let registration = answer.registration.typed(as: Value.self)
    if let error = refusal(toRun: registration) { throw error }
    let construction = Construction(
      registration, of: resolver, creation: new ?? creation, order: order, isAsynchronous: true,
      within: self.construction)
    do {
      return try await construction.run {
        top?.beginRunning()
        defer { top?.endRunning() }
        sendCreating(answer)
        return try await asyncCall(registration.block, answer)
      }
    } catch {
      noteLostParts(by: registration)
      throw explained(error, registration)
    }
  }

  private func asyncCall<Value>(_ block: Block<Value>, _ answer: Answer) async throws -> Value {
    switch block {
    case .existing, .plain, .direct, .sync, .mainActor:
      return try call(block, answer, isOnMainActor: false)
    case .async(let block): return try await block(invocation).value
    case .relaying(let relay):
      var outcome = RelayedRequest(level: answer.level)
      defer { takeOver(outcome) }
      return try await relay.wait(invocation, &outcome)
    case .decorating(let decoration):
      let below = shadowed(by: answer)
      defer { take(below.relayed) }
      guard let value: Value = try await below.asyncValueIfAnswered() else { throw nothing(below) }
      return try wrapped(value, decoration)
    case .wrapping(let wrapping):
      return try wrapped(try await asyncCall(wrapping.block, answer), wrapping)
    }
  }
}
