// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension AnyRegistration {
  /// The registration, or a new one if it was added before: children, layers or another resolver
  /// may have its instances.
  var notListed: AnyRegistration { has(.listed) ? renewed(asNew: true) : self }
}

extension Resolver {
  /// Adds a registration. It replaces the registration of the same key, and forgets that
  /// registration's cached instance.
  ///
  /// A registration that some resolver has or had is added as a new one, without an instance.
  ///
  /// On `Resolver.main`, a registration while a layer of a test is live is a finding, since it
  /// outlives the test.
  public func add(_ registration: AnyRegistration) {
    _ = add(registration.notListed) { _, _ in true }
  }

  /// Adds a registration if a condition holds for the one that it replaces. The condition runs no
  /// user code. Returns `false` if the registration was not added.
  package func add(
    _ registration: AnyRegistration, if holds: (AnyRegistration?, borrowing Level) -> Bool
  ) -> Bool {
    if isInert { return true }
    guard store.add(registration, if: holds) else { return false }
    noteLeak(of: registration)
    return true
  }

  /// Notes a registration on `Resolver.main` while a test's layer is live. A test may be the first
  /// to reach code that registers a whole program, so the layer's end reports all.
  package func noteLeak(of registration: AnyRegistration) {
    guard let layer = layerOfLeak else { return }
    registration.mark(.leaked)
    let leak = LeakedRegistration(
      key: registration.key, argument: registration.argumentType, callSite: registration.callSite,
      isOutside: OverrideLayer.current == nil)
    // The process of an exit test may end before the layer.
    let isAtOnce = TestHosts.current?.expectsExit == true
    if isAtOnce || layer.state.withLock({ $0.leaked?.append(leak) == nil }) {
      layer.recordLeaks([leak])
    }
  }

  /// The layer of the caller's test, if this resolver is `Resolver.main`, whose changes other tests
  /// see.
  private var layerOfLeak: OverrideLayer? {
    guard self === Resolver.main, OverrideLayer.areAnyAlive else { return nil }
    if let layer = OverrideLayer.ofCaller { return layer.isOfTest ? layer : nil }
    // The block that configures a layer does not see the layer. The cases of a parameterized test
    // run at the same time and are not told apart.
    guard let test = TestHosts.current?.testOfCallingTask() else { return nil }
    return LiveLayers.all.filter { $0.test?.isSameRun(as: test) == true }
      .ordered { $0.serial }.first
  }

  /// Removes the registrations of some keys, and returns their number.
  ///
  /// While a test's layer is live, a removal from `Resolver.main` is a violation, like an `add`.
  /// That does not hold for a registration that a test added there.
  package func remove(_ keys: some Sequence<AnyKey>) -> Int {
    reportingRemoval(of: keys.compactMap { store.remove($0) }).count
  }

  /// Returns removed registrations. In a test that has a layer, their removal from `Resolver.main`
  /// is a violation.
  package func reportingRemoval(of removed: [AnyRegistration]) -> [AnyRegistration] {
    guard let layer = layerOfLeak else { return removed }
    let lost = removed.filter { !$0.has(.leaked) }
    guard let first = lost.first else { return removed }
    layer.recordLeak(
      lost.count == 1
        ? "\(first.key) was removed from 'Resolver.main' while a test runs: other tests miss it, too."
        : "\(lost.count) registrations were removed from 'Resolver.main' while a test runs: "
          + "other tests miss them, too.",
      facts: [
        Message.Fact(
          "Registered", lost.prefix(5).map { "\($0.callSite)" }.joined(separator: "\n"))
      ],
      remedy: "Have the test ask a resolver of its own:  withResolver(Resolver()) { … }")
    return removed
  }

  func noteChange(of guardian: LiveGuard?) {
    guard let layer = layerOfLeak else { return }
    let isGuard = guardian == .mustBeOverridden
    layer.recordLeak(
      "'inTests' of 'Resolver.main' was set while a test runs: other tests "
        + (isGuard ? "are guarded by it, too." : "lose its guard, too."),
      remedy: (isGuard ? "Guard this test:  " : "Allow it in this test:  ")
        + layer.option(".live(.\(isGuard ? "mustBeOverridden" : "allowed"))", at: .current))
  }
}

