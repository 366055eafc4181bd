// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// An array that is read outside a lock and changed in place under it is safe, since the writer
// sees that it is shared; but the thread sanitizer cannot see the reference count that says so. So
// what leaves a lock here is a copy of its own.

/// What a layer knows of its own time: that it has ended, what was added to it, what is open on it.
package struct LayerScope: ~Copyable, Sendable {
  struct ScopeState: Sendable {
    var overrides = AddedOverrides()
    var sharedOverrides = 0
    var inner: [OverrideLayer] = []
    var reported: Set<Violation> = []
    /// What few layers have: none or one, so that the others are small.
    var rare: [RareState] = []
  }

  /// A request for an overridden key that the layer could not answer.
  package enum Elsewhere: Sendable {
    /// Another resolver than the overridden one was asked.
    case resolver(String?, CallSite)
    /// The work had lost its context.
    case lostWork(CallSite)
    /// An object has injected it that was created before the layer: the property that holds it.
    case early(String)
  }

  struct RareState: Sendable {
    /// The registrations that an assembly installed.
    var installed: Set<Int> = []
    /// The requests for overridden keys that the layer could not answer.
    var elsewhere: [AnyKey: Elsewhere] = [:]
    weak var keeper: LayerKeeper?
  }

  private let state: Lock<ScopeState>
  /// Bit 0 says that the scope has ended. The bits above count the blocks that run under the layer.
  private let progress: AtomicInt

  private static var ended: Int { 1 }
  private static var oneBlock: Int { 2 }

  init(_ state: Lock<ScopeState>, _ progress: AtomicInt) {
    self.state = state
    self.progress = progress
  }

  package var isEnded: Bool { progress.value & LayerScope.ended != 0 }

  /// Everything that was ever added, in order, also what was replaced or claimed.
  package var overrides: [AnyRegistration] { state.withLock { $0.overrides.all } }

  /// The layers that were pushed on this one and have not ended.
  package var inner: [OverrideLayer] { state.withLock { $0.inner.map(\.self) } }

  /// True while a block runs under the layer.
  package var hasRunningWork: Bool { progress.relaxedValue >= LayerScope.oneBlock }

  /// Notes what is added; false if the scope has ended, and notes nothing then.
  package func note(_ registration: AnyRegistration) -> Bool {
    // First, so that it is not missed; and under the lock there is no end between the look and the
    // note.
    OverriddenTypes.add(registration.key)
    let isNoted = state.withLock { state in
      guard !isEnded else { return false }
      state.overrides.append(registration)
      return true
    }
    if !isNoted { OverriddenTypes.remove(registration.key) }
    return isNoted
  }

  var countOfShared: Int { state.withLock { $0.sharedOverrides } }

  package var sharedOverrides: [AnyRegistration] {
    state.withLock { Array($0.overrides.all.prefix($0.sharedOverrides)) }
  }

  /// Says that what was added so far is for all tests of a suite: each need not use all of it.
  package func markShared() { state.withLock { $0.sharedOverrides = $0.overrides.count } }

  func noteInstalled(from count: Int) {
    state.withLock { state in
      let ids = state.overrides.all.dropFirst(count).map(\.id)
      state.changeRare { $0.installed.formUnion(ids) }
    }
  }

  var installed: Set<Int> { state.withLock { $0.rare.first?.installed ?? [] } }

  /// Notes a request for an overridden key that the layer cannot answer.
  package func note(_ key: AnyKey, asked elsewhere: Elsewhere) {
    state.withLock { state in
      state.changeRare { if $0.elsewhere[key] == nil { $0.elsewhere[key] = elsewhere } }
    }
  }

  func elsewhere(_ key: AnyKey) -> Elsewhere? {
    state.withLock { $0.rare.first?.elsewhere[key] }
  }

  /// True the first time that something about this layer is reported on the run.
  func noteReport(_ violation: Violation) -> Bool {
    state.withLock { $0.reported.insert(violation).inserted }
  }

  var keeper: LayerKeeper? { state.withLock { $0.rare.first?.keeper } }

  func keep(by keeper: LayerKeeper) {
    state.withLock { state in state.changeRare { $0.keeper = keeper } }
  }

  package func open(_ inner: OverrideLayer) { state.withLock { $0.inner.append(inner) } }

  package func close(_ inner: OverrideLayer) {
    state.withLock { $0.inner.removeAll { $0 === inner } }
  }

  /// Begins to run a block under the layer; `endRunning` has to follow.
  func beginRunning() { progress.add(LayerScope.oneBlock) }

  func endRunning() { progress.subtract(LayerScope.oneBlock) }

  /// Ends the scope and returns all that was added to it; `nil` if it had ended. The owner of a
  /// scope must end it.
  package func end() -> AddedOverrides? {
    let older = progress.bitwiseOr(LayerScope.ended)
    guard older & LayerScope.ended == 0 else { return nil }
    let released = state.withLock { exchange(&$0, with: ScopeState(reported: $0.reported)) }
    // Not only for what is used of it: a layer among the rest may have its last reference here.
    withExtendedLifetime(released) {}
    released.overrides.forEach { OverriddenTypes.remove($0.key) }
    return released.overrides
  }
}

extension LayerScope.ScopeState {
  mutating func changeRare(_ body: (inout LayerScope.RareState) -> Void) {
    if rare.isEmpty { rare.append(LayerScope.RareState()) }
    body(&rare[0])
  }
}

/// The outermost layers of all tests that are running.
package enum LiveLayers {
  private static let roots = Lock<[ObjectIdentifier: OverrideLayer]>([:])

  package static var all: [OverrideLayer] { roots.withLock { Array($0.values) } }

  /// The innermost layer of the only live test, if that may take work that lost its context.
  package static var adopter: OverrideLayer? {
    let only = roots.withLock { $0.count == 1 ? $0.values.first : nil }
    guard let tip = only?.tip, let test = tip.test, test.adoptsEscapedWork else { return nil }
    return tip
  }

  static func open(_ root: OverrideLayer) {
    roots.withLock { $0[ObjectIdentifier(root)] = root }
  }

  /// - Complexity: O(1), however many tests are running.
  static func close(_ root: OverrideLayer) {
    let closed = roots.withLock { $0.removeValue(forKey: ObjectIdentifier(root)) }
    withExtendedLifetime(closed) {}
  }
}

extension OverrideLayer {
  /// The innermost layer of a stack that has not forked; of one that has, where it forks.
  package var tip: OverrideLayer {
    let inner = scope.inner
    return inner.count == 1 ? inner[0].tip : self
  }

  /// This layer and all that were pushed on it and have not ended.
  package var withInner: [OverrideLayer] { [self] + scope.inner.flatMap(\.withInner) }
}

/// The rarer state of a layer, under the lock of its tree and in one piece of memory: every test
/// makes a layer, and each lock is an allocation.
struct LayerState: Sendable {
  /// How far the scope is, which no lock guards.
  var progress = AtomicWord()
  var scope = LayerScope.ScopeState()
  var ledger = Ledger()
  var disposal = Disposal.DisposalState()
}
