// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The synchronous driver: it carries out the decisions of the engine on the calling thread,
/// without a lock.
extension Resolution {
  /// The value, or an error that explains why there is none.
  func value<Value>() throws(ResolutionError) -> Value {
    guard let value: Value = try valueIfAnswered() else { throw missing() }
    return value
  }

  /// The value, or `nil` if nothing answers or the weakly held object is gone.
  func valueIfThere<Value>() throws(ResolutionError) -> Value? {
    do throws(ResolutionError) {
      if let value: Value = try valueIfAnswered() { return value }
    } catch {
      guard isVacant else { throw error }
    }
    noteNothing()
    return nil
  }

  /// The value, or `nil` if nothing answers.
  func valueIfAnswered<Value>() throws(ResolutionError) -> Value? {
    while let decision = decide() {
      note(decision)
      let answer = decision.answer
      switch decision.action {
      case .reuse(let instance, let owner, let isNew):
        guard let value = instance.value(as: Value.self) else { break }
        reused(instance, owner: owner, isNew: isNew, answer)
        return handedOut(value)
      case .reuseEarly(let early, let other, let owner):
        guard let value = early.instance.value(as: Value.self) else { break }
        reusedEarly(early, of: other, owner: owner, answer)
        return handedOut(value)
      case .call:
        do throws(ResolutionError) {
          guard let value: Value = try create(answer, for: creation) else { break }
          called(value, answer)
          return handedOut(value)
        } catch {
          throw failed(error, answer)
        }
      case .create(let creation, let isStored, let usesUp):
        do throws(ResolutionError) {
          guard let value: Value = try create(answer, for: creation, isStored: isStored) else {
            abandon(creation, answer)
            break
          }
          if keep(value, of: creation, isStored: isStored, usesUp: usesUp, answer) {
            return handedOut(value)
          }
        } catch {
          abandon(creation, answer)
          throw failed(error, answer)
        }
      case .wait(let other, let latch):
        defer { requester.map { Waiting.end(for: other, by: $0) } }
        // A thread of the cooperative pool must not wait for work that needs the pool.
        if other.isAsynchronous { throw failed(error(.asynchronous, answer.registration), answer) }
        LongWait.wait(at: latch, for: other, request.key, at: request.callSite)
      case .forward:
        let forwarded = try forwarded(by: answer)
        var isAnswered = true
        defer { takeOver(forwarded, isAnswered: isAnswered) }
        let value: Value? = try forwarded.valueIfAnswered()
        isAnswered = value != nil
        return value
      case .fail(let reason, let route):
        throw failed(
          error(reason, answer.registration, through: route), answer, isDecided: true)
      case .askAgain, .leave: break
      }
      sendCreated(nil)
      putBackClaims()
      // A member of an assembly that another request has claimed is gone.
      if answer.isMember { return nil }
    }
    return try implicitValue()
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

  /// Stores a created value, if it is to be stored. Returns `false` if another request claimed the
  /// registration.
  func keep<Value>(
    _ value: Value, of creation: Creation, isStored: Bool, usesUp: Bool, _ answer: Answer
  ) -> Bool {
    let registration = answer.registration.typed(as: Value.self)
    let (owner, dependencies, isTransient) = creation.outcome
    let isKept = isStored && !usesUp && !isTransient
    if !isHandedOn {
      origin = .created(storedAt: isKept ? owner.rank : nil)
      noteCreated(value, by: registration)
    }
    if usesUp, !claim(answer) {
      finish(creation, with: nil, answer)
      return false
    }
    record(.made, answer)
    observed?.owner = isKept ? owner : nil
    if isStored, let session {
      // The outermost request of the thread has something to complete first.
      let box = completedValue as? CompletedValue<Value> ?? CompletedValue(value)
      if let outer = self.creation { outer.withState { $0.earlyParts.append(creation) } }
      self.creation?.add(provenance(answer))
      self.creation?.contribute(owner)
      session.finishLater { [self] isComplete in
        let (_, dependencies, isTransient) = creation.outcome
        let isKept = isKept && isComplete && !isTransient
        let instance = isKept ? self.instance(of: box.value, from: dependencies, answer) : nil
        finish(creation, with: instance, answer)
      }
      return true
    }
    let instance = isKept ? self.instance(of: value, from: dependencies, answer) : nil
    self.creation?.add(provenance(answer, dependencies))
    finish(creation, with: instance, answer)
    return true
  }

  /// The instance that stores a value.
  func instance<Value>(
    of value: Value, from dependencies: [Provenance], _ answer: Answer
  ) -> AnyInstance? {
    let registration = answer.registration.typed(as: Value.self)
    return registration.sharing?.instance(
      value, of: registration, from: dependencies, heldAs: retention(of: answer),
      isMade: !isHandedOn && !isGiven && !registration.isOfOthers)
  }

  /// How the answering registration's instance is held. A decorator holds it like the registration
  /// that it shadows.
  private func retention(of answer: Answer) -> Retention {
    guard answer.registration.isDecoration else { return answer.registration.retention }
    return levels.reading { levels.maker(of: answer) }?.registration.retention ?? .strong
  }

  /// Ends a creation that failed. A caller that can continue without the value depends on the same
  /// dependencies.
  func abandon(_ creation: Creation, _ answer: Answer) {
    for dependency in creation.dependencies { self.creation?.add(dependency) }
    finish(creation, with: nil, answer)
  }

  private func finish(_ creation: Creation, with instance: AnyInstance?, _ answer: Answer) {
    let (owner, hooks, context) = creation.takeHooks()
    // This comes before other requests see the instance.
    let keeper = instance == nil ? nil : owner
    if !hooks.hasNone { settle(hooks, storedAt: keeper) }
    if let context { settle(context, of: creation, answer, storedAt: keeper) }
    land(creation, with: instance, answer)
    self.creation?.contribute(owner)
  }
}
