// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  func checkAtEnd() {
    let (all, installed, leaked) = state.withLock {
      ($0.live.overrides, exchange(&$0.installed, with: []), exchange(&$0.leaked, with: nil))
    }
    if let leaked, !leaked.hasNone { recordLeaks(leaked) }
    let isStrict = options.weight(of: .unusedOverride) == .error
    // A test need not use all of an assembly, and may replace what it uses.
    let used = installed.isEmpty ? [] : Set(all.filter { $0.has(.used) }.map(\.key))
    let isUsed = installed.map { $0.overrides.contains { used.contains(all[$0].key) } }
    var unusedOfAssembly: [Int: [AnyRegistration]] = [:]
    for (index, override) in all.enumerated()
    where !override.traits.isUnimplemented && !override.has(.withdrawn) {
      let assembly =
        installed.isEmpty ? nil : installed.firstIndex { $0.overrides.contains(index) }
      // A test need not use each override of its suite.
      let isOfMany = !isStrict && override.has(.shared) || assembly.map { isUsed[$0] } ?? false
      let successor =
        all.count < 2
        ? nil : all.last { $0.key == override.key }.flatMap { $0 === override ? nil : $0 }
      if let successor, successor.wraps || assembly != nil { continue }
      record(unshared(override))
      if isOfMany, override.has(.used) || !isMistaken(override, among: all) { continue }
      if override.has(.late), !isStrict, !override.has(.used) { continue }
      if override.has(.used) {
        record(missed(override))
      } else if let successor, successor.replaced == nil {
        let installing = installed.first { $0.overrides.contains { all[$0] === successor } }?
          .assembly
        record(replaced(override, by: successor, installing: installing))
      } else if let assembly, !isOfMany {
        unusedOfAssembly[assembly, default: []].append(override)
      } else {
        record(unused(override))
      }
    }
    for index in installed.indices {
      guard let overrides = unusedOfAssembly[index] else { continue }
      let (name, _, callSite) = installed[index]
      record(
        overrides.count == 1 ? unused(overrides[0]) : unused(overrides, of: name, at: callSite))
    }
    if options.weight(of: .unknownKey) != .off {
      for override in all where !isKnown(override.key, among: all) { record(unknown(override)) }
    }
    for inner in inner { record(endedBefore(inner)) }
  }

  func recordUnfinishedWork() {
    record(
      finding(
        .unfinishedWork, "Work that was started under the layer was still running when it ended.",
        facts: [Message.Fact("Layer", words)],
        remedies: ["Wait for the work that the test started before it ends."], at: callSite))
  }

  /// True if it is known what an unused override was meant for: a request that it could not answer,
  /// or a key with a similar name, where production does not know the key of the override.
  private func isMistaken(_ override: AnyRegistration, among overrides: [AnyRegistration]) -> Bool {
    switch missedRequest(for: override.key) {
    case .resolver(_, _, mayBeOfTest: false), .early: return true
    // Work that lost its context may be another test's.
    case .resolver, .lostWork, .outside, nil: break
    }
    return !isKnown(override.key, among: overrides)
      && !requests(like: override.key, [.made, .reused, .failed]).isEmpty
  }

  /// True if production or a layer below knows the overridden key: it is registered or declared
  /// there, or a key that it stands for is. Or an override of it answered a request for a type that
  /// needs no registration.
  private func isKnown(_ key: AnyKey, among overrides: [AnyRegistration]) -> Bool {
    // Most overrides have a registered key, which is found without comparing all others.
    if key.declaration != nil
      || resolver.lineage.contains(where: { $0.store.registration(for: key) != nil })
    {
      return true
    }
    let (asked, elements) = (key.asked, key.elements)
    func isAsked(_ known: AnyKey) -> Bool {
      asked.contains(known) || known.undeclared.map(asked.contains) ?? false
        || elements.contains(where: known.isElement)
    }
    // An alias is known if its target is.
    let others = overrides.filter { $0.aliased != key }
    if overrides.contains(where: { $0.aliased == key && isKnown($0.key, among: others) }) {
      return true
    }
    let hasAdded = overrides.contains {
      $0.key == key && ($0.has(.answeredKnownKey) || $0.has(.used) && key.mayBeMissing)
    }
    if hasAdded || resolver.lineage.contains(where: { $0.store.all.contains { isAsked($0.key) } }) {
      return true
    }
    return stack(of: resolver).dropFirst().contains { layer in
      layer.addedOverrides.contains { isAsked($0.key) }
    }
  }

  /// The keys that were requested of production, or of an outer layer, and that an unused override
  /// may have meant; at most three.
  private func requests(
    like key: AnyKey, _ outcomes: [ResolutionEvent.Outcome], of outer: OverrideLayer? = nil
  ) -> [AnyKey] {
    let keys = log.keys(answeredBy: outer?.label, outcomes)
      .filter { $0 != key && $0.isNamed(like: key) }
    return Array(keys.ordered { $0.description }.prefix(3))
  }

  private func missedRequest(for key: AnyKey) -> MissedRequest? {
    state.withLock { state in state.missed.first { $0.key == key }?.request }
  }

  // MARK: Findings

  private func unused(_ override: AnyRegistration) -> Violation? {
    let reason = disuse(of: override.key)
    // The key is described only if the check is on.
    func removal() -> [String] {
      reason.isAsked ? [] : ["Remove it, or let the code under test ask for \(override.key)."]
    }
    return finding(
      .unusedOverride, about: override, "The override of \(override.key) was never resolved.",
      facts: reason.facts,
      remedies: reason.remedies + removal() + [allowing(.unusedOverride)])
  }

  /// One finding for an assembly of which nothing was used. The first override whose reason is
  /// known gives the reason.
  private func unused(
    _ overrides: [AnyRegistration], of assembly: String, at callSite: CallSite
  ) -> Violation? {
    let reason = overrides.lazy.map { self.disuse(of: $0.key) }.first { !$0.facts.isEmpty }
    let keys = overrides.map { "\($0.key)" }.firstFive.joined(separator: "\n")
    return finding(
      .unusedOverride,
      "None of the \(overrides.count) overrides of the assembly '\(assembly)' was resolved.",
      facts: [Message.Fact("Overrides", keys)] + (reason?.facts ?? [])
        + [Message.Fact("Installed", "\(callSite)"), Message.Fact("Layer", words)],
      remedies: (reason?.remedies ?? []) + [
        "Remove the assembly, or let the code under test ask for one of its keys.",
        allowing(.unusedOverride),
      ], at: callSite)
  }

  /// The known reasons why an override was not used, and their remedies. `isAsked` is true if the
  /// code under test did ask for the key.
  private func disuse(
    of overridden: AnyKey
  ) -> (facts: [Message.Fact], remedies: [String], isAsked: Bool) {
    typealias Ending = (name: String, words: String, [ResolutionEvent.Outcome], OverrideLayer?)
    let production: [Ending] = [
      ("Production", "answered ", [.made, .reused], nil),
      ("Production", "was asked for ", [.failed], nil),
      ("Production", "had no answer for ", [.missed], nil),
    ]
    let layers: [Ending] = stack.dropFirst().map { outer in
      ("Outer layer", "'\(outer.name)' answered ", [.made, .reused], outer)
    }
    var facts: [Message.Fact] = []
    var remedies: [String] = []
    var isAsked = false
    // An answer says more than a request without one.
    for (name, words, outcomes, outer) in production.prefix(1) + layers + production.dropFirst() {
      let meant = requests(like: overridden, outcomes, of: outer)
      guard let key = meant.first else { continue }
      let isNamesake = key.isNamesake(of: overridden)
      if isNamesake { facts.append(Message.Fact("In full", overridden.distinguished(from: key))) }
      let told = meant.map { isNamesake ? $0.distinguished(from: overridden) : "\($0)" }
      facts.append(Message.Fact(name, words + told.joined(separator: ", ")))
      remedies.append("Override that:  \(place.addingOverride(of: key))")
      break
    }
    switch missedRequest(for: overridden) {
    case .resolver(let name, let callSite, _):
      let name = name.map { "the resolver '\($0)'" } ?? "another resolver"
      facts.append(Message.Fact("Asked of", "\(name), at \(callSite)"))
      remedies.append("Override that resolver:  \(place.overridingAnother)")
    case .lostWork(let callSite):
      let work = place == .swiftTesting ? ", perhaps another test's" : ""
      facts.append(Message.Fact("Asked by", "work that lost its context\(work), at \(callSite)"))
      remedies.append(Violation.carryingContext)
    case .early(let property):
      facts.append(Message.Fact("Injected", "into \(property), before the test began"))
      remedies.append("Create that object in the test, or in 'setUp'.")
    case .outside(let callSite):
      facts.append(Message.Fact("Asked for", "outside of the layer, at \(callSite)"))
      remedies.append(
        "Ask under the layer of the object that the operation returned:  withOverrides(from: …)")
      isAsked = true
    case nil:
      guard let callSite = log.placeOfProduction(for: overridden) else { break }
      facts.append(Message.Fact("Production", "answered it, at \(callSite)"))
      remedies.append("Override it before the code under test asks for it.")
      isAsked = true
    }
    return (facts, remedies, isAsked)
  }

  private func replaced(
    _ override: AnyRegistration, by successor: AnyRegistration, installing assembly: String?
  ) -> Violation? {
    let remedy =
      if let assembly {
        "Install '\(assembly)' first, and override after it."
      } else if override.isDecoration {
        "Decorate after the registration."
      } else {
        "Register one of them, or tell them apart with a name."
      }
    return finding(
      .unusedOverride, about: override,
      "The override of \(override.key) was replaced before it was resolved.",
      facts: [Message.Fact("Replaced", "\(successor.callSite)")],
      remedies: [remedy, allowing(.unusedOverride)])
  }

  private func missed(_ fault: AnyRegistration) -> Violation? {
    guard let count = fault.missedStrikes else { return nil }
    return finding(
      .unusedOverride, about: fault,
      "The fault of \(fault.key) never struck in \(counted(count, "resolution")).",
      placed: "Set",
      remedies: [
        "Choose an earlier resolution, or let the code under test ask more often.",
        allowing(.unusedOverride),
      ])
  }

  private func unshared(_ override: AnyRegistration) -> Violation? {
    guard options.weight(of: .unsharedDouble) != .off, override.lifecycle == .notCached,
      override.has(.used), !override.isDecoration, !override.isAlias, override.argumentType == nil
    else { return nil }
    let count = log.countOfDoubles(for: override.key, by: name)
    let levels = LevelStack(
      top: levels(of: resolver).nextLayer(below: store), production: resolver.store)
    guard count > 1,
      let shadowed = levels.reading({
        levels.answer(to: override.key, from: levels.top)
          .flatMap { levels.maker(of: $0, to: override.key) }?.registration
      }), shadowed.lifecycle == .cached, shadowed.retention == .strong
    else { return nil }
    return finding(
      .unsharedDouble, about: override,
      "The override of \(override.key) made \(count) doubles, and production shares one instance.",
      facts: [Message.Fact("Production", "\(shadowed.callSite)")],
      remedies: ["Share the double:  lifecycle: .cached", allowing(.unsharedDouble)])
  }

  private func unknown(_ override: AnyRegistration) -> Violation? {
    finding(
      .unknownKey, about: override,
      "The override of \(override.key) overrides nothing: production does not know the key.",
      remedies: [
        "Override a key that production registers.",
        "Allow it:  leave out 'enforce: true', or \(option(".check(.unknownKey, .off)", at: place))",
      ])
  }

  private func endedBefore(_ inner: OverrideLayer) -> Violation {
    Violation(
      Message(
        "The layer '\(name)' ended before the layer '\(inner.name)' that was pushed on it.",
        // A case of XCTest is never pushed on another layer.
        facts: [Message.Fact("Inner layer", "\(inner.callSite)")]
          + (callSite.isKnown ? [Message.Fact("Outer layer", "\(callSite)")] : []),
        remedies: ["Wait for the work that pushed the inner layer before the outer one ends."]),
      at: inner.callSite)
  }
}

extension AnyRegistration {
  /// True if it replaces another registration on purpose, and its own use is that one's use, too.
  fileprivate var wraps: Bool { traits.isMerged && replaced == nil }
}

extension AnyKey {
  /// True if the types are equal, or one of their names contains the other, as in `MailerSpy` and
  /// `Mailer`. A short name has to be that of the double, as in `APISpy` and `API`.
  package func isNamed(like other: AnyKey) -> Bool {
    if type == other.type { return true }
    let names = [type, other.type].map { String(describing: $0).lowercased() }
      .ordered { $0.count }
    let (short, long) = (names[0], names[1])
    // Many words contain a name like 'API'.
    return short.count > 3
      ? long.contains(short)
      : ["spy", "mock", "fake", "stub", "double"].contains {
        long == short + $0 || long == $0 + short
      }
  }
}
