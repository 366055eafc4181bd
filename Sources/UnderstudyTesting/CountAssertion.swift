// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One assertion about a test's log.
struct CountAssertion {
  /// The counted events.
  enum Counted: Hashable {
    case resolved
    case created
  }

  let key: AnyKey
  /// The resolver of the assertion, or `nil` for the default one.
  let resolver: Resolver?
  let counted: Counted
  let expected: CallCount
  let callSite: CallSite

  func check() {
    let layer = layer
    if let message = failure(in: layer) {
      report(Violation(message, at: callSite), to: layer)
    } else if let message = layer.flatMap(doubt) {
      report(Violation(message, severity: .warning, at: callSite), to: layer)
    }
  }

  /// Reports on the caller's test, or, for work that only carries a context, on that of the layer.
  private func report(_ violation: Violation, to layer: OverrideLayer?) {
    let host = ProcessTestHost()
    if let layer, layer.isOfTest, host.testOfCallingTask() == nil, host.runningCase() == nil {
      layer.record(violation)
    } else {
      host.report(violation)
    }
  }

  /// The layer whose log is read: the outermost one of the test, which also counts requests under
  /// inner layers.
  private var layer: OverrideLayer? {
    guard let top = OverrideLayer.ofCaller else { return nil }
    if let resolver { return top.outermost(of: resolver) }
    return top.outermost(of: .current) ?? top.outermost(of: top.resolver)
  }

  /// The failure, or `nil` if the assertion holds.
  func failure(in layer: OverrideLayer?) -> Message? {
    guard let layer else { return noLayer }
    let counts = layer.log.counts(of: key)
    if !counts.areAny, let other = key.countedInstead, !isRegistered(in: layer) {
      return notCounted(but: other)
    }
    let count = counted == .resolved ? counts.resolved : counts.made
    guard !expected.allows(count) else { return nil }
    let isImpossible = expected.isImpossible
    return Message(
      "\(key) was \(counted == .resolved ? "resolved" : "created") \(CallCount.times(count)), "
        + (isImpossible ? "and the expected range contains no number." : "not \(expected)."),
      facts: [
        Message.Fact("Layer", layer.words),
        Message.Fact("Counts", counts.text),
        Message.Fact("Log", layer.log.tree),
      ],
      remedies: isImpossible ? ["Expect a count from 0:  .never, .once, 2..."] : [])
  }

  /// True if this very key has a registration, rather than a key that it stands for.
  private func isRegistered(in layer: OverrideLayer) -> Bool {
    let asked = resolver ?? layer.resolver
    return asked.lineage.contains { $0.contains(key) }
      || (OverrideLayer.ofCaller ?? layer).stack.contains {
        $0.overrides(asked) && $0.registration(for: key) != nil
      }
  }

  /// A probable mistake in an assertion that holds: nothing is registered for the key, and a type
  /// with a similar name was requested instead. A name is similar if it contains the other or is
  /// contained in it.
  ///
  /// A key without a registration is no mistake in itself: a test registers less than the app.
  private func doubt(in layer: OverrideLayer) -> Message? {
    guard key.declaration == nil, !layer.log.counts(of: key).areAny,
      !isRegistered(in: layer)
    else { return nil }
    let requested = layer.log.allCounts.filter { $0.counts.areAny && $0.key.isNamed(like: key) }
      .map(\.key).sorted { $0.description < $1.description }
    guard let other = requested.first else { return nil }
    return Message(
      "\(key) has no registration, so it cannot be resolved: its count is always 0.",
      facts: [
        Message.Fact("Resolved", requested.prefix(3).map(\.description).joined(separator: ", ")),
        Message.Fact("Layer", layer.words),
      ],
      remedies: ["Count it instead:  \(other.arguments)", "Remove the assertion."])
  }

  /// An assertion about a key that is never counted cannot fail.
  private func notCounted(but other: AnyKey) -> Message {
    Message(
      "\(key) is not counted: nothing is registered for it, and \(other) is counted instead.",
      remedies: [
        "Count that key instead:  \(other.arguments)",
        "Register it:  \(MessagePlace.current.addingOverride(of: key))",
      ])
  }

  private var noLayer: Message {
    Message(
      resolver == nil
        ? "\(key) cannot be counted: no layer is live here."
        : "\(key) cannot be counted: no layer of the resolver is live here.",
      remedies: [
        "Give the test a layer:  "
          + MessagePlace.current.layer(isOfAnother: resolver != nil),
        Violation.carryingContext,
      ])
  }
}

extension ResolutionCounts {
  /// True if the key was ever requested.
  fileprivate var areAny: Bool { resolved + missed + failed > 0 }
}

extension OverrideLayer {
  /// The outermost layer of the test that overrides a resolver or one of its parents. Its log
  /// counts all requests of the test to that resolver.
  fileprivate func outermost(of resolver: Resolver) -> OverrideLayer? {
    let process = ProcessLayer.current
    var outermost: OverrideLayer?
    for layer in stack where layer.overrides(resolver) && layer !== process { outermost = layer }
    return outermost ?? nearest(of: resolver)
  }
}
