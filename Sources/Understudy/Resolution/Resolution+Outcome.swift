// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Notes the answering registration of a request, its outcome and its error.
extension Resolution {
  /// Notes the answer: an override is used, or the request falls through to production.
  func recordUse(of answer: Answer) {
    observed?.label = answer.level.label
    // The only layer of a stack overrides this resolver, so there is nothing to note.
    if layer == nil || top?.outer != nil { noteAskedElsewhere(answer) }
    guard let layer = layerThatChecks(answer) else { return }
    let weight = layer.options.weight(of: .fallThrough)
    // The driver throws an error, which reports this.
    if weight == .error || levels.reading({ refusal(of: answer) }) != nil { return }
    let error = error(.fellThrough(layer: layer.name))
    layer.record(
      Violation(error.messageOfWarning(layer.name), severity: .warning, at: request.callSite))
  }

  /// Notes that the caller sees an override of the key, and asks another resolver. A layer that
  /// answers hides the layers below it.
  private func noteAskedElsewhere(_ answer: Answer?) {
    guard let top, answer?.level !== top.store, OverriddenTypes.mayHave(request.key) else { return }
    let isOfLayer = answer?.isOfLayer ?? false
    for layer in top.stack {
      if isOfLayer, layer.store === answer?.level { return }
      guard !layer.overrides(resolver), let override = layer.registration(for: request.key) else {
        continue
      }
      let mayBeOfTest = isOfLayer || !isOlder(answer?.registration, than: override)
      layer.noteMissed(
        .resolver(resolver.name, request.callSite, mayBeOfTest: mayBeOfTest), for: request.key)
    }
  }

  private func isOlder(_ found: AnyRegistration?, than override: AnyRegistration) -> Bool {
    guard let found else { return true }
    return found.isDeclaredDefault || found.serial < override.serial
  }

  private func report(ignored argument: String, _ maker: Answer, _ instance: AnyInstance?) {
    guard let layer, layer.isOfTest, isCounted, request.resolverArgument == nil,
      layer.options.weight(of: .ignoredArgument) != .off,
      !maker.registration.traits.isKeyedByArgument,
      instance == nil || argument != instance?.argument, !isDoubleOfTaker(maker)
    else { return }
    layer.record(ignored: argument, of: request, for: maker.registration)
  }

  /// True for an override that takes no argument and stands in for a block that takes one.
  private func isDoubleOfTaker(_ answer: Answer) -> Bool {
    if answer.registration.argumentType != nil { return false }
    return levels.reading {
      var next = answer
      while next.isOfLayer,
        let below = levels.answer(to: request.key, from: levels.nextLayer(below: next.level))
      {
        if maker(of: below)?.registration.argumentType != nil { return true }
        next = below
      }
      return false
    }
  }

  func record(
    _ outcome: ResolutionEvent.Outcome, _ answer: Answer, of instance: AnyInstance? = nil
  ) {
    guard let layer else { return }
    var (argument, isIgnored): (String?, Bool) = (nil, false)
    if let passed = request.argument {
      // A decorator passes the argument on.
      let isWrapped = answer.registration.isDecoration
      let maker = isWrapped ? levels.reading { self.maker(of: answer) } ?? answer : answer
      isIgnored = outcome == .reused || maker.registration.ignoresArguments
      argument = String(describing: passed.value)
      // The request for an aliased key, which has another type, reports what it ignores.
      let isOfAlias =
        isWrapped && outcome != .reused && maker.registration.key.type != request.key.type
      if isIgnored, !isRelayed, !isOfAlias, let argument {
        report(ignored: argument, maker, instance)
      }
    }
    layer.log.record(
      event(outcome, by: answer.level.label, argument, isIgnored: isIgnored),
      isCounted: isCounted, answer.registration.otherKey(than: request.key))
  }

  func recordMissed() {
    if !request.mayBeMissing, layer == nil || top?.outer != nil { noteAskedElsewhere(nil) }
    if isCounted { send(.missed) }
    layer?.log.record(
      event(.missed, by: nil, request.argument.map { String(describing: $0.value) }),
      isCounted: isCounted)
  }

  private func event(
    _ outcome: ResolutionEvent.Outcome, by label: LayerLabel?, _ argument: String? = nil,
    isIgnored: Bool = false
  ) -> ResolutionEvent {
    ResolutionEvent(
      order: order, parentOrder: construction?.order ?? 0, key: request.key,
      requester: construction?.registration.key,
      requesterSerial: construction?.registration.serial, label: label, outcome: outcome,
      argument: argument, ignoredArgument: isIgnored, callSite: request.callSite)
  }

