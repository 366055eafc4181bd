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
    guard layer.scope.isEnded || layer.root.scope.isEnded else { return layer }
    throw reported(.layerEnded(layer: layer.name, test: layer.test?.name), request)
  }

  private func adopter(of request: Request) throws(ResolutionError) -> OverrideLayer? {
    guard let host = TestHosts.current else { return nil }
    let live = LiveLayers.all
    let overriding = live.filter { $0.overrides(request.key, of: self) }
    guard !overriding.isEmpty, host.testOfCallingTask() == nil else { return nil }
    if live.count == 1, let test = live[0].test, test.adoptsEscapedWork { return live[0].tip }
    throw reported(
      .unattributed(tests: overriding.compactMap { $0.test?.name }.sorted()), request)
  }

  private func reported(
    _ reason: ResolutionError.Reason, _ request: Request
  ) -> ResolutionError {
    let path = (Construction.current?.path ?? []).map(\.key) + [request.key]
    let error = error(reason, request, path: path, registration: nil, under: nil)
    TestHosts.reportOnRun(Violation(error.message, at: request.callSite))
    return error
  }
}
