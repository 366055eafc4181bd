// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The synchronous driver: it carries out the decisions of the engine on the calling thread,
/// without a lock.
extension Resolution {
  // An optional of a type that is known only at run time is expensive in a debug build, and so is a
  // local variable of that type, in each function that has one. So errors stand for "no value"
  // here, and each way to a value has a function of its own.

  /// The value, or an error that explains why there is none.
  func value<Value>() throws(ResolutionError) -> Value {
    do throws(NoValue) {
      return try answeredValue()
    } catch {
      if case .failed(let error) = error { throw error }
      throw missing()
    }
  }

  /// The value, or `nil` if nothing answers.
  func valueIfAnswered<Value>() throws(ResolutionError) -> Value? {
    do throws(NoValue) {
      return try answeredValue() as Value
    } catch {
      if case .failed(let error) = error { throw error }
      return nil
    }
  }

  /// The value, or `nil` if nothing answers or the weakly held object is gone.
  func valueIfThere<Value>() throws(ResolutionError) -> Value? {
    do throws(NoValue) {
      return try answeredValue() as Value
    } catch {
      if case .failed(let error) = error, !isVacant { throw error }
    }
    noteNothing()
    return nil
  }

  private func answeredValue<Value>() throws(NoValue) -> Value {
    while let decision = decide() {
      recordEffects(of: decision)
      do throws(NoValue) {
        return try value(decision)
      } catch {
        guard case .notYet = error else { throw error }
      }
      beginAgain()
      // A member of an assembly that another request has claimed is gone.
      if decision.answer.isMember, case .askAgain = decision.action { throw .unanswered }
    }
    return try unregisteredValue()
  }

  private func unregisteredValue<Value>() throws(NoValue) -> Value {
    let value: Value?
    do throws(ResolutionError) { value = try implicitValue() } catch { throw .failed(error) }
    guard let value else { throw .unanswered }
    return value
  }

  /// Carries out a decision. `.notYet` says that the request has to be made again.
  func value<Value>(_ decision: Decision) throws(NoValue) -> Value {
    let answer = decision.answer
    switch decision.action {
    case .reuse(let instance, let owner, let isNew):
      let value: Value = try valueIfAlive(instance)
      reused(instance, owner: owner, isNew: isNew, answer)
      return handedOut(value)
    case .reuseEarly(let early, let other, let owner):
      let value: Value = try valueIfAlive(early.instance)
      reusedEarly(early, of: other, owner: owner, answer)
      return handedOut(value)
    case .create(let new, let usesUp):
      do throws(NoValue) {
        let value: Value = try create(answer, for: new)
        guard let new else {
          called(value, answer)
          return handedOut(value)
        }
        if keep(value, of: new, usesUp: usesUp, answer) { return handedOut(value) }
      } catch {
        if let new { abandon(new, answer) }
        throw recordedFailure(error, answer)
      }
      throw .notYet
    case .wait(let other, let latch):
      defer { requester.map { Waiting.end(for: other, by: $0, at: latch) } }
      // A thread of the cooperative pool must not wait for work that needs the pool.
      if other.isAsynchronous {
        throw .failed(failed(error(.asynchronous, answer.registration), answer))
      }
      LongWait.wait(at: latch, for: other, request.key, at: request.callSite)
      throw .notYet
    case .forward: return try forwardedValue(answer)
    case .fail(let reason, let route):
      throw .failed(
        failed(error(reason, answer.registration, through: route), answer, isDecided: true))
    case .askAgain, .leave: throw .notYet
    }
  }

  private func recordedFailure(_ error: NoValue, _ answer: Answer) -> NoValue {
    guard case .failed(let failure) = error else { return error }
    return .failed(failed(failure, answer))
  }

  private func forwardedValue<Value>(_ answer: Answer) throws(NoValue) -> Value {
    do throws(ResolutionError) {
      let forwarded = try forwarded(by: answer)
      var isAnswered = true
      defer { takeOver(forwarded, isAnswered: isAnswered) }
      if let value: Value = try forwarded.valueIfAnswered() { return value }
      isAnswered = false
    } catch {
      throw .failed(error)
    }
    throw .unanswered
  }

  private func valueIfAlive<Value>(_ instance: AnyInstance) throws(NoValue) -> Value {
    if case .strong = instance.retention { return instance.strongValue(as: Value.self) }
    return try weakValue(instance)
  }

  private func weakValue<Value>(_ instance: AnyInstance) throws(NoValue) -> Value {
    guard let value = instance.weakValue(as: Value.self) else { throw .notYet }
    return value
  }

  /// Ends the request with a value.
  func handedOut<Value>(_ value: Value) -> Value {
    settleClaims()
    layer?.watch(value, for: request.key, at: request.callSite)
    if observed != nil { sendValue(value) }
    return value
  }

