// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A set of overriding registrations with its own instances and its own log.
///
/// Layers stack above a resolver. The innermost layer that has a registration for a key answers it.
/// A layer is visible to the task tree that pushed it and to nothing else.
public final class OverrideLayer: Registering {
  // The first stored property: `progress` looks for it there.
  private let word = AtomicWord()
  /// The name of the layer in messages: its given name, or the place where it was pushed.
  public var name: String { label.name }
  /// The place where the layer was pushed. The place of an XCTest case is not known: it is line 0
  /// of no file.
  package var callSite: CallSite { label.callSite }
  /// The resolver that it overrides.
  public let resolver: Resolver
  /// The log of the resolutions under the layer.
  public let log: ResolutionLog
  /// The options of the layer, with those of the outer layers.
  package let options: OverrideOptions

  /// The layer that this one was pushed on, of any resolver. Of several ended ones, the outermost.
  package let outer: OverrideLayer?
  package let test: RunningTest?
  /// True if there is a test. Each request asks, and a debug build copies an optional to compare.
  package let isOfTest: Bool
  /// True for a layer around a suite, and for one that a test pushes on it without a trait. It is
  /// stored for the same reason.
  let isOfSuite: Bool
  /// The types that may fall through to production under `.strict`, with those of outer layers.
  package let allowed: [any Any.Type]
  package let store: LevelStore
  /// Tells layers apart, also when one lies where another was.
  package let serial: Int
  package let label: LayerLabel
  let state: Lock<LayerState>
  /// True if it lives until the test ends.
  package let isKept: Bool
  private let absence: MissingLayer?
  private let outermost: OverrideLayer?
  /// True if a request that no layer answers is a finding.
  let checksFallThrough: Bool
  /// True for a layer of `withOverrides`.
  let isOfOperation: Bool

  /// Bit 0 says that the layer has ended. The bits above count the blocks that run under it.
  var progress: AtomicInt { AtomicInt(in: self) }

  /// Counts lifetimes, not scopes: an unstructured task outlives the scope that it was started in,
  /// and still sees the layer. One relaxed load: a caller that sees a layer is ordered after its
  /// initialiser.
  package static var areAnyAlive: Bool { AtomicInt.aliveLayers.relaxedValue != 0 }

  /// The layer of the calling task, as it was bound; `nil` stands for none, or for the process's.
  @TaskLocal private static var binding: Binding?

  private struct Binding {
    let layer: OverrideLayer?
  }

  package static var bound: OverrideLayer? {
    guard let binding else { return ProcessLayer.current }
    return binding.layer
  }

  /// The innermost layer that the calling task sees.
  public static var current: OverrideLayer? { areAnyAlive ? bound : nil }

  package static func binding<Result>(
    _ layer: OverrideLayer?, operation: () throws -> Result
  ) rethrows -> Result {
    _ = ProcessLayer.current
    return try $binding.withValue(Binding(layer: layer), operation: operation)
  }

  /// Runs `operation` so that it sees a layer, or none; keeps the caller's isolation.
  package static func binding<Result>(
    _ layer: OverrideLayer?, operation: () async throws -> Result
  ) async rethrows -> Result {
    _ = ProcessLayer.current
    return try await $binding.binding(Binding(layer: layer), operation: operation)
  }

  package init(_ traits: consuming LayerTraits) {
    LayerKeeper.endLost()
    let outer = traits.outer?.outermostOfEnded
    let lock = outer?.store.lock ?? LevelLock()
    state = Lock(LayerState())
    label = LayerLabel(traits.name, at: traits.callSite)
    store = LevelStore(
      on: outer?.store, overriding: traits.resolver.store, isBoundary: traits.isBoundary,
      named: label, sharing: lock)
    log = ResolutionLog(sharing: lock.mutex)
    serial = AtomicInt.lastLayer.next()
    resolver = traits.resolver
    options = (outer?.options ?? .processDefault).merging(traits.options)
    checksFallThrough = options.weight(of: .fallThrough) != .off
    isKept = traits.end == .endOfTest
    isOfOperation = traits.isOfOperation
    absence = traits.absence
    self.outer = outer
    test = outer == nil ? traits.test : RunningTest.joined(outer?.test, traits.test)
    isOfTest = test != nil
    isOfSuite = test?.isSuite == true
    allowed = traits.allowed + (outer?.allowed ?? [])
    outermost = outer.flatMap { $0 === ProcessLayer.current ? nil : $0.outermost ?? $0 }
    AtomicInt.aliveLayers.add(1)
    if outer == nil { TestProcess.noteMissingAdapter(at: callSite) }
    nextOfLineage?.log.adopt(log)
    outer?.state.withLock { $0.live.inner.append(self) }
    if outermost == nil, isOfTest { LiveLayers.open(self) }
  }

