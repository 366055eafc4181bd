// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Strict mode and the live guard: what production must not answer.
extension Resolution {
  /// The reason why production must not answer. `nil` if it may, or if a layer answers. This runs
  /// while the levels are locked.
  func refusal(of answer: Answer) -> ResolutionError.Reason? {
    if answer.isOfLayer { return nil }
    if !request.cannotThrow, let layer = layerThatChecks(answer),
      layer.options.weight(of: .fallThrough) == .error
    {
      return .fellThrough(layer: layer.name)
    }
    guard TestProcess.runsTests, !answer.registration.isAlias,
      let guardian = guardian(of: answer)
    else { return nil }
    return .mustBeOverridden(by: guardian)
  }

  /// The layer that checks requests to production, if production answers.
  func layerThatChecks(_ answer: Answer) -> OverrideLayer? {
    guard !answer.isOfLayer, let layer, layer.checksFallThrough, isCounted,
      !answer.registration.isAlias, !layer.allows(request.key)
    else { return nil }
    return layer
  }

  /// A dependency of a cached instance for which a strict layer refuses production's answer. The
  /// request fails as if the instance were created now. This runs while the levels are locked.
  ///
  /// - Complexity: O(dependencies), and only under a strict layer.
  func refusedPart(of instance: AnyInstance) -> AnyRegistration? {
    guard !request.cannotThrow, isCounted, let layer, layer.checksFallThrough,
      layer.options.weight(of: .fallThrough) == .error
    else { return nil }
    var refused: AnyRegistration?
    instance.dependencies.visit { part in
      guard case .registration(let registration) = part.answer, !part.isForLater,
        part.rank < LevelStore.firstLayerRank, levels.isOfLineage(part.production),
        !registration.isAlias, !layer.allows(part.key)
      else { return }
      refused = registration
    }
    return refused
  }

  /// A description of the setting that keeps production from answering.
  private func guardian(of answer: Answer) -> String? {
    // A test's setting for production holds for all resolvers that it asks.
    if let top, top.options.live == .allowed || top.allows(request.key) { return nil }
    let registration = answer.registration
    switch registration.inTests ?? registration.key.declaredDefault?.inTests {
    case .allowed: return nil
    case .mustBeOverridden: return "its registration"
    case nil: break
    }
    if let top, top.options.live == .mustBeOverridden { return "the layer '\(top.name)'" }
    var production: LevelStore? = levels.production
    while let level = production {
      switch level.state.value.inTests {
      case .allowed: return nil
      case .mustBeOverridden: return "the resolver\(resolver.name.map { " '\($0)'" } ?? "")"
      case nil: production = level.outer
      }
    }
    return TestProcess.guardian
  }
}

extension OverrideLayer {
  /// True if a key may fall through to production.
  fileprivate func allows(_ key: AnyKey) -> Bool { allowed.contains { $0 == key.type } }
}

extension Resolver {
  /// Whether this resolver may answer in tests without an override. `nil`, the default, leaves it
  /// to the resolver's parent, and then to the process.
  ///
  /// ```swift
  /// Resolver.main.inTests = .mustBeOverridden
  /// ```
  ///
  /// A registration or a layer that says otherwise is stronger. The guard has no effect in a
  /// process without tests.
  public var inTests: LiveGuard? {
    get { store.reading { $0.inTests } }
    set {
      store.changing { level, _ in level.inTests = newValue }
      noteChangeOfGuard()
    }
  }
}
