// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is noted of a resolution: who answered, how it ended, and why it failed.
extension Resolution {
  /// Notes who answers: an override is used, or the layers are fallen through (O8).
  func note(_ answer: Answer) {
    guard let layer else { return }
    guard answer.layer == nil else { return answer.registration.markUsed() }
    let weight = layer.options.weight(of: .fallThrough)
    guard weight != .off, start === top, !layer.allowed.contains(where: { $0 == request.key.type })
    else { return }
    layer.record(
      Violation(
        resolver.fallThroughMessage(request, path: path + [request.key], under: layer),
        severity: weight == .error ? .error : .warning, at: request.callSite))
  }

  var path: [AnyKey] { (construction?.path ?? []).map(\.key) }

  func record(_ outcome: ResolutionEvent.Outcome, _ answer: Answer?) {
    guard let log = layer?.log else { return }
    let isIgnored =
      request.argument != nil
      && (outcome == .reused || answer.map { $0.registration.argumentType == nil } ?? false)
    let (key, layer) = (request.key, answer?.layer?.name)
    // What a decorator asks for below itself is an event and no count: one question is counted once.
    let counter = start === top ? log.counter(for: key) : nil
    let subject =
      if let argument = request.argument {
        EventSubject(
          key, outcome, answeredBy: layer, argument: String(describing: argument.value),
          ignoredArgument: isIgnored)
      } else {
        counter?.subject(of: outcome, answeredBy: layer)
          ?? EventSubject(key, outcome, answeredBy: layer)
      }
    counter?.count(outcome)
    if let other = answer?.registration.key, counter != nil, other != key {
      log.counter(for: other).count(outcome)
    }
    log.record(
      ResolutionEvent(
        subject, order: order, parent: construction?.order ?? 0,
        requester: construction?.registration.key, callSite: request.callSite))
  }

  func error(
    _ reason: ResolutionError.Reason, _ registration: AnyRegistration? = nil,
    through route: [AnyRegistration] = [], note: String? = nil
  ) -> ResolutionError {
    resolver.error(
      reason, request, path: path + (route.isEmpty ? [request.key] : route.map(\.key)),
      registration: registration, under: start, note: note)
  }
}
