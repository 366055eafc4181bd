// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers: what the same question came to before, if nothing of the
/// stack has changed since. Its cost does not grow with the depth of the stack.
extension Resolver {
  /// The instance that the last resolution of a declared dependency under the same layer reused.
  @usableFromInline
  func rememberedInstance(
    of declared: AnyRegistration, _ lifecycle: Lifecycle, at callSite: CallSite
  ) -> AnyInstance? {
    guard let layer = OverrideLayer.unmanagedCurrent else { return nil }
    return rememberedInstance(
      for: declared.key, declared: declared, lifecycle, under: layer, at: callSite)
  }

  /// The instance that the last resolution of a key under the same layer reused, counted and logged like
  /// any other; `nil` if it is not known, or not known to hold still.
  func rememberedInstance(
    for key: AnyKey, declared: AnyRegistration?, _ lifecycle: Lifecycle,
    under top: Unmanaged<OverrideLayer>, at callSite: CallSite
  ) -> AnyInstance? {
    top._withUnsafeGuaranteedRef { top in
      guard lifecycle == .cached, top.resolver === self, top.test != nil || !TestHosts.areAny,
        let place = key.recollectionKey(under: top), !Completions.areAnyRegistered
      else { return nil }
      let construction = Construction.current
      guard construction?.tracker == nil,
        let recalled = Unmanaged.passUnretained(top.recollection)._withUnsafeGuaranteedRef({
          $0.read(place) { Recalled($0, isInTest: top.test != nil) }
        }),
        let instance = recalled.instance ?? checked(recalled, declared)
      else { return nil }
      let isWatched =
        recalled.remembered?.countReuse(of: instance.serial, isInTest: top.test != nil)
        ?? recalled.isWatched
      Unmanaged.passUnretained(top.log)._withUnsafeGuaranteedRef {
        $0.record(
          ResolutionEvent(
            recalled.subject, order: ResolutionLog.nextOrder(), parent: construction?.order ?? 0,
            requester: construction?.registration.key, callSite: callSite))
      }
      if isWatched { top.watchReused(instance, for: key, at: callSite) }
      return instance
    }
  }

  /// The instance, if production still answers with what it did.
  private func checked(_ recalled: Recalled, _ declared: AnyRegistration?) -> AnyInstance? {
    guard let remembered = recalled.remembered,
      let now = productionAnswer(to: recalled.subject.key, declared)
    else { return nil }
    if let serial = remembered.serial {
      guard let kept = store.instance(of: now), kept.serial == serial else { return nil }
      return kept
    }
    guard let kept = remembered.instance, kept.provenance.isOfRegistration(now) else { return nil }
    return kept
  }

  private func productionAnswer(to key: AnyKey, _ declared: AnyRegistration?) -> AnyRegistration? {
    guard let declared else { return store.registration(forPlain: ObjectIdentifier(key.type)) }
    return store.mayAnswerDeclared ? nil : declared
  }
}

/// What was remembered, looked at under the lock of what remembers it.
///
/// Where a layer answers, that is the answer, counted already, and no reference to what was remembered is.
/// Production's is to be looked at again, which may let go of what is the last reference to a user's object, so that is
/// done after.
private struct Recalled {
  let instance: AnyInstance?
  let subject: EventSubject
  let isWatched: Bool
  /// What is to be checked and counted, if production answers.
  let remembered: RememberedAnswer?

  @inline(__always)
  init(_ remembered: RememberedAnswer, isInTest: Bool) {
    subject = remembered.subject
    if remembered.registration != nil, let kept = remembered.instance {
      instance = kept
      isWatched = remembered.countReuse(of: kept.serial, isInTest: isInTest)
      self.remembered = nil
    } else {
      instance = nil
      isWatched = false
      self.remembered = remembered
    }
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
    let counter = top.log.counter(for: request.key)
    top.recollection.keep(
      RememberedAnswer(
        source, counter: counter,
        otherCounter: registration.key == request.key
          ? nil : top.log.counter(for: registration.key),
        subject: counter.subject(of: .reused, answeredBy: answer.layer?.name)),
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
