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
    if isInert { return }
    let fresh = registration.notListed
    store.add(fresh)
    noteLeak(of: fresh)
  }

  /// Adds a registration, unless the one that it replaces has a value or an instance, or creates
  /// one. False if it was not added.
  package func addIfUnused(_ registration: AnyRegistration) -> Bool {
    add(registration) { present, level in
      present.map {
        !$0.isExisting && level.newestInstance(of: $0) == nil
          && level.creation(of: $0, at: store.number) == nil
      } ?? true
    }
  }

  /// Adds a registration in place of another one. False if that does not answer its key any more.
  package func add(_ registration: AnyRegistration, replacing old: AnyRegistration) -> Bool {
    add(registration) { present, _ in present === old }
  }

  private func add(
    _ registration: AnyRegistration, if holds: (AnyRegistration?, borrowing Level) -> Bool
  ) -> Bool {
    if isInert { return true }
    guard store.add(registration, if: holds) else { return false }
    noteLeak(of: registration)
    return true
  }

  /// Reports a registration that was added to `Resolver.main` while a test's layer is live.
  package func noteLeak(of registration: AnyRegistration) {
    guard let layer = layerOfLeak else { return }
    registration.mark(.leaked)
    if let violation = Violation.leaked(registration, in: layer) { layer.record(violation) }
  }

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
    noted(keys.compactMap { store.take($0) }).count
  }

  /// Removes some registrations, and returns those that answered their keys. A removal from
  /// `Resolver.main` is a violation as above.
  package func remove(_ registrations: [AnyRegistration]) -> [AnyRegistration] {
    noted(registrations.filter { store.remove($0) })
  }

  private func noted(_ removed: [AnyRegistration]) -> [AnyRegistration] {
    if let layer = layerOfLeak,
      let violation = Violation.removed(removed.filter { !$0.has(.leaked) }, in: layer)
    {
      layer.record(violation)
    }
    return removed
  }

  func noteChangeOfGuard() {
    guard let layer = layerOfLeak, let violation = Violation.guarded(in: layer) else { return }
    layer.record(violation)
  }
}
