// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  func lateOverride(_ override: AnyRegistration) -> Violation? {
    guard isOfTest, options.weight(of: .lateOverride) != .off,
      let capture = liveCapture(where: override.key.isAnswer(to:))
    else { return nil }
    return late(
      override,
      "\(override.key) is overridden after an object captured it: that object keeps the old one.",
      Message.Fact("Captured", "\(capture.callSite)"))
  }

  /// A capture under this layer, a layer above it or one below it. Layers beside this one have
  /// overrides of their own: those of the other tasks of a task group.
  private func liveCapture(where isWanted: (AnyKey) -> Bool) -> Capture? {
    if let capture = log.liveCapture(where: isWanted) { return capture }
    return sequence(first: self, next: \.nextOfLineage).dropFirst().lazy
      .compactMap { $0.log.liveCapture(isWithInner: false, where: isWanted) }.first
  }

  /// Reports a request that an object makes in the context of its own creation, if a layer that was
  /// pushed since then overrides the key.
  func noteEarlyAsker(
    for key: AnyKey, of resolver: Resolver, madeUnder base: OverrideLayer?, at callSite: CallSite
  ) {
    guard isOfTest else { return }
    let asked = key.asked
    for layer in stack.prefix(while: { $0 !== base }) where layer.overrides(resolver) {
      guard let override = asked.lazy.compactMap({ layer.registration(for: $0) }).first else {
        continue
      }
      return layer.record(
        layer.late(
          override,
          "\(key) was requested by an object that was created before the override, and got the earlier answer.",
          Message.Fact("Asked for", "\(callSite)")))
    }
  }

  private func late(
    _ override: AnyRegistration, _ headline: @autoclosure () -> String, _ fact: Message.Fact
  ) -> Violation? {
    let violation = finding(
      .lateOverride, about: override, headline(), facts: [fact],
      remedies: [
        "Override it before the code under test is made.",
        "Ask for it when it is needed:  try resolver.resolve(…)",
      ])
    if violation != nil { override.mark(.late) }
    return violation
  }
}

extension AnyKey {
  /// True if an override of this key would answer another key: the same key, or a declared
  /// dependency and its bare type in either direction.
  func isAnswer(to other: AnyKey) -> Bool {
    self == other || undeclared == other || (isPlain && other.undeclared == self)
  }
}
