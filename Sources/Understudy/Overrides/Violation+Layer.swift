// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Violation {
  static func unused(_ override: AnyRegistration, in layer: OverrideLayer) -> Violation? {
    let answered = layer.answeredByProduction(insteadOf: override.key)
    let elsewhere = layer.scope.elsewhere(override.key)
    var facts: [Message.Fact] = []
    var remedies: [String] = []
    if let key = answered.first {
      let isNamesake = key.isNamesake(of: override.key)
      if isNamesake { facts.append(Message.Fact("In full", override.key.told(from: key))) }
      let told = answered.map { isNamesake ? $0.told(from: override.key) : "\($0)" }
      facts.append(Message.Fact("Production", "answered " + told.joined(separator: ", ")))
      remedies.append("Override that:  \(MessagePlace.current.addingOverride(of: key))")
    }
    switch elsewhere {
    case .resolver(let name, let callSite):
      let name = name.map { "the resolver '\($0)'" } ?? "another resolver"
      facts.append(Message.Fact("Asked of", "\(name), at \(callSite)"))
      remedies.append("Override that resolver:  .overrides(of: …) { … }")
    case .lostWork(let callSite):
      facts.append(Message.Fact("Asked by", "work that lost its context, at \(callSite)"))
      remedies.append(Violation.carryingContext)
    case .early(let property):
      facts.append(Message.Fact("Injected", "into \(property), before the test began"))
      remedies.append("Create that object in the test, or in 'setUp'.")
    case nil: break
    }
    return about(
      override, in: layer, .unusedOverride, "The override of \(override.key) was never resolved.",
      facts: facts,
      remedies: remedies + [
        "Remove it, or let the code under test ask for \(override.key).",
        "Allow it:  \(MessagePlace.current.withoutCheck("unusedOverride"))",
      ])
  }

  /// What is written to take the context of a test to other work.
  static let carryingContext =
    "Carry the context:  let context = OverrideContext.current … context.run { … }"

  static func replaced(
    _ override: AnyRegistration, by successor: AnyRegistration, in layer: OverrideLayer
  ) -> Violation? {
    about(
      override, in: layer, .unusedOverride,
      "The override of \(override.key) was replaced before it was resolved.",
      facts: [Message.Fact("Replaced", "\(successor.callSite)")],
      remedies: [
        "Register one of them, or tell them apart with a name.",
        "Allow it:  \(MessagePlace.current.withoutCheck("unusedOverride"))",
      ])
  }

  static func unshared(_ override: AnyRegistration, in layer: OverrideLayer) -> Violation? {
    guard layer.options.weight(of: .unsharedDouble) != .off, override.lifecycle == .notCached,
      override.has(.used), !override.isDecoration, !override.isAlias, override.argumentType == nil
    else { return nil }
    let count = layer.log.countOfDoubles(for: override.key, by: layer.name)
    guard count > 1, let shadowed = layer.shadowed(by: override), shadowed.lifecycle == .cached,
      shadowed.retention == .strong
    else { return nil }
    return about(
      override, in: layer, .unsharedDouble,
      "The override of \(override.key) made \(count) doubles, and production shares one instance.",
      facts: [Message.Fact("Production", "\(shadowed.callSite)")],
      remedies: [
        "Share the double:  lifecycle: .cached",
        "Allow it:  \(MessagePlace.current.withoutCheck("unsharedDouble"))",
      ])
  }

  static func ignoredArgument(
    of request: Request, as text: String, for registration: AnyRegistration, in layer: OverrideLayer
  ) -> Violation? {
    let takes = registration.argumentType != nil
    return Violation(
      Message(
        takes
          ? "\(request.key) was asked for with an argument, and its instance was created with another."
          : "\(request.key) was asked for with an argument, and its registration takes none.",
        facts: [
          Message.Fact("Argument", text), Message.Fact("At", "\(request.callSite)"),
          Message.Fact("Registered", "\(registration.callSite)"),
        ],
        remedies: [
          takes ? "Create a new value:  lifecycle: .notCached" : "Leave out 'with:'.",
          "Allow it:  \(MessagePlace.current.withoutCheck("ignoredArgument"))",
        ]),
      of: .ignoredArgument, under: layer.options, at: request.callSite)
  }

  static func leaked(_ registration: AnyRegistration, in layer: OverrideLayer) -> Violation? {
    ofMain(
      "\(registration.key) was registered on 'Resolver.main' while a test runs: other tests see it, too.",
      facts: [Message.Fact("Registered", "\(registration.callSite)")],
      remedy: "Override it for this test:  "
        + registration.key.overrideCode(on: "OverrideLayer.required"),
      in: layer, at: registration.callSite)
  }

  static func removed(_ lost: [AnyRegistration], in layer: OverrideLayer) -> Violation? {
    guard let first = lost.first else { return nil }
    let subject = lost.count == 1 ? "\(first.key) was" : "\(lost.count) registrations were"
    return ofMain(
      "\(subject) removed from 'Resolver.main' while a test runs: other tests miss "
        + (lost.count == 1 ? "it, too." : "them, too."),
      facts: [
        Message.Fact(
          "Registered", lost.prefix(5).map { "\($0.callSite)" }.joined(separator: "\n"))
      ],
      remedy: "Have the test ask a resolver of its own:  withResolver(Resolver()) { … }", in: layer)
  }

  static func guarded(in layer: OverrideLayer) -> Violation? {
    ofMain(
      "'inTests' of 'Resolver.main' was set while a test runs: other tests are guarded by it, too.",
      remedy: "Guard this test:  \(MessagePlace.current.option(".live(.mustBeOverridden)"))",
      in: layer)
  }

  private static func ofMain(
    _ headline: String, facts: [Message.Fact] = [], remedy: String, in layer: OverrideLayer,
    at callSite: CallSite = .unknown
  ) -> Violation? {
    Violation(
      Message(
        headline, facts: facts + [Message.Fact("Layer", layer.words)],
        remedies: [
          remedy, "Allow it:  \(MessagePlace.current.withoutCheck("leakedRegistration"))",
        ]),
      of: .leakedRegistration, under: layer.options, at: callSite)
  }

  static func missed(
    _ fault: AnyRegistration, of count: Int, in layer: OverrideLayer
  ) -> Violation? {
    about(
      fault, in: layer, .unusedOverride,
      "The fault of \(fault.key) never struck in \(count) resolution\(count == 1 ? "" : "s").",
      placed: "Set",
      remedies: [
        "Choose an earlier resolution, or let the code under test ask more often.",
        "Allow it:  \(MessagePlace.current.withoutCheck("unusedOverride"))",
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

  /// A violation of a check by an override, reported where the override was registered. `nil` if
  /// the check is off.
  private static func about(
    _ override: AnyRegistration, in layer: OverrideLayer, _ check: OverrideOptions.Check,
    _ headline: @autoclosure () -> String, facts: [Message.Fact] = [],
    placed: String = "Overridden", remedies: @autoclosure () -> [String]
  ) -> Violation? {
    Violation(
      Message(
        headline(),
        facts: facts + [
          Message.Fact(placed, "\(override.callSite)"), Message.Fact("Layer", layer.words),
        ],
        remedies: remedies()),
      of: check, under: layer.options, at: override.callSite)
  }

  static func endedUnder(_ inner: OverrideLayer, _ outer: OverrideLayer) -> Violation {
    Violation(
      Message(
        "The layer '\(outer.name)' ended before the layer '\(inner.name)' that was pushed on it.",
        // A case of XCTest is never pushed on another layer.
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
          "Give the test a layer:  \(MessagePlace.current.layer())",
          "Return an object from the operation: the layer lives for as long as the object.",
        ]),
      at: layer.callSite)
  }

  static func unfinished(_ layer: OverrideLayer) -> Violation? {
    Violation(
      Message(
        "Work that was started under the layer was still running when it ended.",
        facts: [Message.Fact("Layer", layer.words)],
        remedies: ["Wait for the work that the test started before it ends."]),
      of: .unfinishedWork, under: layer.options, at: layer.callSite)
  }

  static func addedAfterEnd(_ override: AnyRegistration, to layer: OverrideLayer) -> Violation {
    Violation(
      Message(
        "\(override.key) was registered on a layer that has ended; nothing was added.",
        facts: [Message.Fact("Registered", "\(override.callSite)")] + layer.facts,
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
        facts: [Message.Fact("Given", "\(callSite)")] + layer.facts,
        remedies: [
          "Call 'onDispose' before the scope ends, and wait for the work that calls it.",
          "Call it on the layer of the running test:  OverrideLayer.current",
        ]),
      at: callSite)
  }
}

extension OverrideLayer {
  /// The layer in words, with its resolver if that has a name and is not `Resolver.main`.
  package var words: String {
    guard resolver !== Resolver.main, let other = resolver.name else { return "'\(name)'" }
    return "'\(name)' of the resolver '\(other)'"
  }

  var facts: [Message.Fact] {
    let layer = Message.Fact("Layer", words)
    return callSite.isKnown ? [layer, Message.Fact("Pushed", "\(callSite)")] : [layer]
  }
}