  /// Notes that a request failed, and returns the error.
  ///
  /// - Parameter isDecided: True if the engine refused this request. False if the error may come
  ///   from a request within its block, or below a decorator, which has reported it already.
  func failed(
    _ error: ResolutionError, _ answer: Answer, isDecided: Bool = false
  ) -> ResolutionError {
    if case .released = error.reason, error.key == request.key { isVacant = true }
    var error = error
    if let aliased = answer.registration.aliased, error.outerRequest?.key ?? error.key == aliased {
      error = standing(for: error)
    }
    putBackClaims()
    record(.failed, answer)
    sendFailed(error)
    creation?.add(provenance(answer))
    let isOwn = isDecided || error.key == request.key && !answer.registration.isDecoration
    if error.isForbidden, isOwn, !request.keepsErrors {
      report(error, answer)
    }
    return error
  }

  /// The error of this request for the error of the request that it stands for.
  func standing(for error: ResolutionError) -> ResolutionError {
    error.standing(for: request.key, by: construction?.registration.key)
  }

  /// Reports the use of a value that the test forbids, on the layer that forbids it or on the test.
  private func report(_ error: ResolutionError, _ answer: Answer) {
    let violation = Violation(error.message, at: error.callSite)
    let owner: OverrideLayer? =
      switch error.reason {
      case .unimplemented: top?.layer(of: answer.level)
      case .fellThrough: layer
      default: top.flatMap { !$0.isOfTest && TestHosts.areAny ? nil : $0 }
      }
    if let escapedWorkGuard, isOfEscapedWork(error.reason) {
      TestHosts.reportOnRun(violation, about: escapedWorkGuard.roots)
    } else if let owner {
      owner.record(violation)
    } else {
      TestHosts.report(violation)
    }
  }

  func failed(
    _ failure: any Error, _ registration: AnyRegistration, by label: LayerLabel?
  ) -> ResolutionError {
    let error = explained(failure, registration)
    layer?.log.record(event(.failed, by: label), registration.otherKey(than: request.key))
    return error
  }

  /// Notes that a cached instance is handed out.
  func reused(_ instance: AnyInstance, owner: LevelStore, isNew: Bool, _ answer: Answer) {
    if isNew { origin = .created(storedAt: owner.rank) }
    observed?.owner = owner
    if let creation {
      let home = levels.home(of: instance)
      creation.contribute(owner, at: home)
      creation.add(provenance(answer, instance.dependencies, at: (owner.rank, home.rank)))
    }
    record(isNew ? .made : .reused, answer, of: instance)
  }

  /// Notes a value that was created for this request alone.
  func called(_ value: Any, _ answer: Answer) {
    if !isUnderlyingValue {
      if !isRelayed { origin = .created(storedAt: nil) }
      noteCreated(value, by: answer.registration)
    }
    creation?.add(provenance(answer))
    if isRelayed, case .cached = origin { record(.reused, answer) } else { record(.made, answer) }
  }

  /// Tells layers that dispose of the value about it, if it was just created.
  func noteCreated(_ value: @autoclosure () -> Any, by registration: AnyRegistration) {
    guard case .created = origin, let layer, layer.hasDisposers else { return }
    guard let session else { return noteMade(value(), by: registration) }
    // After the parts that are still to be completed, which are older.
    let value = value()
    session.finishLater { [self] _ in noteMade(value, by: registration) }
  }

  /// The same, at once.
  func noteMade(_ value: Any, by registration: AnyRegistration) {
    guard case .created(let owner) = origin, let layer else { return }
    for part in parts where !isOneObject(part, value) {
      layer.noteMade(part, for: request.key, by: registration.key, keptAt: owner)
    }
    layer.noteMade(value, for: request.key, by: registration.key, keptAt: owner)
  }

  /// Disposes of the wrapped values of a request that failed. An existing value stays for the next
  /// request.
  func noteLostParts(by registration: AnyRegistration) {
    if parts.isEmpty { return }
    if registration.wrapsExisting { parts.removeFirst() }
    for part in parts { layer?.noteMade(part, for: request.key, by: registration.key, keptAt: nil) }
    parts = []
  }

  func notePart(_ part: Any) {
    if !parts.contains(where: { isOneObject($0, part) }) { parts.append(part) }
  }
}

extension AnyRegistration {
  func otherKey(than requested: AnyKey) -> AnyKey? {
    let key = self.key
    return key == requested ? nil : key
  }
}
