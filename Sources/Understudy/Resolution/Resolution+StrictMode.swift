// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Strict mode and the live guard: what production must not answer.
extension Resolution {
  /// The reason why production must not answer. `nil` if it may, or if an override answers. This
  /// runs while the levels are locked.
  func refusal(of answer: Answer) -> ResolutionError.Reason? {
    if answer.isOfLayer {
      // A layer may install an assembly of production, whose registrations have their guards.
      guard answer.registration.isGuarded else { return nil }
    } else if let layer = layerThatChecks(answer),
      layer.options.weight(of: .fallThrough) == .error
    {
      return .fellThrough(layer: layer.name)
    }
    guard TestProcess.runsTests, !answer.registration.isAlias,
      let guardian = guardian(
        of: answer.registration, as: request.key, under: top, escapedWorkGuard)
    else { return nil }
    return .mustBeOverridden(by: guardian)
  }

  /// Fails if production would answer this request, or one that it stands for, and must not.
  func refuseProduction() throws(ResolutionError) {
    for key in request.key.asked { try refuseProduction(for: key) }
    let elements = request.key.elements
    if elements.isEmpty { return }
    let members = levels.reading { levels.unorderedRegistrations(from: start).map(\.key) }
    for key in members where !elements.contains(key) && elements.contains(where: key.isElement) {
      try refuseProduction(for: key)
    }
  }

  private func refuseProduction(for key: AnyKey) throws(ResolutionError) {
    var request = request
    request.key = key
    let part = Resolution(request, of: resolver, for: caller, from: start, isCounted: true)
    let refused = levels.reading {
      levels.answer(to: key, from: start).flatMap { answer in
        part.refusal(of: answer).map { (answer, $0) }
      }
    }
    guard let (answer, reason) = refused else { return }
    if let creation { noteRefusal(of: answer, for: creation) }
    throw part.failed(part.error(reason, answer.registration), answer, isDecided: true)
  }

  /// The kind of code that made a layer strict, if this is the reason of an error.
  func placeOfStrictness(_ reason: ResolutionError.Reason) -> MessagePlace? {
    if case .fellThrough = reason { layer?.placeOfStrictness } else { nil }
  }

  /// The layer that checks requests to production, if production answers.
  func layerThatChecks(_ answer: Answer) -> OverrideLayer? {
    guard let layer, layer.checksFallThrough, !answer.isOfLayer, !request.isDecorated,
      !answer.registration.isAlias, !layer.allows(request.key)
    else { return nil }
    return layer
  }

  /// The innermost layer that changes whether production may answer a dependency of a cached
  /// instance. The instance is not reused under it, so that a result does not depend on the
  /// instances that existed before. This runs while the levels are locked.
  ///
  /// - Complexity: O(dependencies), and only under layers with such options.
  func layerDecidingOtherwise(_ instance: AnyInstance, of level: LevelStore) -> OverrideLayer? {
    guard let top, top.store !== level, !instance.dependencies.hasNone, top.restrictsProduction
    else { return nil }
    let inner = top.layer(of: level)
    var culprit: OverrideLayer?
    visitParts(of: instance) { part, registration in
      let isChecked = !part.isDecorated && part.isOfProduction
      guard
        let decider = layer(thatDecides: part, registration, isChecked, above: inner, under: top)
      else { return }
      if decider.store.rank > culprit?.store.rank ?? -1 { culprit = decider }
    }
    return culprit
  }

  /// A dependency of a cached instance that a strict layer refuses and that cannot be requested
  /// again, such as a claimed `.once`. This runs while the levels are locked.
  func refusedPartThatIsGone(of instance: AnyInstance) -> AnyRegistration? {
    guard let layer, layer.options.weight(of: .fallThrough) == .error else { return nil }
    var gone: AnyRegistration?
    visitParts(of: instance) { part, registration in
      guard part.isOfProduction, levels.isOfLineage(part), !registration.isAlias,
        !layer.allows(part.key)
      else { return }
      // No level lists the registration of one argument.
      let declared = registration.isDeclaredDefault ? registration : nil
      if levels.answer(to: part.key, from: nil, declared: declared) == nil { gone = registration }
    }
    return gone
  }

  /// True if work that lost its context must not get a cached instance of production, or one of its
  /// dependencies. This runs while the levels are locked.
  @inline(never)
  func isRefused(_ instance: AnyInstance, of answer: Answer) -> Bool {
    if escapedWorkGuard == nil || answer.isOfLayer { return false }
    var isRefused = isRefusedToEscapedWork(answer.registration, as: request.key)
    visitParts(of: instance) { part, registration in
      if isRefusedToEscapedWork(registration, as: part.key) { isRefused = true }
    }
    return isRefused
  }

  private func isRefusedToEscapedWork(_ registration: AnyRegistration, as key: AnyKey) -> Bool {
    guard let escapedWorkGuard, !registration.isAlias else { return false }
    let guardian = guardian(of: registration, as: key, under: top, escapedWorkGuard)
    return guardian == escapedWorkGuard.guardian
  }

  /// True if the live guard of work that lost its context is the reason of an error.
  func isOfEscapedWork(_ reason: ResolutionError.Reason) -> Bool {
    escapedWorkGuard.map { $0.guardian == reason.guardian } ?? false
  }