  deinit {
    // The layer was never ended.
    if let live = close() { release(live) }
    withExtendedLifetime(state.withLock { exchange(&$0.ledger.participants, with: []) }) {}
    AtomicInt.aliveLayers.subtract(1)
  }

  /// Adds an override. It replaces the layer's override of the same key.
  ///
  /// A registration that a resolver or a layer has or had is added as a new one, without an
  /// instance.
  ///
  /// A layer that has ended takes no override. The attempt is an issue of the run. In a process
  /// without tests, it is written to standard error.
  public func add(_ registration: AnyRegistration) { _ = add(registration) { _, _ in true } }

  /// Adds an override if a condition holds for the one that it replaces. The condition runs no user
  /// code. Returns `false` if the condition does not hold.
  package func add(
    _ registration: AnyRegistration, if holds: (AnyRegistration?, borrowing Level) -> Bool
  ) -> Bool {
    let registration = registration.notListed
    let late = lateOverride(registration)
    guard note(registration) else {
      if let absence {
        absence.report(registration)
        return true
      }
      let message = Message(
        "\(registration.key) was registered on a layer that has ended; nothing was added.",
        facts: [Message.Fact("Registered", "\(registration.callSite)")] + facts,
        remedies: [
          "Register before the scope ends, and wait for the work that registers.",
          "Register on the layer of the running test:  OverrideLayer.current",
        ])
      TestHosts.reportOnRun(Violation(message, at: registration.callSite), about: [self])
      return true
    }
    if let late { record(late) }
    guard store.add(registration, if: holds) else {
      registration.mark(.withdrawn)
      return false
    }
    // It may have ended since, and have let go of the rest.
    if isEnded { _ = store.remove(registration.key) }
    return true
  }

  /// The outermost layer of the stack that this one is in, except for the layer of the process,
  /// which belongs to no test and does not end.
  package var root: OverrideLayer { outermost ?? self }

  /// The nearest layer below this one that overrides a resolver or a parent of it.
  package func next(of resolver: Resolver) -> OverrideLayer? { outer?.nearest(of: resolver) }

  /// The nearest layer below this one that overrides the same resolver, a parent or a child of it:
  /// its log includes this one's.
  package var nextOfLineage: OverrideLayer? {
    // A search in `stack` would make two objects for each layer.
    var next = outer
    while let layer = next, !layer.overrides(resolver), !overrides(layer.resolver) {
      next = layer.outer
    }
    return next
  }

  /// This layer, or the nearest one below it, that overrides a resolver or a parent of it. Its log
  /// counts the requests to that resolver.
  package func nearest(of resolver: Resolver) -> OverrideLayer? {
    // The most frequent answer, without a copy of a reference.
    if self.resolver === resolver { return self }
    var layer = self
    while !layer.overrides(resolver) {
      guard let outer = layer.outer else { return nil }
      layer = outer
    }
    return layer
  }

  /// True if this layer overrides a resolver or a parent of it.
  package func overrides(_ resolver: Resolver) -> Bool {
    if resolver === self.resolver { return true }
    guard let parent = resolver.parent else { return false }
    return overrides(parent)
  }

  /// This layer or the nearest below it whose scope has ended.
  package var nearestEnded: OverrideLayer? {
    var layer = self
    while !layer.isEnded {
      guard let outer = layer.outer else { return nil }
      layer = outer
    }
    return layer
  }

  /// This layer, or the outermost of the ended layers that it is the innermost of. A layer that
  /// late work pushes stands on that one alone: each request under it fails, and a chain of work
  /// that each pushes a layer would otherwise retain every layer of the chain.
  private var outermostOfEnded: OverrideLayer {
    var layer = self
    while layer.isEnded, let outer = layer.outer, outer.isEnded { layer = outer }
    return layer
  }

