// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The registration that answers a key for the calling task, or `nil` if there is none. Nothing
  /// is created.
  public func registration(
    for key: AnyKey, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> AnyRegistration? {
    answers(to: key, at: CallSite(fileID, filePath, line, column)).first?.registration
  }

  /// The registrations that answer a key for the calling task. A registration that forwards a
  /// request forwards it to the next one in the array.
  package func answers(to key: AnyKey, at callSite: CallSite) -> [Answer] {
    answers(to: key, under: layerOrProduction(Request(key, at: callSite), isAnswered: false))
  }

  /// The registrations that answer a key under a layer: of each layer that has one, then of
  /// production.
  package func answers(to key: AnyKey, under top: OverrideLayer?) -> [Answer] {
    let levels = LevelStack(top: top?.store, production: store)
    return levels.reading {
      var answers: [Answer] = []
      var next = levels.answer(to: key, from: levels.top)
      while let answer = next {
        answers.append(answer)
        next = answer.isOfLayer ? levels.answer(to: key, from: answer.level.outer) : nil
      }
      return answers
    }
  }

  /// The stored double of a type, as its own type. Nothing is created or counted.
  ///
  /// ```swift
  /// let mailer = Resolver.current.existing((any Mailer).self, as: MailerSpy.self)
  /// ```
  ///
  /// `type` and the other parameters are those of the registration, and `double` is the type of the
  /// double.
  ///
  /// - Returns: The double, or `nil` if none is stored or it has another type. A registration that
  ///   is not cached stores none, so register the double `lifecycle: .cached`, or as a value.
  public func existing<Value, Double>(
    _ type: Value.Type, as double: Double.Type, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Double? {
    let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    let request = Request(key.erased, at: CallSite(fileID, filePath, line, column))
    return existing(Value.self, for: request) as? Double
  }

  /// The stored double of a declared dependency: `existing(\.mailer, as: MailerSpy.self)`.
  public func existing<Value, Double>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, as double: Double.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Double? {
    let callSite = CallSite(fileID, filePath, line, column)
    let registration = Dependency.identified(dependency, at: callSite).registration
    let request = Request(registration.key, declared: registration, at: callSite)
    return existing(Value.self, for: request) as? Double
  }

  package func existing<Value>(_ type: Value.Type, for request: Request) -> Value? {
    existingInstance(for: request)?.anyValue as? Value
  }

  /// The stored instance that would answer a request, under its own key or an aliased one.
  private func existingInstance(for request: Request) -> AnyInstance? {
    let top = layerOrProduction(request)
    let levels = LevelStack(top: top?.store, production: store)
    let guarded = guardedResolution(of: request, under: top)
    var garbage = Garbage()
    levels.lock()
    let answer = levels.answerBehindFaults(to: request)
    let isShareable = answer?.registration.isShareable ?? false
    var instance =
      isShareable
      ? answer.flatMap {
        levels.scan(for: $0, to: request, &garbage).instance
          ?? $0.registration.existingInstance(at: $0.level.production.number)
      } : nil
    if let answer, let found = instance, guarded?.isRefused(found, of: answer) == true {
      instance = nil
    }
    // Aliases of each other have no answer.
    let isAnswered =
      answer.flatMap {
        levels.maker(of: $0, to: request.key, declared: request.declared)
      } != nil
    levels.unlock()
    garbage.release()
    guard isAnswered, let aliased = answer?.registration.aliased else { return instance }
    return existingInstance(for: request.of(aliased))
  }

  /// A resolution of a request whose work lost its context, if a live guard guards that.
  private func guardedResolution(of request: Request, under top: OverrideLayer?) -> Resolution? {
    guard let escapedWorkGuard = EscapedWorkGuard.ofCaller(under: top) else { return nil }
    let resolution = Resolution(
      request, of: self, for: Surroundings(top: top), from: top?.store)
    resolution.escapedWorkGuard = escapedWorkGuard
    return resolution
  }
}

extension LevelStack {
  /// The answer that faults forward to, whether or not they would strike now.
  fileprivate func answerBehindFaults(to request: Request) -> Answer? {
    var next = answer(to: request.key, from: top, declared: request.declared)
    while let answer = next, answer.registration.isFault {
      next = self.answer(below: answer, to: request.key, declared: request.declared)
    }
    return next
  }
}