/// A registration on `Resolver.main` during a test.
struct LeakedRegistration {
  let key: AnyKey
  let argument: (any Any.Type)?
  let callSite: CallSite
  /// True if the caller does not see the layer: the block that configures it, or work that lost its
  /// context.
  let isOutside: Bool
}

extension OverrideLayer {
  func recordLeaks(_ leaked: [LeakedRegistration]) {
    let first = leaked[0]
    let configured = place == .xctest ? "layer" : "$0"
    let layer = first.isOutside ? configured : "OverrideLayer.required"
    let places = Set(leaked.map { "\($0.key), at \($0.callSite)" })
    if places.count > 1 {
      return recordLeak(
        "\(places.count) registrations were made on 'Resolver.main' while a test runs: "
          + "other tests see them, too.",
        facts: [Message.Fact("Registered", Array(places).firstFive.joined(separator: "\n"))],
        remedy: "Override them for this test:  "
          + overridingMain("\(layer).install(…)"), at: first.callSite)
    }
    recordLeak(
      "\(first.key) was registered on 'Resolver.main' while a test runs: other tests see it, too.",
      facts: [Message.Fact("Registered", "\(first.callSite)")],
      remedy: "Override it for this test:  "
        + overridingMain(first.key.overrideCode(on: layer, taking: first.argument)),
      at: first.callSite)
  }

  /// The code that overrides something of the main resolver, which this layer may not override.
  private func overridingMain(_ code: String) -> String {
    overrides(.main) ? code : "withOverrides(of: .main) { … } operation: { … }"
  }

  fileprivate func recordLeak(
    _ headline: @autoclosure () -> String, facts: @autoclosure () -> [Message.Fact] = [],
    remedy: @autoclosure () -> String, at callSite: CallSite = .unknown
  ) {
    record(
      finding(
        .leakedRegistration, headline(), facts: facts() + [Message.Fact("Layer", words)],
        remedies: [remedy(), allowing(.leakedRegistration)], at: callSite))
  }
}

extension Resolver {
  /// The keys of this resolver's own registrations, in the order of registration. Those of its
  /// parents and of layers are not among them.
  public var keys: [AnyKey] { store.all.map(\.key) }

  /// True if this resolver itself has a registration for a key. `registration(for:)` also finds
  /// those of parents and layers, and declared defaults.
  public func contains<Value>(_ key: Key<Value>) -> Bool { contains(key.erased) }

  /// True if this resolver itself has a registration for a key.
  public func contains(_ key: AnyKey) -> Bool { store.registration(for: key) != nil }

  /// Removes the registration of a key. Returns `false` if there is none.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool { unregister(key.erased) }

  /// Removes the registration of a key. Returns `false` if there is none.
  @discardableResult
  public func unregister(_ key: AnyKey) -> Bool { remove(CollectionOfOne(key)) == 1 }

  /// Removes all registrations in a container, and returns their number.
  @discardableResult
  public func unregister(in container: any Hashable & Sendable) -> Int {
    remove(store.registrations(in: KeyName(container)).map(\.key))
  }
}

extension Registering {
  /// Registers the contents of an assembly, after those of its dependencies. Each assembly is
  /// installed once, however many depend on it.
  ///
  /// `install` does not create `eager` instances: the first request does. `load` creates them at
  /// once, and can throw.
  ///
  /// - Parameters:
  ///   - assembly: The assembly. Objects are told apart by their identity. Other values are told
  ///     apart by their type and by `==`, or, if they are not `Equatable`, by their stored
  ///     properties that are.
  public func install(
    _ assembly: some Assembly, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    let layer = installingLayer
    let count = layer?.addedOverrides.count ?? 0
    for part in [any Assembly].inOrder(of: [assembly]) {
      part.assemble(into: self, installedAt: callSite)
    }
    layer?.noteInstalled(assembly, from: count, at: callSite)
  }

  /// The layer that this registrar adds to, if it is one.
  private var installingLayer: OverrideLayer? {
    self as? OverrideLayer ?? (self as? DefaultingRegistrar)?.base.installingLayer
  }
}