  /// This layer and all below it, innermost first.
  package var stack: some Sequence<OverrideLayer> { sequence(first: self) { $0.outer } }

  /// This layer and those below it that override a resolver or a parent of it, innermost first.
  func stack(of resolver: Resolver) -> some Sequence<OverrideLayer> {
    sequence(first: self) { $0.next(of: resolver) }
  }

  /// True if this layer or one below it is a boundary.
  package var hasBoundary: Bool { store.boundary != nil }

  /// The nearest layer at or below this one whose level is the given one.
  package func layer(of level: LevelStore) -> OverrideLayer? {
    stack.first { $0.store === level }
  }

  func levels(of resolver: Resolver) -> LevelStack {
    LevelStack(top: store, production: resolver.store)
  }

  package func registration(for key: AnyKey) -> AnyRegistration? {
    let levels = levels(of: resolver)
    return levels.reading { levels.registration(of: store, for: key) }
  }

  /// Removes this layer's override of a key, so the next outer level answers. Returns `false` if
  /// there is no such override.
  @discardableResult
  public func unregister<Value>(_ key: Key<Value>) -> Bool { unregister(key.erased) }

  package func unregister(_ key: AnyKey) -> Bool {
    if store.remove(key) == nil { return false }
    for override in addedOverrides where override.key == key { override.mark(.withdrawn) }
    return true
  }
}

package struct LayerTraits: ~Copyable, Sendable {
  package var resolver: Resolver
  package var name: String?
  package var callSite: CallSite
  package var outer: OverrideLayer?
  /// True for the root layer of a test: every instance first made under it is its own, so that
  /// production's caches start empty and receive nothing.
  package var isBoundary = false
  package var options: OverrideOptions = []
  package var allowed: [any Any.Type] = []
  package var test: RunningTest?
  package var end = OverrideEnd.endOfOperation
  /// True for a layer of `withOverrides`.
  var isOfOperation = false
  /// Says that the layer stands for one that is missing.
  var absence: MissingLayer?

  package init(
    of resolver: Resolver, named name: String?, on outer: OverrideLayer?, at callSite: CallSite
  ) {
    self.resolver = resolver
    self.name = name
    self.outer = outer
    self.callSite = callSite
  }
}

extension OverrideLayer {
  /// The innermost layer that the calling task sees. If the work lost its context, the layer of the
  /// only live test, if that test adopts such work.
  package static var ofCaller: OverrideLayer? {
    guard areAnyAlive else { return nil }
    let bound = bound
    if let bound, bound !== ProcessLayer.current { return bound }
    guard TestHosts.areAny, !TestHosts.knowTestOfCaller else { return bound }
    return LiveLayers.adopter ?? bound
  }
}

extension OverrideLayer {
  /// The kind of code that pushed this layer.
  var place: MessagePlace { isOfOperation ? .operation : .current }

  /// The kind of code that decides when this layer ends. A layer that `withOverrides` leaves to the
  /// end of its test ends as the test's own does.
  var placeOfEnd: MessagePlace {
    let place = MessagePlace.current
    return isOfOperation && !isKept && place != .program ? .operation : place
  }

  /// The kind of code that made this layer strict: its own, or that of an outer layer.
  var placeOfStrictness: MessagePlace {
    var origin = self
    while let outer = origin.outer, outer.checksFallThrough { origin = outer }
    return origin.place
  }
}

extension OverrideLayer: CustomStringConvertible {
  /// The overrides of the layer, and how often the value of each was created and reused.
  ///
  /// ```
  /// layer 'a confirmed order' at Shop/CheckoutTests.swift:12
  ///   any Mailer  overridden at Shop/CheckoutTests.swift:13, made 1, reused 0
  /// ```
  public var description: String {
    let overridden = Set(store.all.map(\.key))
    let overrides = store.all.map { registration in
      let counts = log.counts(of: registration.key)
      return "  \(registration.key.step)  overridden at \(registration.callSite), "
        + "made \(counts.made), reused \(counts.reused)"
    }
    let others = log.allCounts.filter { !overridden.contains($0.key) }.map { key, counts in
      "  \(key.step)  \(counts.text)"
    }
    let place = callSite.isKnown ? " at \(callSite)" : ""
    return (["layer '\(name)'\(place)"] + overrides + others).joined(separator: "\n")
  }
}
