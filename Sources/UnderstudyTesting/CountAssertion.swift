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
  /// Who was asked; `nil` if the caller does not say it.
  let resolver: Resolver?
  let counted: Counted
  let requirement: any ResolutionCountRequirement
  let callSite: CallSite

  func check() {
    guard let message = failure(in: layer) else { return }
    ProcessTestHost().report(Violation(message, at: callSite))
  }

  /// The layer whose log is read.
  private var layer: OverrideLayer? {
    let top = OverrideLayer.ofCaller
    guard let resolver else { return top?.nearest(of: .current) ?? top }
    return top?.nearest(of: resolver)
  }

  /// What is wrong, or `nil`.
  func failure(in layer: OverrideLayer?) -> Message? {
    guard let layer else { return noLayer }
    let counts = layer.log.counts(of: key)
    let count = counted == .resolved ? counts.resolved : counts.made
    guard !requirement.isMet(by: count) else { return nil }
    return Message(
      "\(key) was \(counted == .resolved ? "resolved" : "created") \(times(count)), "
        + "not \(requirement.requirementText).",
      facts: [
        Message.Fact("Layer", "'\(layer.name)'"),
        Message.Fact(
          "Counts",
          "made \(counts.made), reused \(counts.reused), missed \(counts.missed), "
            + "failed \(counts.failed)"),
        Message.Fact("Log", layer.log.tree),
      ])
  }

  private var noLayer: Message {
    Message(
      resolver == nil
        ? "\(key) cannot be counted: no layer is live here."
        : "\(key) cannot be counted: no layer of the resolver is live here.",
      remedies: [
        resolver == nil
          ? "Give the test a layer:  @Test(.overrides { _ in })"
          : "Give the test a layer:  @Test(.overrides(of: …) { _ in })",
        "Carry the context:  let context = OverrideContext.current … context.run { }",
      ])
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
