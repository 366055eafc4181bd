// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
