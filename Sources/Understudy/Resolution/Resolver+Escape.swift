// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Resolver {
  /// The innermost layer that answers the calling code, or `nil` for production.
  ///
  /// Code in a task tree that pushed a layer is answered by that. Code that lost its context is never
  /// silently answered by production while a running test overrides what it asks for (O3): the only
  /// live test takes it if one case runs at a time or the test says so; otherwise it is an error, and
  /// an issue of the run. So is a question under a layer that has ended (O9).
  func layerOfCaller(_ request: Request) throws(ResolutionError) -> OverrideLayer? {
    guard OverrideLayer.areAnyAlive else { return nil }
    guard let layer = OverrideLayer.bound else { return try adopter(of: request) }
    if let ended = layer.stack.first(where: \.scope.isEnded) {
      throw reported(
        .layerEnded(layer: ended.name, test: ended.test?.name), request, about: [ended])
    }
    if layer.test == nil, TestHosts.areAny,
      answer(to: request, from: layer, boundary: layer.boundary)?.layer == nil
    {
      // It has overrides of its own, so it cannot be taken for a test's; nor may it be silent.
      _ = try adopter(of: request, isAdoptable: false)
    }
    return layer
  }

  /// The layer that takes work that lost its context.
  private func adopter(
    of request: Request, isAdoptable: Bool = true
  ) throws(ResolutionError) -> OverrideLayer? {
    guard let host = TestHosts.current else { return nil }
    let keys = request.key.asked
    let overriding = LiveLayers.all.filter { root in
      root.overrides(of: self) { layer in keys.contains { layer.registration(for: $0) != nil } }
    }
    guard host.testOfCallingTask() == nil else { return nil }
    let adopter = isAdoptable ? LiveLayers.adopter : nil
    if overriding.isEmpty { return adopter }
    if let adopter,
      adopter.stack.contains(where: { layer in keys.contains { layer.registration(for: $0) != nil }
      })
    {
      return adopter
    }
    throw reported(
      .unattributed(tests: overriding.compactMap { $0.test?.name }.sorted()), request,
      about: overriding)
  }

  private func reported(
    _ reason: ResolutionError.Reason, _ request: Request, about layers: [OverrideLayer]
  ) -> ResolutionError {
    let path = (Construction.current?.path ?? []).map(\.key) + [request.key]
    let error = error(reason, request, path: path, registration: nil, under: nil)
    TestHosts.reportOnRun(Violation(error.message, at: request.callSite), about: layers)
    return error
  }
}
