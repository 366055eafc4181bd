// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How the block of a registration is run, and what it means if it throws.
extension Resolution {
  /// Makes a value on the calling thread.
  func make(
    _ registration: Registration<Value>, _ answer: Answer, tracker: DependencyTracker?
  ) throws(ResolutionError) -> Value {
    try check(registration)
    top?.scope.beginRunning()
    defer { top?.scope.endRunning() }
    do {
      return try Construction.run(
        registration, tracker: tracker, order: order, isOnMainActor: isSaidToBeOnMainActor
      ) {
        try call(registration.block, answer)
      }
    } catch {
      throw failed(error, registration)
    }
  }

  private func failed(
    _ failure: any Error, _ registration: Registration<Value>
  ) -> ResolutionError {
    noteLostParts(by: registration)
    return explained(failure, registration)
  }

  /// True if the caller says that this runs on the main actor, or the block on whose behalf it asks does.
  var isSaidToBeOnMainActor: Bool {
    request.isOnMainActor || construction?.isOnMainActor ?? false
  }

  // What a block runs upon is on the stack as often as a graph is deep, and a debug build gives each value that is
  // named in a function a place of its own there. So what is rare lies in functions beside this one.

  private func call(_ block: Block<Value>, _ answer: Answer) throws -> Value {
    switch block {
    case .plain(let block): try block()
    case .direct(let block): try block(resolverArgument)
    case .sync(let block): try block(invocation)
    default: try rarelyCalled(block, answer)
    }
  }

  private func rarelyCalled(_ block: Block<Value>, _ answer: Answer) throws -> Value {
    switch block {
    case .plain, .direct, .sync: try call(block, answer)
    case .existing(let value): value()
    case .mainActor(let block): try called(onMainActor: block)
    case .async: throw NeedsAwait()
    case .relaying(let relay): try asked(relay)
    case .decorating(let decoration): try wrapped(answer, decoration)
    case .wrapping(let wrapping): try wrapped(try call(wrapping.block, answer), wrapping)
    }
  }

  private var resolverArgument: Resolver { request.resolverArgument ?? resolver }

  private var invocation: Invocation { Invocation(resolver: resolver, request: request) }

  private func called(
    onMainActor block: @Sendable (Invocation) throws -> Value
  ) throws -> Value {
    // Which thread this is costs a call of the system, so nobody else asks.
    guard isSaidToBeOnMainActor || isOnMainThread else { throw NeedsMainActor() }
    return try block(invocation)
  }

  private func asked(_ relay: Relay<Value>) throws -> Value {
    var question = RelayedQuestion()
    defer { note(question) }
    return try relay.ask(invocation, &question)
  }

  /// What a decorator makes of the answer that it stands before.
  private func wrapped(_ answer: Answer, _ decoration: Decoration<Value>) throws -> Value {
    let below = below(answer, decoration)
    defer { if below.isVacant { isVacant = true } }
    guard let value = try below.valueIfAnswered() else { throw nothing(below) }
    takeClaims(of: below)
    return try wrapped(value, decoration, from: below.origin)
  }

  /// What a decorator makes of what it stands before.
  func wrapped(
    _ value: Value, _ decoration: Decoration<Value>, from below: ValueOrigin
  ) throws -> Value {
    var wrapper = value
    for (index, wrap) in decoration.wraps.enumerated() {
      // What lies below was noted there.
      if index > 0, !isOneObject(wrapper, value) { notePart(wrapper) }
      wrapper = try wrap(wrapper)
    }
    isHandedOn = isOneObject(value, wrapper)
    origin = below
    return wrapper
  }

  /// What the decorators of a layer make of what it makes itself.
  func wrapped(_ value: Value, _ wrapping: Wrapping<Value>) throws -> Value {
    var wrapper = value
    for (index, wrap) in wrapping.wraps.enumerated() {
      // What an alias stands for was noted as that.
      if index > 0 || !isRelayed { notePart(wrapper) }
      wrapper = try wrap(wrapper)
    }
    if isOneObject(value, wrapper) {
      if case .existing = wrapping.block { isGiven = true }
    } else {
      isRelayed = false
    }
    return wrapper
  }

  private func notePart(_ part: Value) {
    if !parts.contains(where: { isOneObject($0, part) }) { parts.append(part) }
  }

  /// Has what was wrapped disposed of, though no value came of it; what was there before is there for the next one.
  func noteLostParts(by registration: Registration<Value>) {
    if parts.isEmpty { return }
    if case .existing = registration.block.unwrapped { parts.removeFirst() }
    for part in parts {
      layer?.noteMade(part, for: request.key, by: registration.key, keptAt: nil)
    }
    parts = []
  }

  /// Takes over what an alias learnt of what it stands for.
  func note(_ question: RelayedQuestion) {
    isRelayed = true
    origin = question.origin
    claimed += question.claimed.compactMap { $0 as? Claimed }
    if question.isVacant { isVacant = true }
  }

  /// Refuses to run a block within itself, and to go too deep. An argument that the block takes may end that.
  func check(_ registration: AnyRegistration) throws(ResolutionError) {
    guard let construction else { return }
    if construction.depth >= Resolver.maximumDepth
      || (request.argument == nil || registration.ignoresArguments)
        && construction.isMaking(registration)
    {
      throw refusal(of: registration)
    }
  }

  /// Why a block is not run: it would go too deep, or is running.
  func refusal(of registration: AnyRegistration) -> ResolutionError {
    let isTooDeep = (construction?.depth ?? 0) >= Resolver.maximumDepth
    return error(isTooDeep ? .tooDeep : .cycle, registration)
  }

  /// What a block threw, as an error of this resolution.
  func explained(_ failure: any Error, _ registration: AnyRegistration) -> ResolutionError {
    switch failure {
    case let failure as ResolutionError: failure
    case let mismatch as ArgumentMismatch:
      error(.argument(expected: mismatch.expected, given: mismatch.given), registration)
    case let fault as InjectedFault:
      error(.failed(fault.underlying), registration, note: fault.note)
    case is UnimplementedUse: error(.unimplemented, registration)
    case is NothingToDecorate: error(.nothingToDecorate, registration)
    case is NeedsMainActor: error(.mainActorOnly, registration)
    case is NeedsAwait: error(.asynchronous, registration)
    case let endless as EndlessCompletion:
      resolver.error(
        .cycle, request, path: endless.path, registration: registration, under: start)
    case Unheld.released: error(.released, registration)
    case Unheld.notAnObject: error(.notAnObject, registration)
    default: error(.failed(failure), registration)
    }
  }
}
