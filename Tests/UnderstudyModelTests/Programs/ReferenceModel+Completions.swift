// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

// Completions (`then:`) run after the outermost request has created everything. Until then,
// instances are returned before they are complete, and none is cached.

extension ReferenceModel {
  /// The work that is left for the outermost request.
  final class Session {
    struct Step {
      let registration: Registration
      let part: Part
      /// The creation to which the requests of the completion belong.
      let making: Making?
      let completion: Completion
    }
    var steps: [Step] = []
    var makings: [Making] = []
    /// Caches an instance, or releases it.
    var landings: [(_ isComplete: Bool) -> Void] = []

    /// The incomplete instance of a registration.
    func early(of registration: Registration) -> Making? {
      makings.first { $0.registration == registration.id && $0.early != nil }
    }
  }

  /// True if the innermost layer has a registration with a completion for the key.
  func isCompletedByInnermost(_ key: Int) -> Bool {
    levels.count > resolverCount
      && levels[levels.count - 1].registrations[key]?.block.completion != nil
  }

  /// Called when a block has run. The outermost block completes everything.
  func completing(
    _ part: Part, _ found: Registration, _ question: Question, _ own: Making?, isOutermost: Bool
  ) throws(Failure) -> Part {
    let completion = found.block.completion
    guard completion != nil || session != nil else { return part }
    let session = session ?? Session()
    self.session = session
    if let own {
      own.early = part
      session.makings.append(own)
    }
    if let completion, let lastMade {
      session.steps.append(
        Session.Step(
          registration: found, part: lastMade, making: making, completion: completion))
    }
    if isOutermost { try complete(session, question) }
    return part
  }

  private func complete(_ session: Session, _ question: Question) throws(Failure) {
    let (running, making) = (running, making)
    defer { (self.running, self.making) = (running, making) }
    var done = 0
    while done < session.steps.count {
      let step = session.steps[done]
      done += 1
      // A completion that creates new parts with the same completion never ends.
      if done > 300 { isEndless = true }
      if isEndless { throw Failure(reason: .cycle, path: []) }
      self.running = [Running(registration: step.registration, isCompletion: true)]
      self.making = step.making
      var parts: [Int] = []
      for need in step.completion.needs { parts += try answerOfPart(need) }
      if isToFail(step.completion) {
        let own = step.registration.key
        throw Failure(
          reason: .broken, path: [question.key] + (own == question.key ? [] : [own]))
      }
      step.part.complete(with: parts)
    }
    endSession(isComplete: true)
  }

  private func isToFail(_ completion: Completion) -> Bool {
    failuresSoFar[completion.id, default: 0] += 1
    return failuresSoFar[completion.id, default: 0] <= completion.failures
  }

  /// The owner is the innermost layer that contributed to any part of an instance, and its
  /// dependencies are those of all parts: O5 and O6 of `Docs/Guarantees.md`.
  func endSession(isComplete: Bool) {
    guard let session else { return }
    self.session = nil
    let wholes = session.makings.map { whole($0) }
    let owners = wholes.map { $0.map(\.owner).max() ?? 0 }
    let dependencies = wholes.map { $0.flatMap(\.dependencies) }
    for (index, own) in session.makings.enumerated() {
      own.owner = owners[index]
      own.dependencies = dependencies[index]
      own.early = nil
    }
    for land in session.landings { land(isComplete) }
  }

  /// Returns an instance before it is complete.
  func reuseEarly(
    _ other: Making, of found: Registration, _ question: Question, _ level: Int
  ) -> Part? {
    contribute(other.owner)
    making?.earlyParts.append(other)
    depend(on: found, question, level, [])
    count(question, \.reused)
    return other.early
  }

  func keepLater(
    _ part: Part, of own: Making, _ found: Registration, _ question: Question, _ level: Int,
    in session: Session
  ) {
    making?.earlyParts.append(own)
    depend(on: found, question, level, [])
    count(question, \.made)
    session.landings.append { [self] isComplete in
      let isKept = isComplete && question.lifecycle != .once
      settle(own, isKept: isKept)
      if isKept { keep(part, of: own, found, level) }
    }
  }
}

extension ReferenceModel.Registration.Block {
  fileprivate var completion: Completion? {
    switch self {
    case .making(let recipe): recipe.completion
    case .decorating: nil
    case .wrapping(let inner, _): inner.completion
    }
  }
}
