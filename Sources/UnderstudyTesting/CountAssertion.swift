// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One claim about a test's log.
struct CountAssertion {
  /// What is counted.
  enum Counted: Hashable {
    case resolved
    case created
  }

  let key: AnyKey
  /// The asked resolver, or `nil` for the default one.
  let resolver: Resolver?
  let counted: Counted
  let requirement: any ResolutionCountRequirement
  let callSite: CallSite

  func check() {
    guard let message = failure(in: layer) else { return }
    ProcessTestHost().report(Violation(message, at: callSite))
  }

  /// The layer whose log is read: the outermost one of the test, which counts what was asked under
  /// inner layers, too.
  private var layer: OverrideLayer? {
    guard let top = OverrideLayer.ofCaller else { return nil }
    if let resolver { return top.outermost(of: resolver) }
    return top.outermost(of: .current) ?? top.outermost(of: top.resolver)
  }

  /// What is wrong, or `nil`.
  func failure(in layer: OverrideLayer?) -> Message? {
    guard let layer else { return noLayer }
    let counts = layer.log.counts(of: key)
    if !counts.areAny, let other = key.countedInstead, !isRegistered(in: layer) {
      return notCounted(but: other)
    }
    let count = counted == .resolved ? counts.resolved : counts.made
    guard !requirement.isMet(by: count) else { return nil }
    return Message(
      "\(key) was \(counted == .resolved ? "resolved" : "created") \(times(count)), "
        + "not \(requirement.requirementText).",
      facts: [
        Message.Fact("Layer", layer.words),
        Message.Fact(
          "Counts",
          "made \(counts.made), reused \(counts.reused), missed \(counts.missed), "
            + "failed \(counts.failed)"),
        Message.Fact("Log", layer.log.tree),
      ])
  }

  /// True if a registration answers exactly this key, and not only a key that it stands for.
  private func isRegistered(in layer: OverrideLayer) -> Bool {
    layer.resolver.contains(key)
      || (OverrideLayer.ofCaller ?? layer).stack.contains {
        $0.resolver === layer.resolver && $0.registration(for: key) != nil
      }
  }

  /// An assertion about a key that is never counted could not fail.
  private func notCounted(but other: AnyKey) -> Message {
    let type = TypeDescription.of(other.type)
    let metatype = type.contains(" ") ? "(\(type)).self" : "\(type).self"
    return Message(
      "\(key) is not counted: nothing is registered for it, and \(other) is counted instead.",
      remedies: [
        "Count what it stands for:  \(metatype)",
        "Register it:  $0.register { … as \(TypeDescription.of(key.type)) }",
      ])
  }

  private var noLayer: Message {
    Message(
      resolver == nil
        ? "\(key) cannot be counted: no layer is live here."
        : "\(key) cannot be counted: no layer of the resolver is live here.",
      remedies: [
        "Give the test a layer:  "
          + MessagePlace.current.layer(of: resolver == nil ? nil : "…"),
        "Carry the context:  let context = OverrideContext.current … context.run { }",
      ])
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension ResolutionCounts {
  /// True if the key was ever asked for.
  fileprivate var areAny: Bool { resolved + missed + failed > 0 }
}
