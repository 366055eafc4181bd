// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The synchronous driver: does what the engine decides, on the calling thread, under no lock.
extension Resolution {
  /// The value, or an error that explains why there is none.
  func value<Value>() throws(ResolutionError) -> Value {
    guard let value: Value = try valueIfAnswered() else { throw missing() }
    return value
  }

  /// The value, or `nil` if nothing answers.
  func valueIfAnswered<Value>() throws(ResolutionError) -> Value? {
    while let decision = decide() {
      let answer = decision.answer
      switch decision.action {
      case .reuse(let instance, let owner, let isNew):
        // What is held weakly may have gone since.
        guard let value = instance.value(as: Value.self) else { break }
        reused(instance, owner: owner, isNew: isNew, answer)
        return handedOut(value)
      case .reuseEarly(let early, let other, let owner):
        guard let value = early.instance.value(as: Value.self) else { break }
        reusedEarly(early, of: other, owner: owner, answer)
        return handedOut(value)
      case .call:
        do throws(ResolutionError) {
          if let value: Value = try create(answer, for: creation) {
            called(value, answer)
            return handedOut(value)
          }
        } catch {
          throw failed(error, answer)
        }
      case .create(let creation, let isStored):
        do throws(ResolutionError) {
          if let value: Value = try create(answer, for: creation, isStored: isStored) {
            if keep(value, of: creation, isStored: isStored, decision) { return handedOut(value) }
          } else {
            abandon(creation, answer)
          }
        } catch {
          abandon(creation, answer)
          throw failed(error, answer)
        }
      case .wait(let other, let latch):
        defer { requester.map { Waiting.end(for: other, by: $0) } }
        // A thread of the cooperative pool never waits for work that needs the pool.
        if other.isAsynchronous { throw failed(error(.asynchronous, answer.registration), answer) }
        LongWait.wait(at: latch, for: other, request.key, at: request.callSite)
      case .forward:
        let forwarded = try forwarded(by: answer)
        let value: Value? = try takingOver(forwarded) { () throws(ResolutionError) in
          try forwarded.valueIfAnswered()
        }
        return value
      case .fail(let reason, let route):
        throw failed(error(reason, answer.registration, through: route), answer)
      case .askAgain: break
      }
      sendCreated(nil)
      putBackClaims()
      // A member of an assembly that another request has claimed is gone.
      if answer.isMember { return nil }
    }
    return try implicitValue()
  }

  private func takingOver<Value>(
    _ forwarded: Resolution, _ body: () throws(ResolutionError) -> Value?
  ) throws(ResolutionError) -> Value? {
    var isAnswered = true
    defer { takeOver(forwarded, isAnswered: isAnswered) }
    let value = try body()
    isAnswered = value != nil
    return value
  }

  /// Ends the request with a value.
  func handedOut<Value>(_ value: Value) -> Value {
    settleClaims()
    watch(value)
    if observed != nil { sendValue(value) }
    return value
  }

  /// The creation on whose behalf the calling thread makes requests, if there is one.
  var requester: Creation? { Creation.requester(within: creation) }

  // MARK: Instances

  /// Stores a created value, if it is to be stored; false if another request claimed the
  /// registration.
  func keep<Value>(
    _ value: Value, of creation: Creation, isStored: Bool, _ decision: Decision
  ) -> Bool {
    let answer = decision.answer
    let registration = Registration<Value>.typed(answer.registration)
    let isRemoved = decision.policy.removesRegistration
    let isStored = isStored && !isRemoved && !creation.isTransient
    let owner = creation.owner
    if !isHandedOn {
      origin = .created(storedAt: isStored ? owner.rank : nil)
      noteCreated(value, by: registration)
    }
    if isRemoved, !claim(answer) {
      finish(creation, with: nil, answer)
      return false
    }
    record(.made, answer)
    observed?.owner = isStored ? owner : nil
    if isStored, let session {
      // The outermost request of the thread has something to complete first.
      let box = completedValue as? CompletedValue<Value> ?? CompletedValue(value)
      if let outer = self.creation { outer.withState { $0.earlyParts.append(creation) } }
      self.creation?.add(provenance(answer))
      self.creation?.contribute(owner)
      session.finishLater { [self] isComplete in
        let instance =
          isComplete ? self.instance(of: box.value, from: creation.dependencies, answer) : nil
        finish(creation, with: instance, answer)
      }
      return true
    }
    let dependencies = creation.dependencies
    let instance = isStored ? self.instance(of: value, from: dependencies, answer) : nil
    self.creation?.add(provenance(answer, dependencies))
    finish(creation, with: instance, answer)
    return true
  }

  /// The instance that stores a value.
  func instance<Value>(
    of value: Value, from dependencies: [Provenance], _ answer: Answer
  ) -> AnyInstance? {
    let registration = Registration<Value>.typed(answer.registration)
    return registration.sharing?.instance(
      value, of: registration, from: dependencies, heldAs: retention(of: answer),
      isMade: !isHandedOn && !isGiven && !registration.isOfOthers)
  }

  /// How the answering registration's instance is held: a decorator's as that of the registration
  /// it shadows.
  private func retention(of answer: Answer) -> Retention {
    guard answer.registration.isDecoration else { return answer.registration.retention }
    return levels.reading { levels.maker(of: answer) }?.registration.retention ?? .strong
  }

  /// Ends a creation that failed. A caller that can go on without the value depends on what it
  /// depended on.
  func abandon(_ creation: Creation, _ answer: Answer) {
    for dependency in creation.dependencies { self.creation?.add(dependency) }
    finish(creation, with: nil, answer)
  }

  private func finish(_ creation: Creation, with instance: AnyInstance?, _ answer: Answer) {
    let (owner, hooks) = creation.withState { state in
      defer { state.hooks = [] }
      return (state.owner, state.hooks)
    }
    // Before others see the instance.
    if !hooks.isEmpty { settle(hooks, storedAt: instance == nil ? nil : owner) }
    settleContext(of: creation, storedAt: instance == nil ? nil : owner)
    land(creation, with: instance, answer)
    self.creation?.contribute(owner)
  }
}
