// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The same resolution for a caller that can wait. What is synchronous stays so.
extension Resolution {
  /// The value, or an error that says why there is none.
  func asyncValue() async throws(ResolutionError) -> Value {
    guard let value = try await asyncValueIfAnswered() else { throw missing() }
    return value
  }

  /// The value, or `nil` if nothing answers.
  func asyncValueIfAnswered() async throws(ResolutionError) -> Value? {
    var preferred = first
    while let answer = preferred ?? resolver.answer(to: request, from: start, boundary: boundary) {
      preferred = nil
      let registration = Registration<Value>.typed(answer.registration)
      switch registration.block.unwrapped {
      case .existing, .plain, .direct, .sync:
        return try valueIfAnswered()
      case .mainActor:
        if let value = try await valueOnMainActor() { return value }
      case .decorating where registration.isFault:
        return try await asyncValueLeftByFault(answer)
      case .decorating where maker(of: answer)?.registration.place == .mainActor:
        if let value = try await valueOnMainActor() { return value }
      case .async, .decorating, .relaying, .wrapping:
        if let value = try await asyncValue(of: registration, answer) { return value }
      }
    }
    return try await asyncImplicitValue()
  }

  /// Hops to the main actor and resolves there, so that nobody on the main actor ever waits for
  /// somebody who waits for the main actor.
  private func valueOnMainActor() async throws(ResolutionError) -> Value? {
    let (resolver, top, start, first, isPart) = (resolver, top, start, first, isPart)
    var request = request
    request.isOnMainActor = true
    let (value, claimed, isVacant, origin) = await MainActor.run { [request] in
      let there = Resolution(
        request, of: resolver, under: top, from: start, first: first, isPart: isPart)
      let value = Result { () throws(ResolutionError) in
        KnownSendable(try there.valueIfAnswered())
      }
      return (value, there.claimed, there.isVacant, there.origin)
    }
    self.claimed += claimed
    self.origin = origin
    self.isVacant = isVacant
    return try value.get().value
  }

  private func asyncValue(
    of registration: Registration<Value>, _ answer: Answer
  ) async throws(ResolutionError) -> Value? {
    tracker?.contribute(answer.layer)
    note(answer)
    do throws(ResolutionError) {
      guard let value = try await asyncValue(of: registration, answer, policy(answer)) else {
        putBackClaims()
        return nil
      }
      settleClaims()
      watch(value)
      return value
    } catch {
      putBackClaims()
      record(.failed, answer)
      tracker?.add(provenance(of: registration, answer, []))
      throw error
    }
  }

  private func asyncValue(
    of registration: Registration<Value>, _ answer: Answer, _ policy: LifecyclePolicy
  ) async throws(ResolutionError) -> Value? {
    switch (policy.source, policy.removesRegistration) {
    case (.block, false):
      return try await asyncMade(registration, answer)
    case (.block, true):
      guard answer.claim(in: resolver) else { return nil }
      do throws(ResolutionError) {
        let value = try await asyncMade(registration, answer)
        settle(answer)
        return value
      } catch {
        answer.restore(in: resolver)
        throw error
      }
    case (.cache, let isRemoved):
      return try await asyncShared(registration, answer, isRemoved: isRemoved)
    }
  }

  private func asyncMade(
    _ registration: Registration<Value>, _ answer: Answer
  ) async throws(ResolutionError) -> Value {
    noteMade(try await asyncMake(registration, answer, tracker: tracker), registration, answer)
  }

  /// The instance that is kept, made first if there is none. A task that is cancelled while it waits
  /// leaves; the others go on. One that is cancelled while it makes the instance cancels its block,
  /// and another takes over.
  private func asyncShared(
    _ registration: Registration<Value>, _ answer: Answer, isRemoved: Bool
  ) async throws(ResolutionError) -> Value? {
    let sharing = try sharing(of: registration)
    if !isRemoved, let value = published(registration) { return value }
    while isCurrent(answer) {
      switch try turn(for: registration, sharing, answer, isRemoved: isRemoved, isWaiting: true) {
      case .reuse(let found):
        guard let value = sharing.value(found.instance) else { continue }
        let isOurs = reuse(found, of: registration, answer, isRemoved: isRemoved)
        return isOurs ? value : nil
      case .lookAgain: continue
      case .hold(let owner):
        if let value = try hold(registration, sharing, answer, in: owner) { return value }
      case .wait(let other):
        await other.latchOfWaiters()?.opened()
        tracker?.flight.unblock(from: other)
        guard !Task.isCancelled else {
          throw error(.failed(CancellationError()), registration)
        }
      case .lead(let flight, let isKept):
        var leading = lead(flight, answer, for: tracker?.flight)
        defer { land(leading) }
        let value = try await asyncMake(registration, answer, tracker: leading.tracker)
        return keep(
          value, sharing, registration, isKept: isKept, isRemoved: isRemoved, in: &leading)
      }
    }
    return nil
  }

  /// Makes a value, waiting for it.
  private func asyncMake(
    _ registration: Registration<Value>, _ answer: Answer, tracker: DependencyTracker?
  ) async throws(ResolutionError) -> Value {
    try check(registration)
    let construction = AsyncConstruction(registration, tracker: tracker, order: order)
    defer { construction.close() }
    do {
      return try await AsyncConstruction.$bound.binding(construction) {
        guard let top else { return try await asyncCall(registration.block, answer) }
        return try await top.scope.running { try await asyncCall(registration.block, answer) }
      }
    } catch {
      noteLostParts(by: registration)
      throw explained(error, registration)
    }
  }

  private func asyncCall(_ block: Block<Value>, _ answer: Answer) async throws -> Value {
    let invocation = Invocation(resolver: resolver, request: request)
    switch block {
    case .existing(let value): return value()
    case .plain(let block): return try block()
    case .direct(let block): return try block(request.resolverArgument ?? resolver)
    case .sync(let block): return try block(invocation)
    case .mainActor(let block):
      return try await MainActor.run { KnownSendable(try block(invocation)) }.value
    case .async(let block): return try await block(invocation).value
    case .relaying(let relay):
      var question = RelayedQuestion()
      defer { note(question) }
      return try await relay.wait(invocation, &question)
    case .decorating(let decoration):
      let below = below(answer, decoration, isLasting: true)
      defer { if below.isVacant { isVacant = true } }
      guard let value = try await below.asyncValueIfAnswered() else { throw nothing(below) }
      takeClaims(of: below)
      return try wrapped(value, decoration, from: below.origin)
    case .wrapping(let wrapping):
      return try wrapped(try await asyncCall(wrapping.block, answer), wrapping)
    }
  }
}

/// A block that waits was called by somebody who cannot.
struct NeedsAwait: Error {}

/// A block of the main actor was called from elsewhere.
struct NeedsMainActor: Error {}