  /// True if the guard of work that lost its context refuses an answer, which is noted.
  @inline(never)
  private func noteEscapedWork(_ answer: Answer, for creation: Creation) -> Bool {
    guard let escapedWorkGuard,
      levels.reading({ isRefusedToEscapedWork(answer.registration, as: request.key) })
    else { return false }
    let root = escapedWorkGuard.roots[0].store
    creation.contribute(root, at: root.production)
    return true
  }

  private func visitParts(of instance: AnyInstance, _ body: (Provenance, AnyRegistration) -> Void) {
    instance.dependencies.visit { part in
      guard case .registration(let registration) = part.answer, !part.isForLater,
        part.isOfProduction || registration.isGuarded
      else { return }
      body(part, registration)
    }
  }

  /// Notes that a layer decides whether production may answer. The instance in creation belongs to
  /// that layer, since its block gets an error that it would not get elsewhere, or the other way
  /// round. For work that lost its context, the instance belongs to no level.
  func noteRefusal(of answer: Answer, for creation: Creation) {
    if answer.isOfLayer, !answer.registration.isGuarded { return }
    if escapedWorkGuard != nil, noteEscapedWork(answer, for: creation) { return }
    guard let top, top.restrictsProduction else { return }
    let (part, isChecked) = (provenance(answer), !request.isDecorated && !answer.isOfLayer)
    let decider = levels.reading {
      layer(thatDecides: part, answer.registration, isChecked, above: nil, under: top)
    }
    if let store = decider?.store { creation.contribute(store, at: store.production) }
  }

  /// The outermost layer that already decides as the innermost one does, unless the layer that
  /// stores an instance decides the same.
  ///
  /// - Parameters:
  ///   - part: A request that production would answer, or a guarded registration of a layer.
  ///   - isChecked: False for a request that a strict layer does not refuse: one below a decorator,
  ///     or to a layer.
  private func layer(
    thatDecides part: Provenance, _ registration: AnyRegistration, _ isChecked: Bool,
    above stored: OverrideLayer?, under top: OverrideLayer
  ) -> OverrideLayer? {
    if registration.isAlias { return nil }
    func isRefused(under top: OverrideLayer?) -> Bool {
      if isChecked, let layer = top?.layer(overriding: part, or: resolver),
        layer.options.weight(of: .fallThrough) == .error, !layer.allows(part.key)
      {
        return true
      }
      return TestProcess.runsTests && guardian(of: registration, as: part.key, under: top) != nil
    }
    let verdict = isRefused(under: top)
    guard isRefused(under: stored) != verdict else { return nil }
    var layer = top
    while let outer = layer.outer, outer !== stored, isRefused(under: outer) == verdict {
      layer = outer
    }
    return layer
  }

  private func guardian(
    of registration: AnyRegistration, as key: AnyKey, under top: OverrideLayer?,
    _ escapedWorkGuard: EscapedWorkGuard? = nil
  ) -> String? {
    // A test's setting for production holds for all resolvers that it asks.
    if let top, top.options.live == .allowed || top.allows(key) { return nil }
    switch registration.inTests ?? registration.key.declaredDefault?.inTests {
    case .allowed: return nil
    case .mustBeOverridden: return "its registration"
    case nil: break
    }
    if let top, top.options.live == .mustBeOverridden { return "the layer '\(top.name)'" }
    if let escapedWorkGuard, !escapedWorkGuard.allows(key) { return escapedWorkGuard.guardian }
    var production: LevelStore? = levels.production
    while let level = production {
      switch level.state.value.inTests {
      case .allowed: return nil
      case .mustBeOverridden:
        let name = resolver.lineage.first { $0.store === level }?.name
        return "the resolver\(name.map { " '\($0)'" } ?? "")"
      case nil: production = level.outer
      }
    }
    return TestProcess.guardian
  }
}

extension AnyRegistration {
  /// True if the registration itself says that tests must override it.
  fileprivate var isGuarded: Bool { if case .mustBeOverridden? = inTests { true } else { false } }
}

extension Provenance {
  fileprivate var isOfProduction: Bool { rank < LevelStore.firstLayerRank }
}

extension OverrideLayer {
  func allows(_ key: AnyKey) -> Bool { allowed.contains { $0 == key.type } }

  /// True if the options of the layer can change whether production may answer.
  fileprivate var restrictsProduction: Bool {
    checksFallThrough || options.live != nil || !allowed.isEmpty
  }

  /// The nearest layer that overrides the asked resolver of a request. If the resolver whose value
  /// is requested, or a parent, has answered, that is the asked one.
  fileprivate func layer(overriding part: Provenance, or resolver: Resolver) -> OverrideLayer? {
    if resolver.store.lineage.contains(part.production) { return nearest(of: resolver) }
    return stack.first { $0.store.overridden.map { part.lineage.contains($0.number) } ?? false }
  }
}

extension Resolver {
  /// Whether this resolver may answer in tests without an override. `nil`, the default, leaves it
  /// to the resolver's parent, and then to the process. A registration or a layer that says
  /// otherwise takes precedence.
  public var inTests: LiveGuard? {
    get { store.reading { $0.inTests } }
    set {
      store.changing { level, _ in level.inTests = newValue }
      noteChange(of: newValue)
    }
  }
}
