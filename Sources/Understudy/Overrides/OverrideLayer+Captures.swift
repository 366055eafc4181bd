// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Watches a value that a request under this layer gets. Its object may be shared with another
  /// test, or captured before an override of its key.
  package func watch<Value>(_ value: Value, for key: AnyKey, at callSite: CallSite) {
    guard test != nil, log.wantsCapture(for: key), let capture = Capture(value, at: callSite),
      log.note(capture, for: key), let other = LiveObjects.note(capture, in: root)
    else { return }
    let message = Message(
      "One instance of \(key) is used by two tests that run at the same time.",
      facts: [
        Message.Fact("Test", "'\(root.test?.name ?? root.name)' at \(callSite)"),
        Message.Fact("Test", "'\(other.test)' at \(other.callSite)"),
      ],
      remedies: [
        "Make a new one for each test, in the block that is registered.",
        "Allow it:  \(MessagePlace.current.withoutCheck("sharedInstance"))",
      ])
    if let violation = Violation(message, of: .sharedInstance, under: options, at: callSite) {
      record(violation)
    }
  }

  /// The violation of an override that is pushed after an object of its key was captured.
  func lateOverride(_ override: AnyRegistration) -> Violation? {
    guard test != nil, options.weight(of: .lateOverride) != .off,
      let capture = outermostLog.liveCapture(where: override.key.isAnswer(to:))
    else { return nil }
    return .late(
      override, in: self,
      "\(override.key) is overridden after an object captured it: that object keeps the old one.",
      Message.Fact("Captured", "\(capture.callSite)"))
  }

  /// Reports a request in the context of its requester's creation, if the caller sees a later layer
  /// that overrides the key.
  package static func noteEarlyAsker(
    for key: AnyKey, of resolver: Resolver, madeUnder base: OverrideLayer?, at callSite: CallSite
  ) {
    guard let top = current, top !== base, top.test != nil else { return }
    let asked = key.asked
    var found: (layer: OverrideLayer, override: AnyRegistration)?
    var layer: OverrideLayer? = top
    while let next = layer, next !== base {
      if found == nil, next.overrides(resolver),
        let override = asked.lazy.compactMap({ next.registration(for: $0) }).first
      {
        found = (next, override)
      }
      layer = next.outer
    }
    // An object that was created under another stack does not concern this one.
    guard layer === base, let found else { return }
    let violation = Violation.late(
      found.override, in: found.layer,
      "\(key) was requested by an object that was created before the override, and got the earlier answer.",
      Message.Fact("Asked for", "\(callSite)"))
    if let violation { found.layer.record(violation) }
  }

  /// The outermost layer of the test that overrides a resolver or one of its parents. Its log
  /// counts all requests of the test to that resolver.
  package func outermost(of resolver: Resolver) -> OverrideLayer? {
    let process = ProcessLayer.current
    var outermost: OverrideLayer?
    for layer in stack where layer.overrides(resolver) && layer !== process { outermost = layer }
    return outermost ?? nearest(of: resolver)
  }

  /// The log of everything that was resolved under the test.
  private var outermostLog: ResolutionLog {
    var (log, layer) = (log, outer)
    while let below = layer {
      if below.overrides(resolver) { log = below.log }
      layer = below.outer
    }
    return log
  }
}

extension AnyKey {
  /// True if an override of this key would answer another key: the same key, or a declared
  /// dependency and its bare type in either direction.
  fileprivate func isAnswer(to other: AnyKey) -> Bool {
    self == other || undeclared == other || (isPlain && other.undeclared == self)
  }

  /// True if one of the two type names contains the other, as in `MailerSpy` and `Mailer`.
  package func isNamed(like other: AnyKey) -> Bool {
    let name = String(describing: type).lowercased()
    let otherName = String(describing: other.type).lowercased()
    return min(name.count, otherName.count) > 3
      && (name.contains(otherName) || otherName.contains(name))
  }
}

extension OverrideLayer {
  /// The keys that production answered and that an unused override may have meant; at most three.
  func answeredByProduction(insteadOf key: AnyKey) -> [AnyKey] {
    let keys = log.keysOfProduction.filter {
      $0 != key && ($0.type == key.type || $0.isNamed(like: key))
    }
    return Array(keys.sorted { $0.description < $1.description }.prefix(3))
  }

  /// The registration that would answer an override's key without this layer.
  func shadowed(by override: AnyRegistration) -> AnyRegistration? {
    let levels = levels(of: resolver)
    return levels.reading {
      levels.answer(to: override.key, from: levels.below(store))?.registration
    }
  }
}

extension Resolver {
  /// Adds a registration. It replaces the registration of the same key, and forgets that
  /// registration's cached instance.
  ///
  /// On `Resolver.main`, a registration while a layer of a test is live is a finding, since it
  /// outlives the test.
  public func add(_ registration: AnyRegistration) {
    if isInert { return }
    store.add(registration)
    noteLeak(of: registration)
  }

  private func noteLeak(of registration: AnyRegistration) {
    guard let layer = layerOfLeak else { return }
    Resolver.leaked.withLock { $0.add(registration, in: store) }
    if let violation = Violation.leaked(registration, in: layer) { layer.record(violation) }
  }

  /// The registrations that tests added to `Resolver.main`. Their removal is no finding.
  private static let leaked = Lock(LeakedRegistrations())

  /// The layer of the caller's test, if this resolver is `Resolver.main`, whose changes other tests
  /// see.
  private var layerOfLeak: OverrideLayer? {
    guard self === Resolver.main, OverrideLayer.areAnyAlive else { return nil }
    if let layer = OverrideLayer.ofCaller { return layer.test == nil ? nil : layer }
    // The block that configures a layer does not see the layer. The cases of a parameterized test
    // run at the same time and are not told apart.
    guard let test = TestHosts.current?.testOfCallingTask() else { return nil }
    return LiveLayers.all.first { $0.test?.isSameRun(as: test) == true }
  }

  /// Removes the registrations of some keys, and returns their number.
  ///
  /// While a test's layer is live, a removal from `Resolver.main` is a violation, like an `add`.
  /// That does not hold for a registration that a test added there.
  package func remove(_ keys: some Sequence<AnyKey>) -> Int {
    guard let layer = layerOfLeak else { return keys.count { store.remove($0) } }
    let removed = keys.compactMap { store.registration(for: $0) }.filter { store.remove($0.key) }
    let lost = removed.filter { registration in
      !Resolver.leaked.withLock { $0.remove(registration) }
    }
    if let violation = Violation.removed(lost, in: layer) { layer.record(violation) }
    return removed.count
  }

  /// Reports a change of this resolver's live guard.
  func noteChangeOfGuard() {
    guard let layer = layerOfLeak, let violation = Violation.guarded(in: layer) else { return }
    layer.record(violation)
  }
}

/// Registrations by their serials, which a registration keeps when its cached instance is
/// forgotten.
struct LeakedRegistrations: Sendable {
  private(set) var serials: Set<Int> = []
  private var limit = 64

  /// Adds a registration. From time to time it forgets those that are gone, so that a long run
  /// holds at most twice as many as there are.
  mutating func add(_ registration: AnyRegistration, in store: LevelStore) {
    serials.insert(registration.serial)
    guard serials.count > limit else { return }
    serials.formIntersection(store.all.map(\.serial))
    limit = max(64, serials.count * 2)
  }

  /// Removes a registration; false if no test added it.
  mutating func remove(_ registration: AnyRegistration) -> Bool {
    serials.remove(registration.serial) != nil
  }
}
