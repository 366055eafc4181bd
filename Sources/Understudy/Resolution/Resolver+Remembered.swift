// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers: what the same question came to before, if nothing of the
/// stack has changed since. Its cost does not grow with the depth of the stack.
extension Resolver {
  /// The instance that the last resolution of a declared dependency under the same layer reused.
  @usableFromInline
  func rememberedInstance(
    of declared: AnyRegistration, _ lifecycle: Lifecycle, fileID: StaticString,
    filePath: StaticString, line: Int, column: Int
  ) -> AnyInstance? {
    guard let layer = OverrideLayer.current else { return nil }
    return rememberedInstance(
      for: declared.key, declared: declared, lifecycle, under: layer,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The instance that the last resolution of a key under the same layer reused, counted and logged like
  /// any other; `nil` if it is not known, or not known to hold still.
  func rememberedInstance(
    for key: AnyKey, declared: AnyRegistration?, _ lifecycle: Lifecycle, under top: OverrideLayer,
    at callSite: CallSite
  ) -> AnyInstance? {
    guard lifecycle == .cached, top.resolver === self, top.test != nil || !TestHosts.areAny,
      let key = key.recollectionKey(under: top), let remembered = top.recollection[key],
      !Completions.areAnyRegistered
    else { return nil }
    let construction = Construction.current
    guard construction?.tracker == nil, let instance = instance(of: remembered, declared) else {
      return nil
    }
    top.log.record(
      ResolutionEvent(
        order: ResolutionLog.nextOrder(), parent: construction?.order ?? 0, of: remembered.counter,
        requester: construction?.registration.key, layer: remembered.layer, outcome: .reused,
        callSite: callSite),
      answeredBy: remembered.otherCounter)
    top.watch(instance, in: remembered.counter, at: callSite)
    return instance
  }

  /// The instance, if production still answers with what it did where that matters.
  private func instance(
    of remembered: RememberedAnswer, _ declared: AnyRegistration?
  ) -> AnyInstance? {
    switch remembered.source {
    case .layer(let own, let kept):
      own.markUsed()
      return kept
    case .boundary(let kept):
      guard let now = productionAnswer(to: remembered.counter.key, declared),
        kept.provenance.isOfRegistration(now)
      else { return nil }
      return kept
    case .production(let serial):
      guard let now = productionAnswer(to: remembered.counter.key, declared),
        let kept = store.instance(of: now), kept.serial == serial
      else { return nil }
      return kept
    }
  }

  private func productionAnswer(to key: AnyKey, _ declared: AnyRegistration?) -> AnyRegistration? {
    guard let declared else { return store.registration(forPlain: ObjectIdentifier(key.type)) }
    return store.mayAnswerDeclared ? nil : declared
  }
}

extension Resolution {
  /// Remembers what was reused, if nothing that the next one would not see had a part in it.
  func remember(_ found: Found, _ registration: Registration<Value>, _ answer: Answer) {
    guard let generation, let top, let layer, layer === top, start === top, first == nil,
      request.lifecycle == .cached, request.argument == nil, registration.retention == .strong,
      !registration.isDecoration, !Completions.areAnyRegistered,
      let key = request.key.recollectionKey(under: top)
    else { return }
    let source: RememberedAnswer.Source
    if answer.layer != nil {
      guard found.owner != nil, answer.boundary == nil else { return }
      source = .layer(registration, found.instance)
    } else {
      guard top.options.weight(of: .fallThrough) == .off else { return }
      source =
        found.owner == nil
        ? .production(serial: found.instance.serial) : .boundary(found.instance)
    }
    top.recollection.keep(
      RememberedAnswer(
        source, layer: answer.layer?.name, counter: top.log.counter(for: request.key),
        otherCounter: registration.key == request.key
          ? nil : top.log.counter(for: registration.key)),
      for: key, since: generation)
  }
}

extension AnyKey {
  fileprivate func recollectionKey(
    under top: OverrideLayer
  ) -> Recollection<RememberedAnswer>.Key? {
    guard let subject else { return nil }
    return Recollection.Key(asker: top.serial, subject: subject, type: ObjectIdentifier(type))
  }
}

extension Provenance {
  fileprivate func isOfRegistration(_ registration: AnyRegistration) -> Bool {
    if case .registration(let own) = answer { own === registration } else { false }
  }
}
