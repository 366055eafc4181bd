// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A set of overriding registrations with its own instances and its own log.
///
/// Layers stack above a resolver. The innermost layer that has a registration for a key answers it
/// (O1, O2). A layer is visible to the task tree that pushed it and to nothing else (O3).
///
/// Safety: the first layer of a stack makes the only recollection of the stack's lock.
public final class OverrideLayer: Registering {
  /// How messages call the layer: by the name that it was given, or by where it was pushed.
  public var name: String { givenName ?? callSite.description }
  /// Where it was pushed; line 0 of no file for that of a case of XCTest, of which nobody knows where it is written.
  public let callSite: CallSite
  /// The resolver that it overrides.
  public let resolver: Resolver
  /// What was resolved under it.
  public let log: ResolutionLog
  /// What it checks, with what it has from outer layers.
  public let options: OverrideOptions

  /// The layer that this one was pushed on, of whatever resolver.
  package let outer: OverrideLayer?
  /// How many layers lie between this one and production, itself included.
  package let level: Int
  /// The level of the innermost boundary at or below this layer; 0 if there is none.
  package let boundaryLevel: Int
  /// The test that the layer belongs to.
  package let test: RunningTest?
  /// The types that may fall through to production under `.strict`, with those of outer layers.
  package let allowed: [any Any.Type]
  package let store: RegistrationStore
  /// What was found out about the stack that this layer is in, shared by all of its layers.
  package let recollection: Recollection<RememberedAnswer>
  /// Tells layers apart, also when one lies where another was.
  package let serial: Int
  /// What the short way of a resolution under it needs.
  let notes: LayerNotes
  package let scope: LayerScope
  package let ledger: Ledger
  package let disposal: Disposal

  /// True while what is remembered of the stack is dropped when production changes, because of this layer.
  let isObserving = Atomic<Bool>(false)

  private let givenName: String?
  private let outermost: OverrideLayer?
  private let boundaryBelow: OverrideLayer?

  private static let lastSerial = Atomic<Int>(0)

  /// Counts lifetimes, not scopes: an unstructured task outlives the scope that it was started in, and still sees the
  /// layer. One relaxed load: whoever sees a layer is ordered after its initialiser by what showed it.
  package static var areAnyAlive: Bool { Attention.areLayersAlive }

  /// The innermost layer that the calling task sees.
  public static var current: OverrideLayer? { areAnyAlive ? bound : nil }

  /// Makes a layer on top of another.
  package init(_ traits: consuming LayerTraits) {
    let outer = traits.outer
    let lock = outer?.log.lock ?? StackLock()
    let state = Lock(LayerState(), sharing: lock.mutex)
    log = ResolutionLog(lock, state.part(\.log))
    scope = LayerScope(state.part(\.scope))
    ledger = Ledger(state.part(\.ledger))
    disposal = Disposal(state.part(\.disposal))
    recollection = unsafe outer?.recollection ?? Recollection(lock.recollected)
    store = RegistrationStore(observer: recollection, state.part(\.store))
    serial = OverrideLayer.lastSerial.add(1, ordering: .relaxed).newValue
    boundaryBelow = outer?.boundary
    resolver = traits.resolver
    givenName = traits.name
    callSite = traits.callSite
    options = (outer?.options ?? .processDefault).merging(traits.options)
    self.outer = outer
    level = (outer?.level ?? 0) + 1
    boundaryLevel = traits.isBoundary ? level : outer?.boundaryLevel ?? 0
    test = outer == nil ? traits.test : RunningTest.joined(outer?.test, traits.test)
    allowed = OverrideLayer.joined(traits.allowed, outer?.allowed ?? [])
    outermost = outer.map { $0.outermost ?? $0 }
    notes = LayerNotes(of: resolver, serial: serial, isInTest: test != nil, lock, log)
    Attention.beginLayer()
    next(of: resolver)?.log.adopt(log)
    if let outer { outer.scope.open(self) } else if test != nil { LiveLayers.open(self) }
  }

  /// Most layers allow nothing, and make no array of that.
  private static func joined(_ own: [any Any.Type], _ others: [any Any.Type]) -> [any Any.Type] {
    own.isEmpty ? others : others.isEmpty ? own : own + others
  }

  deinit {
    if !scope.isEnded { abandon() }
    stopObservingProduction()
    // The log may stay, with the memory that they are in.
    _ = ledger.takeParticipants()
    Attention.endLayer()
  }

  /// None of its own: each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults(isPublished: false) }

  /// Adds an override. One for the same key is replaced.
  ///
  /// Adding to a layer that has ended adds nothing and is an issue of the run (O9); in a process without
  /// tests it is written to standard error.
  public func add(_ registration: AnyRegistration) {
    let late = lateOverride(registration)
    guard scope.note(registration) else {
      TestHosts.reportOnRun(.addedAfterEnd(registration, to: self), about: [self])
      return
    }
    if let late { record(late) }
    store.add(registration)
    // It may have ended since, and have let go of the rest.
    if scope.isEnded { _ = store.remove(registration.key) }
  }

  /// The outermost layer of the stack that this one is in.
  package var root: OverrideLayer { outermost ?? self }

  /// The nearest layer of a resolver below this one.
  package func next(of resolver: Resolver) -> OverrideLayer? {
    outer?.nearest(of: resolver)
  }

  /// This layer or the nearest below it that overrides a resolver: the one whose log counts what that is asked for.
  public func nearest(of resolver: Resolver) -> OverrideLayer? {
    var layer: OverrideLayer? = self
    while let candidate = layer, candidate.resolver !== resolver { layer = candidate.outer }
    return layer
  }

  /// This layer or the nearest below it whose scope has ended.
  package var nearestEnded: OverrideLayer? {
    var layer: OverrideLayer? = self
    while let candidate = layer, !candidate.scope.isEnded { layer = candidate.outer }
    return layer
  }

  /// This layer and all below it, innermost first.
  package var stack: some Sequence<OverrideLayer> {
    sequence(first: self) { $0.outer }
  }

  /// The innermost boundary at or below this layer.
  package var boundary: OverrideLayer? {
    level == boundaryLevel ? self : boundaryBelow
  }

  /// Removes this layer's override of a key, which uncovers what lies below; false if there is none.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool { store.remove(key.erased) }

  /// Removes this layer's override of a key, which uncovers what lies below; false if there is none.
  @discardableResult
  public func unregister(_ key: AnyKey) -> Bool { store.remove(key) }

  /// Keeps a violation until the layer ends; from any thread. A layer that has ended passes it on to
  /// the run.
  package func record(_ violation: Violation) {
    if !ledger.add(violation) { TestHosts.reportOnRun(violation, about: [self]) }
  }

  /// Has `participant` finished when this layer ends, before violations are reported.
  package func adopt(_ participant: any LayerParticipant) {
    ledger.adopt(participant)
  }
}

/// Everything that a layer is made with.
package struct LayerTraits: ~Copyable, Sendable {
  package var resolver: Resolver
  package var name: String?
  package var callSite: CallSite
  package var outer: OverrideLayer?
  /// True for the root layer of a test: every instance first made under it is its own, so that
  /// production's caches start empty and receive nothing (O5).
  package var isBoundary = false
  package var options: OverrideOptions = []
  package var allowed: [any Any.Type] = []
  package var test: RunningTest?

  package init(
    of resolver: Resolver, named name: String?, on outer: OverrideLayer?, at callSite: CallSite
  ) {
    self.resolver = resolver
    self.name = name
    self.outer = outer
    self.callSite = callSite
  }
}
