// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is noted of a resolution: who answered, how it ended, and why it failed.
extension Resolution {
  /// Notes who answers: an override is used, or the layers are fallen through (O8).
  func note(_ answer: Answer) {
    guard let layer else { return }
    guard answer.layer == nil else { return answer.noteUse(by: request) }
    let weight = layer.options.weight(of: .fallThrough)
    // An alias makes nothing: what it stands for falls through, or does not.
    guard weight != .off, start === top, answer.registration.aliased == nil,
      !layer.allowed.contains(where: { $0 == request.key.type })
    else { return }
    layer.record(
      Violation(
        resolver.fallThroughMessage(request, path: path + [request.key], under: layer),
        severity: weight == .error ? .error : .warning, at: request.callSite))
  }

  /// Has the layer that answered say so, if using what it answered with is a violation (O8).
  func noteUnimplemented(_ error: ResolutionError, by layer: OverrideLayer?) {
    guard case .unimplemented = error.reason, error.key == request.key else { return }
    layer?.record(Violation(error.message, at: error.callSite))
  }

  /// Looks at what is handed out (O9, O13).
  func watch(_ value: Value) {
    guard let layer, let counter else { return }
    layer.watch(value, in: counter, at: request.callSite)
  }

  var path: [AnyKey] { (construction?.path ?? []).map(\.key) }

  func record(_ outcome: ResolutionEvent.Outcome, _ answer: Answer?) {
    guard let log = layer?.log else { return }
    let isIgnored =
      request.argument != nil
      && (outcome == .reused || answer.map { $0.registration.ignoresArguments } ?? false)
    let (key, layer) = (request.key, answer?.layer?.name)
    // What a decorator asks for below itself is an event and no count.
    let counter = isCounted ? counter : nil
    let other = counter == nil ? nil : answer?.registration.key
    let otherCounter = other == nil || other == key ? nil : other.map { log.counter(for: $0) }
    let requester = construction?.requester
    let known = request.argument == nil ? counter?.subject(answeredBy: layer) : nil
    let subject =
      known
      ?? EventSubject(
        key, answeredBy: layer, argument: request.argument.map { String(describing: $0.value) },
        ignoredArgument: isIgnored)
    // Safety: the counter keeps what it knows, and a keeper what it does not.
    unsafe log.record(
      LogEntry(
        .passUnretained(subject), outcome, order: order,
        by: construction.map { LogEntry.Asker(order: $0.order, requester: $0.requester) }
          ?? LogEntry.Asker(),
        at: request.callSite),
      LogEntry.Keeper(of: known == nil ? subject : nil, requester: requester),
      in: counter, otherCounter)
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
