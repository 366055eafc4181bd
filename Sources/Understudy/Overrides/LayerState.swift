// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// An array that is read outside a lock and changed in place under it is safe, since the writer sees
// that it is shared; but the thread sanitizer cannot see the reference count that says so. So only
// copies with storage of their own leave a lock here.

/// The rarer state of a layer, under a lock of its own. A debug build makes arrays faster than
/// sets and dictionaries, and most of these stay empty.
struct LayerState: Sendable {
  /// The state that lives until the layer ends.
  var live = Live()
  /// The calls of `install`, with the places of their overrides among all overrides.
  var installed: [(assembly: String, overrides: Range<Int>, callSite: CallSite)] = []
  /// The registrations on `Resolver.main`. `nil` once they have been told.
  var leaked: [LeakedRegistration]? = []
  /// The requests for overridden keys that the layer could not answer.
  var missed: [(key: AnyKey, request: OverrideLayer.MissedRequest)] = []
  weak var keeper: LayerKeeper?
  /// The violations about the layer that were reported on the run.
  var reported: Set<Violation> = []
  var ledger = Ledger()
  var disposal = Disposal()

  struct Live: Sendable {
    // The first one is stored inline, since many layers have only one.
    private var firstOverride: AnyRegistration?
    private var otherOverrides: [AnyRegistration] = []
    var inner: [OverrideLayer] = []

    var overrides: [AnyRegistration] { firstOverride.map { [$0] + otherOverrides } ?? [] }

    func forEachOverride(_ body: (AnyRegistration) -> Void) {
      guard let firstOverride else { return }
      body(firstOverride)
      for override in otherOverrides { body(override) }
    }

    mutating func append(_ override: AnyRegistration) {
      guard firstOverride != nil else { return firstOverride = override }
      // Few tests have more than 8 overrides, and this avoids growing step by step.
      if otherOverrides.hasNone { otherOverrides.reserveCapacity(8) }
      otherOverrides.append(override)
    }
  }
}

extension OverrideLayer {
  /// A request for an overridden key that the layer could not answer.
  package enum MissedRequest: Sendable {
    /// Another resolver than the overridden one was asked. The test may have registered the answer
    /// there itself.
    case resolver(String?, CallSite, mayBeOfTest: Bool)
    /// The work had lost its context.
    case lostWork(CallSite)
    /// The test asked without the layer, which it has left to its own end.
    case outside(CallSite)
    /// An object that was created before the layer holds the injected value in this property.
    case early(String)
  }

  private static var ended: Int { 1 }
  private static var oneBlock: Int { 2 }

  package var isEnded: Bool { progress.value & OverrideLayer.ended != 0 }

  /// All overrides that were added, in order, with the replaced and the claimed ones.
  package var addedOverrides: [AnyRegistration] { state.withLock { $0.live.overrides } }

  /// The layers that were pushed on this one and have not ended.
  package var inner: [OverrideLayer] { state.withLock { $0.live.inner.map(\.self) } }

  // MARK: Running blocks

  /// True while a block runs under the layer.
  package var hasRunningWork: Bool { progress.relaxedValue >= OverrideLayer.oneBlock }

  /// Begins to run a block under the layer; `endRunning` has to follow.
  func beginRunning() { progress.add(OverrideLayer.oneBlock) }

  func endRunning() { progress.subtract(OverrideLayer.oneBlock) }

  // MARK: Overrides

  /// Notes an added override. Returns `false` and notes nothing if the layer has ended.
  package func note(_ registration: AnyRegistration) -> Bool {
    // Counted first, so that no request misses it. Because of the lock, the layer cannot release
    // its overrides between the check and the append.
    OverriddenTypes.add(registration.key)
    let isNoted = state.withLock { state in
      guard !isEnded else { return false }
      state.live.append(registration)
      return true
    }
    if !isNoted { OverriddenTypes.remove(registration.key) }
    return isNoted
  }

  package var sharedOverrides: [AnyRegistration] { addedOverrides.filter { $0.has(.shared) } }

  /// Marks the overrides so far as those of a suite. A test of it need not use each of them.
  package func markShared() { for override in addedOverrides { override.mark(.shared) } }

  /// Notes the overrides of an assembly. They include those of assemblies that it installed itself.
  func noteInstalled(_ assembly: some Assembly, from count: Int, at callSite: CallSite) {
    let name = TypeDescription.of(type(of: assembly))
    state.withLock { state in
      state.installed.removeAll { $0.overrides.lowerBound >= count }
      let overrides = count..<max(count, state.live.overrides.count)
      state.installed.append((name, overrides, callSite))
    }
  }

  /// Notes a request for an overridden key that the layer cannot answer.
  package func noteMissed(_ request: MissedRequest, for key: AnyKey) {
    state.withLock { state in
      if !state.missed.contains(where: { $0.key == key }) {
        state.missed.append((key, request))
      }
    }
  }

  /// True the first time that something about this layer is reported on the run.
  func noteReport(_ violation: Violation) -> Bool {
    state.withLock { $0.reported.insert(violation).inserted }
  }

  // MARK: The tree

  /// The innermost layer from this one upwards, or the layer at which the stack forks.
  package var tip: OverrideLayer {
    let inner = inner
    return inner.count == 1 ? inner[0].tip : self
  }

  /// This layer and all that were pushed on it and have not ended.
  package var withInner: [OverrideLayer] { [self] + inner.flatMap(\.withInner) }

  /// Marks the layer as ended, and returns its live state, or `nil` if it had already ended. That
  /// state may hold the last reference to an inner layer.
  func close() -> LayerState.Live? {
    guard progress.bitwiseOr(OverrideLayer.ended) & OverrideLayer.ended == 0 else { return nil }
    let (live, missed) = state.withLock { state in
      (exchange(&state.live, with: LayerState.Live()), exchange(&state.missed, with: []))
    }
    // A name among the keys may be a user's object.
    withExtendedLifetime(missed) {}
    return live
  }

  /// Releases the level of a layer that `close` has marked as ended, and what the layer held.
  func release(_ live: LayerState.Live) {
    store.end()
    // After the end of the level: a request that finds no overridden type must see that it ended.
    live.forEachOverride { OverriddenTypes.remove($0.key) }
    withExtendedLifetime(live) {}
  }
}
