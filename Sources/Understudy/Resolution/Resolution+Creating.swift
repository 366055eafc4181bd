// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolution {
  /// Runs the block of the answering registration: for a new instance, or for the instance in
  /// creation that the request belongs to.
  func create<Value>(_ answer: Answer, for new: Creation?) throws(NoValue) -> Value {
    let registration = answer.registration.typed(as: Value.self)
    if let error = refusal(toRun: registration) { throw .failed(error) }
    // A debug build runs the generic code of `??` for each block.
    var (made, stored) = (creation, nil as Creation?)
    if let new { (made, stored) = (new, new.isStored ? new : nil) }
    let construction = Construction(
      registration, of: resolver, creation: made, order: order,
      isOnMainActor: isOnMainActor, within: self.construction)
    top?.beginRunning()
    defer { top?.endRunning() }
    do {
      return try construction.run {
        sendCreating(answer)
        if registration.isCompletedLater, case .wrapping(let wrapping) = registration.block {
          return try wrapped(wrapping, registration, answer, stored, within: construction)
        }
        let value: Value = try call(
          registration.block, answer, isOnMainActor: construction.isOnMainActor)
        // The block may have created values that are to be completed.
        if registration.isCompletedLater || construction.root.session != nil {
          return try completing(
            value, CompletedValue(value), registration, answer, stored, within: construction)
        }
        return value
      }
    } catch is UnfinishedElsewhere {
      noteLostParts(by: registration)
      throw .notYet
    } catch {
      construction.failToComplete()
      noteLostParts(by: registration)
      throw .failed(explained(error, registration))
    }
  }

  /// Creates a value that is wrapped now and completed later.
  private func wrapped<Value>(
    _ wrapping: Wrapping<Value>, _ registration: Registration<Value>, _ answer: Answer,
    _ stored: Creation?, within construction: Construction
  ) throws -> Value {
    let inner = try call(wrapping.block, answer, isOnMainActor: construction.isOnMainActor)
    let wrapper = try wrapped(inner, wrapping)
    let isObject = type(of: inner as Any) is AnyClass
    // An object is wrapped when it is created. A structure is wrapped again when it is complete.
    let box = CompletedValue(inner) { completed in
      isObject ? wrapper : try wrapping.wraps.reduce(completed) { try $1($0) }
    }
    return try completing(wrapper, box, registration, answer, stored, within: construction)
  }

  /// Lets a created value be completed: later, or now if its block is the outermost of the thread.
  private func completing<Value>(
    _ value: Value, _ box: CompletedValue<Value>, _ registration: Registration<Value>,
    _ answer: Answer, _ stored: Creation?, within construction: Construction
  ) throws -> Value {
    let session = construction.root.openSession()
    if let stored {
      session.add(stored)
      // It wakes the waiting requests: those from a synchronous block get it.
      handOutEarly(value, of: stored, in: session, answer)
    }
    if registration.isCompletedLater {
      try completeLater(registration, stored, answer, within: construction, box)
    }
    guard construction.isOutermost else {
      completedValue = box
      return value
    }
    try construction.complete()
    return box.value
  }

  func call<Value>(_ block: Block<Value>, _ answer: Answer, isOnMainActor: Bool) throws -> Value {
    switch block {
    case .plain(let block): return try block()
    case .direct(let block): return try block(invocation.resolverArgument)
    case .sync(let block): return try block(invocation)
    case .existing(let value): return value()
    case .mainActor(let block):
      // The check for the main thread is a system call, so it comes last.
      guard isOnMainActor || isOnMainThread || TestHosts.current?.isOnMainActor == true else {
        throw NotCallable.needsMainActor
      }
      return try block(invocation)
    case .async: throw NotCallable.needsAwait
    case .relaying(let relay):
      var outcome = RelayedRequest(level: answer.level)
      defer { takeOver(outcome) }
      return try relay.ask(invocation, &outcome)
    case .decorating(let decoration):
      let below = shadowed(by: answer)
      defer { take(below.relayed) }
      guard let value: Value = try below.valueIfAnswered() else { throw nothing(below) }
      return try wrapped(value, decoration)
    case .wrapping(let wrapping):
      return try wrapped(try call(wrapping.block, answer, isOnMainActor: isOnMainActor), wrapping)
    }
  }

  var invocation: Invocation { Invocation(resolver: resolver, request: request) }

  // MARK: Decorators

  /// The same request to the registration that a decorator shadows: its own layer's, or one below.
  func shadowed(by answer: Answer) -> Resolution {
    var request = request
    // The request uses up the decorator, which uncovers the registration that it shadows.
    if request.lifecycle == .once { request.lifecycle = .cached }
    request.isDecorated = true
    let preferred = levels.reading { levels.shadowed(by: answer, isOnce: false) }
    return Resolution(
      request, of: resolver, for: Surroundings(top: top),
      from: levels.nextLayer(below: answer.level), preferred: preferred, isPart: true)
  }

  /// The error that there is nothing to decorate. A caller that can continue without it depends on
  /// this.
  func nothing(_ below: Resolution) -> NotCallable {
    isVacant = true
    below.noteUnregistered()
    return .nothingToDecorate
  }

  func wrapped<Value>(_ value: Value, _ decoration: Decoration<Value>) throws -> Value {
    var wrapper = value
    for (index, wrap) in decoration.wraps.enumerated() {
      // The value from below is already noted.
      if index > 0, !isOneObject(wrapper, value) { notePart(wrapper) }
      wrapper = try wrap(wrapper)
    }
    isUnderlyingValue = isOneObject(value, wrapper)
    return wrapper
  }

  /// Runs the decorators of a layer on the value that it creates itself.
  func wrapped<Value>(_ value: Value, _ wrapping: Wrapping<Value>) throws -> Value {
    var wrapper = value
    for (index, wrap) in wrapping.wraps.enumerated() {
      // The value of an aliased key is noted under that key.
      if index > 0 || !isRelayed { notePart(wrapper) }
      wrapper = try wrap(wrapper)
    }
    if isOneObject(value, wrapper) {
      if case .existing = wrapping.block { isExistingValue = true }
    } else {
      isRelayed = false
    }
    return wrapper
  }

  /// The result that an enclosing request takes over.
  var relayed: RelayedRequest { RelayedRequest(origin: origin, claims: claims, isVacant: isVacant) }

  func take(_ part: RelayedRequest) {
    origin = part.origin
    claims += part.claims
    if part.isVacant { isVacant = true }
  }

  /// Takes over the result of an alias's request for its target.
  func takeOver(_ outcome: RelayedRequest) {
    isRelayed = true
    take(outcome)
  }

  // MARK: Faults

  /// Runs a fault. If it does not throw, returns the request that is forwarded to the shadowed
  /// registration. That request is counted, logged and cached as without the fault.
  func forwarded(by answer: Answer) throws(ResolutionError) -> Resolution {
    creation?.add(provenance(answer))
    do {
      top?.beginRunning()
      defer { top?.endRunning() }
      try answer.registration.effect?()
    } catch {
      let error = explained(error, answer.registration)
      record(.failed, answer)
      sendFailed(error)
      throw error
    }
    let isOnce = request.lifecycle == .once
    let preferred = levels.reading { levels.shadowed(by: answer, isOnce: isOnce) }
    let forwarded = Resolution(
      request, of: resolver, for: caller, from: levels.nextLayer(below: answer.level),
      preferred: preferred, isPart: isPart, isCounted: isCounted, order: order)
    forwarded.isOnMainActor = isOnMainActor
    return forwarded
  }

  func takeOver(_ forwarded: Resolution, isAnswered: Bool) {
    if !isAnswered {
      forwarded.noteNothing()
      isNothingNoted = true
    }
    take(forwarded.relayed)
  }

  // MARK: Errors

  /// Refuses to run a block within itself, and to nest too deeply. A block with an argument may
  /// call itself, since its argument may end the recursion.
  func refusal(toRun registration: AnyRegistration) -> ResolutionError? {
    guard let construction else { return nil }
    if construction.depth >= Resolver.maximumDepth { return error(.tooDeep, registration) }
    if request.argument == nil || registration.ignoresArguments,
      construction.isCreating(registration, for: resolver)
    {
      return error(.cycle, registration)
    }
    return nil
  }

  /// The error of this request for an error of a block.
  func explained(_ failure: any Error, _ registration: AnyRegistration) -> ResolutionError {
    switch failure {
    case let failure as ResolutionError: failure
    case let fault as InjectedFault:
      error(.failed(fault.underlying), registration, note: fault.note)
    case let failure as NotCallable: error(failure.reason, registration)
    case let failure as FailedCompletion:
      ResolutionError(
        .failed(failure.error), key: failure.registration.key,
        path: path + [request.key]
          + (failure.registration.key == request.key ? [] : [failure.registration.key]),
        callSite: request.callSite, registeredAt: failure.registration.callSite)
    default: error(.failed(failure), registration)
    }
  }
}

/// The reason why a request has no value, or none yet.
enum NoValue: Error {
  /// Nothing answers.
  case unanswered
  /// The request has to be made again, as after a wait or a claim by another request.
  case notYet
  case failed(ResolutionError)
}

extension NotCallable {
  fileprivate var reason: ResolutionError.Reason {
    switch self {
    case .argument(let expected, let given): .argument(expected: expected, given: given)
    case .nothingToDecorate: .nothingToDecorate
    case .needsAwait: .asynchronous
    case .needsMainActor: .mainActorOnly
    case .unimplemented: .unimplemented
    case .released: .released
    case .notAnObject: .notAnObject
    }
  }
}
