// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers: what the same question came to before, if nothing of the
/// stack has changed since. Its cost does not grow with the depth of the stack.
extension Resolver {
  /// An instance that is known to answer, and who keeps count.
  private struct Recalled {
    let registration: AnyRegistration
    let instance: any AnyInstance
    /// The name of the layer that answers; `nil` for production.
    let layer: String?
    let counter: KeyCounter
    let otherCounter: KeyCounter?
  }

  /// The value that is remembered, counted and logged; `nil` if none is. What this takes of the stack is
  /// given back before any block runs.
  func recalledValue<Value>(for request: Request, under top: OverrideLayer) -> Value? {
    guard let recalled = recall(request, under: top),
      let sharing = (recalled.registration as! Registration<Value>).sharing,
      let value = sharing.value(recalled.instance)
    else { return nil }
    note(recalled, request, value, under: top)
    return value
  }

  /// The instance that the last resolution of the same key under the same layer reused; `nil` if it is not
  /// known, or not known to hold still.
  private func recall(_ request: Request, under top: OverrideLayer) -> Recalled? {
    guard top.resolver === self, request.lifecycle == .cached, request.argument == nil,
      top.test != nil || !TestHosts.areAny,
      let key = request.recollectionKey(under: top),
      let remembered = top.recollection[key], !Completions.areAnyRegistered,
      !Construction.isTracked
    else { return nil }
    let registration: AnyRegistration
    let instance: any AnyInstance
    var layer: String?
    switch remembered.source {
    case .layer(let own, let name, let kept):
      own.markUsed()
      registration = own
      layer = name
      instance = kept
    case .boundary(let kept):
      guard let now = productionAnswer(to: request), kept.provenance.isOfRegistration(now)
      else { return nil }
      registration = now
      instance = kept
    case .production(let serial):
      guard let now = productionAnswer(to: request), let kept = store.instance(of: now),
        kept.serial == serial
      else { return nil }
      registration = now
      instance = kept
    }
    return Recalled(
      registration: registration, instance: instance, layer: layer,
      counter: remembered.counter, otherCounter: remembered.otherCounter)
  }

  /// Counts, logs and watches a recalled value like any other.
  private func note<Value>(
    _ recalled: Recalled, _ request: Request, _ value: Value, under top: OverrideLayer
  ) {
    let construction = Construction.current
    let event = ResolutionEvent(
      order: ResolutionLog.nextOrder(),
      parent: construction.flatMap { $0.order == 0 ? nil : $0.order }, key: request.key,
      requester: construction?.registration.key, layer: recalled.layer, outcome: .reused,
      argument: nil, ignoredArgument: false, callSite: request.callSite)
    top.log.record(event, in: recalled.counter, recalled.otherCounter)
    if top.test != nil, recalled.counter.wantsCaptures {
      top.watch(value, for: request.key, at: request.callSite)
    }
  }

  private func productionAnswer(to request: Request) -> AnyRegistration? {
    guard let declared = request.declared else {
      return store.registration(forPlain: request.key.type)
    }
    return store.mayAnswerDeclared ? nil : declared
  }
}

extension Resolution {
  /// Remembers what was reused, if nothing that the next one would not see had a part in it.
  func remember(_ found: Found, _ registration: Registration<Value>, _ answer: Answer) {
    guard let generation, let top, let layer, layer === top, start === top, first == nil,
      request.lifecycle == .cached, request.argument == nil, registration.retention == .strong,
      !registration.isDecoration, !Completions.areAnyRegistered,
      let key = request.recollectionKey(under: top)
    else { return }
    let source: RememberedAnswer.Source
    if let answering = answer.layer {
      guard found.owner != nil, answer.boundary == nil else { return }
      source = .layer(registration, name: answering.name, found.instance)
    } else {
      guard top.options.weight(of: .fallThrough) == .off else { return }
      source =
        found.owner == nil
        ? .production(serial: found.instance.serial) : .boundary(found.instance)
    }
    top.recollection.keep(
      RememberedAnswer(
        source, counter: top.log.counter(for: request.key),
        otherCounter: registration.key == request.key
          ? nil : top.log.counter(for: registration.key)),
      for: key, since: generation)
  }
}

extension Request {
  fileprivate func recollectionKey(
    under top: OverrideLayer
  ) -> Recollection<RememberedAnswer>.Key? {
    guard let subject = key.subject else { return nil }
    return Recollection.Key(asker: top.serial, subject: subject, type: ObjectIdentifier(key.type))
  }
}

extension Provenance {
  fileprivate func isOfRegistration(_ registration: AnyRegistration) -> Bool {
    if case .registration(let own) = answer { own === registration } else { false }
  }
}
