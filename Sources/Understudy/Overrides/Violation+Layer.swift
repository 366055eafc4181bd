// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Violation {
  static func unused(_ override: AnyRegistration, in layer: OverrideLayer) -> Violation? {
    about(
      override, in: layer, .unusedOverride, "The override of \(override.key) was never resolved.",
      remedies: [
        "Remove it, or let the code under test ask for \(override.key).",
        "Allow it:  .overrides(.check(.unusedOverride, .off)) { … }",
      ])
  }

  /// A fault that hit none of so many resolutions.
  static func missed(
    _ fault: AnyRegistration, of count: Int, in layer: OverrideLayer
  ) -> Violation? {
    about(
      fault, in: layer, .unusedOverride,
      "The fault of \(fault.key) never struck in \(count) resolution\(count == 1 ? "" : "s").",
      placed: "Set",
      remedies: [
        "Choose a resolution that there is, or let the code under test ask more often.",
        "Allow it:  .overrides(.check(.unusedOverride, .off)) { … }",
      ])
  }

  static func unknown(_ override: AnyRegistration, in layer: OverrideLayer) -> Violation? {
    about(
      override, in: layer, .unknownKey,
      "The override of \(override.key) overrides nothing: production does not know the key.",
      remedies: ["Override a key that production registers, or leave out 'enforce: true'."])
  }

  static func late(
    _ override: AnyRegistration, in layer: OverrideLayer, _ headline: @autoclosure () -> String,
    _ fact: Message.Fact
  ) -> Violation? {
    about(
      override, in: layer, .lateOverride, headline(), facts: [fact],
      remedies: [
        "Override it before the code under test is made.",
        "Ask for it when it is needed:  resolver.resolve(…)",
      ])
  }

  /// What a check finds of an override, said where that was placed. Nothing is described if the check is off.
  private static func about(
    _ override: AnyRegistration, in layer: OverrideLayer, _ check: OverrideOptions.Check,
    _ headline: @autoclosure () -> String, facts: [Message.Fact] = [],
    placed: String = "Overridden", remedies: @autoclosure () -> [String]
  ) -> Violation? {
    Violation(
      Message(
        headline(),
        facts: facts + [
          Message.Fact(placed, "\(override.callSite)"), Message.Fact("Layer", "'\(layer.name)'"),
        ],
        remedies: remedies()),
      of: check, under: layer.options, at: override.callSite)
  }

  static func endedUnder(_ inner: OverrideLayer, _ outer: OverrideLayer) -> Violation {
    Violation(
      Message(
        "The layer '\(outer.name)' ended before the layer '\(inner.name)' that was pushed on it.",
        // No case of XCTest is pushed on another layer.
        facts: [Message.Fact("Inner layer", "\(inner.callSite)")]
          + (outer.callSite.isKnown ? [Message.Fact("Outer layer", "\(outer.callSite)")] : []),
        remedies: ["Wait for the work that pushed the inner layer before the outer one ends."]),
      at: inner.callSite)
  }

  static func endless(_ layer: OverrideLayer) -> Violation {
    Violation(
      Message(
        "The layer '\(layer.name)' was to live until the end of the test, which cannot be known here.",
        facts: layer.facts,
        remedies: [
          "Give the test a layer:  @Test(.overrides { _ in })",
          "Return an object from the operation: the layer lives for as long as the object.",
        ]),
      at: layer.callSite)
  }

  static func unfinished(_ layer: OverrideLayer) -> Violation? {
    Violation(
      Message(
        "Work that was started under the layer was still running when it ended.",
        facts: [Message.Fact("Layer", "'\(layer.name)'")],
        remedies: ["Wait for the work that the test started before it ends."]),
      of: .unfinishedWork, under: layer.options, at: layer.callSite)
  }

  static func addedAfterEnd(_ override: AnyRegistration, to layer: OverrideLayer) -> Violation {
    Violation(
      Message(
        "\(override.key) was registered on a layer that has ended; nothing was added.",
        facts: [
          Message.Fact("Registered", "\(override.callSite)")
        ] + layer.facts,
        remedies: [
          "Register before the scope ends, and wait for the work that registers.",
          "Register on the layer of the running test:  OverrideLayer.current",
        ]),
      at: override.callSite)
  }

  static func disposerAfterEnd(
    of key: AnyKey?, at callSite: CallSite, to layer: OverrideLayer
  ) -> Violation {
    let subject = key.map { "A disposer of \($0)" } ?? "A disposer"
    return Violation(
      Message(
        "\(subject) was given to a layer that has ended; it does not run.",
        facts: [
          Message.Fact("Given", "\(callSite)")
        ] + layer.facts,
        remedies: [
          "Call 'onDispose' before the scope ends, and wait for the work that calls it.",
          "Call it on the layer of the running test:  OverrideLayer.current",
        ]),
      at: callSite)
  }
}

extension OverrideLayer {
  /// Which layer it is, for a message.
  var facts: [Message.Fact] {
    let layer = Message.Fact("Layer", "'\(name)'")
    return callSite.isKnown ? [layer, Message.Fact("Pushed", "\(callSite)")] : [layer]
  }
}