  /// The creation on whose behalf the calling thread makes requests, if there is one.
  var requester: Creation? { Creation.requester(within: creation) }

  // MARK: Instances

  /// Stores a created value, if it is to be stored. Returns `false` if another request claimed the
  /// registration.
  func keep<Value>(
    _ value: Value, of creation: Creation, usesUp: Bool, _ answer: Answer
  ) -> Bool {
    let registration = answer.registration.typed(as: Value.self)
    if creation.isStored { levels.settleOwner(of: creation) }
    let isClaimed = !usesUp || levels.changing { claim(answer, wasCached: true, &$0) }
    // The outermost request of the thread may have something to complete first.
    let session = creation.isStored && isClaimed ? session : nil
    let outcome = session == nil ? creation.close() : creation.outcomeSoFar
    let (owner, home) = (outcome.owner, outcome.home)
    let isKept = creation.isStored && !usesUp && !outcome.isTransient
    if !isUnderlyingValue {
      origin = .created(storedAt: isKept ? owner.rank : nil)
      if !isClaimed {
        // Now, since the request begins again and forgets the value.
        noteMade(value, by: registration)
      } else if session == nil {
        noteCreated(value, by: registration)
      }
    }
    guard isClaimed else {
      finish(creation, outcome, with: nil, answer)
      return false
    }
    record(.made, answer)
    observed?.owner = isKept ? owner : nil
    if let session {
      self.creation?.add(provenance(answer))
      self.creation?.contribute(owner, at: home)
      keep(value, of: creation, after: session, isKept: isKept, answer)
    } else {
      self.creation?.add(provenance(answer, outcome.dependencies, at: (owner.rank, home.rank)))
      finish(creation, outcome, with: isKept ? instance(of: value, outcome, answer) : nil, answer)
    }
    return true
  }

  /// Stores a created value when the completions of the session have run.
  private func keep<Value>(
    _ value: Value, of creation: Creation, after session: CompletionSession, isKept: Bool,
    _ answer: Answer
  ) {
    let registration = answer.registration.typed(as: Value.self)
    let box = completedValue as? CompletedValue<Value> ?? CompletedValue(value)
    self.creation?.withState { $0.earlyParts.append(creation) }
    session.finishLater { [self] isComplete in
      levels.settleOwner(of: creation)
      let outcome = creation.close()
      let isKept = isKept && isComplete && !outcome.isTransient
      if !isUnderlyingValue {
        origin = .created(storedAt: isKept ? outcome.owner.rank : nil)
        noteMade(box.value, by: registration)
      }
      finish(
        creation, outcome, with: isKept ? instance(of: box.value, outcome, answer) : nil, answer)
    }
  }

  private func instance<Value>(
    of value: Value, _ outcome: Creation.Outcome, _ answer: Answer
  ) -> AnyInstance? {
    instance(
      of: value, from: outcome.dependencies, at: outcome.home, held: retention(of: answer), answer)
  }

  func instance<Value>(
    of value: Value, from dependencies: [Provenance], at home: LevelStore,
    held retention: Retention, _ answer: Answer
  ) -> AnyInstance? {
    let registration = answer.registration.typed(as: Value.self)
    return registration.instance(
      of: value, from: dependencies, at: home.number, held: retention,
      isMade: !isUnderlyingValue && !isExistingValue && !registration.isOwnedElsewhere,
      argument: TestHosts.areAny ? request.argument.map { String(describing: $0.value) } : nil)
  }

  /// How the answering registration's instance is held. A decorator holds it like the registration
  /// that it shadows.
  private func retention(of answer: Answer) -> Retention {
    guard answer.registration.isDecoration else { return answer.registration.retention }
    return levels.reading { maker(of: answer) }?.registration.retention ?? .strong
  }

  /// Ends a creation that failed. A caller that can continue without the value depends on the same
  /// dependencies.
  func abandon(_ creation: Creation, _ answer: Answer) {
    let outcome = creation.close()
    for dependency in outcome.dependencies { self.creation?.add(dependency) }
    finish(creation, outcome, with: nil, answer)
  }

  private func finish(
    _ creation: Creation, _ outcome: Creation.Outcome, with instance: AnyInstance?,
    _ answer: Answer
  ) {
    let (owner, home) = (outcome.owner, outcome.home)
    // This comes before other requests see the instance.
    let keeper = instance == nil ? nil : owner
    if !outcome.participants.hasNone { settle(outcome.participants, storedAt: keeper) }
    if let context = outcome.context { settle(context, at: home, storedAt: keeper) }
    land(creation, with: instance, answer)
    self.creation?.contribute(owner, at: home)
  }
}
