// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// A set of overriding registrations with its own instances and its own log.
///
/// Layers stack above a resolver. The innermost layer that has a registration for a key answers it
/// (O1, O2). A layer is visible to the task tree that pushed it and to nothing else (O3).
public final class OverrideLayer: Registering {
  /// How messages call the layer.
  public let name: String
  /// Where it was pushed.
  public let callSite: CallSite
  /// The resolver that it overrides.
  public let resolver: Resolver
  /// What was resolved under it.
  public let log = ResolutionLog()

  /// The layer that this one was pushed on, of whatever resolver.
  package let outer: OverrideLayer?
  /// How many layers lie between this one and production, itself included.
  package let level: Int
  /// The level of the innermost boundary at or below this layer; 0 if there is none.
  package let boundaryLevel: Int
  package let store = RegistrationStore()

  private let ledger = Lock(Ledger())

  @TaskLocal package static var bound: OverrideLayer?

  /// How many layers are alive. Counts lifetimes, not scopes: an unstructured task outlives the
  /// scope that it was started in, and still sees the layer.
  private static let liveCount = Atomic<Int>(0)

  /// One relaxed load: whoever sees a layer is ordered after its initialiser by what showed it.
  package static var areAnyAlive: Bool { liveCount.load(ordering: .relaxed) != 0 }

  /// The innermost layer that the calling task sees.
  public static var current: OverrideLayer? { areAnyAlive ? bound : nil }

  /// Makes a layer on top of another.
  ///
  /// - Parameters:
  ///   - resolver: What is overridden.
  ///   - name: How messages call the layer.
  ///   - isBoundary: True for the root layer of a test: every instance first made under it is its
  ///     own, so that production's caches start empty and receive nothing (O5).
  ///   - outer: What it is pushed on.
  ///   - callSite: Where it is pushed.
  package init(
    of resolver: Resolver, named name: String, isBoundary: Bool, on outer: OverrideLayer?,
    at callSite: CallSite
  ) {
    self.resolver = resolver
    self.name = name
    self.outer = outer
    self.callSite = callSite
    level = (outer?.level ?? 0) + 1
    boundaryLevel = isBoundary ? level : outer?.boundaryLevel ?? 0
    OverrideLayer.liveCount.add(1, ordering: .relaxed)
    next(of: resolver)?.log.adopt(log)
  }

  deinit {
    OverrideLayer.liveCount.subtract(1, ordering: .relaxed)
  }

  /// None of its own: each form of `register` has its usual lifecycle.
  public var defaults: RegistrationDefaults { RegistrationDefaults() }

  /// Adds an override. One for the same key is replaced.
  public func add(_ registration: AnyRegistration) {
    store.add(registration)
  }

  /// The nearest layer of a resolver below this one.
  package func next(of resolver: Resolver) -> OverrideLayer? {
    outer?.nearest(of: resolver)
  }

  /// This layer or the nearest below it that overrides a resolver.
  package func nearest(of resolver: Resolver) -> OverrideLayer? {
    var layer: OverrideLayer? = self
    while let candidate = layer, candidate.resolver !== resolver { layer = candidate.outer }
    return layer
  }

  /// This layer and all below it, innermost first.
  package var stack: some Sequence<OverrideLayer> {
    sequence(first: self) { $0.outer }
  }

  /// Keeps a violation until the layer ends; from any thread.
  package func record(_ violation: Violation) {
    ledger.withLock { $0.violations.append(violation) }
  }

  /// Has `participant` finished when this layer ends, before violations are reported.
  package func adopt(_ participant: any LayerParticipant) {
    ledger.withLock { $0.participants.append(participant) }
  }

  /// Ends the layer: lets go of all that it holds, and returns what it has to say.
  package func end() -> [Violation] {
    let participants = ledger.withLock { state in
      defer { state.participants = [] }
      return state.participants
    }
    let last = participants.flatMap { $0.finish() }
    let violations = ledger.withLock { state in
      defer { state.violations = [] }
      return state.violations + last
    }
    store.close()
    next(of: resolver)?.log.absorb(log)
    return violations
  }
}

private struct Ledger {
  var violations: [Violation] = []
  var participants: [any LayerParticipant] = []
}
