// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// What the doubles of one layer share: the policy for unstubbed calls, and the statics.
///
/// The layer keeps it alive, as a participant, also after its end: whoever calls a static then gets the one that is
/// finished, which reports it. The table of all layers only refers to it.
final class LayerDoubles: LayerParticipant {
  private struct Shared {
    var policy: UnstubbedPolicy?
    var statics: [StaticKey: any Sendable] = [:]
  }

  struct StaticKey: Hashable {
    let owner: ObjectIdentifier
    let name: String
    let kind: ObjectIdentifier
  }

  struct Reference {
    weak var doubles: LayerDoubles?
  }

  static let all = Lock<[ObjectIdentifier: Reference]>([:])
  /// The statics of calls that see no layer.
  static let process = LayerDoubles(nil)

  private let id: ObjectIdentifier?
  private let layer: Lock<WeakLayer>
  private let shared = Lock(Shared())

  private init(_ layer: OverrideLayer?) {
    id = layer.map(ObjectIdentifier.init)
    self.layer = Lock(WeakLayer(layer: layer))
  }

  deinit {
    guard let id else { return }
    // A newer layer may have the same address; its entry is not ours to remove.
    let newer = Self.all.withLock { all in
      let newer = all[id]?.doubles
      if newer == nil { all[id] = nil }
      return newer
    }
    // It may be the last reference, and its own end takes the lock.
    withExtendedLifetime(newer) {}
  }

  /// What the doubles of `layer` share, made on first use.
  static func of(_ layer: OverrideLayer) -> LayerDoubles {
    let id = ObjectIdentifier(layer)
    let (doubles, isNew) = all.withLock { all in
      if let doubles = all[id]?.doubles { return (doubles, false) }
      let doubles = LayerDoubles(layer)
      all[id] = Reference(doubles: doubles)
      return (doubles, true)
    }
    if isNew { layer.adopt(doubles) }
    return doubles
  }

  static func existing(of layer: OverrideLayer) -> LayerDoubles? {
    all.withLock { $0[ObjectIdentifier(layer)]?.doubles }
  }

  var policy: UnstubbedPolicy? {
    get { shared.withLock { $0.policy } }
    set { shared.withLock { $0.policy = newValue } }
  }

  func has(_ key: StaticKey) -> Bool { shared.withLock { $0.statics[key] != nil } }

  /// The static for `key`, made by `make` on first use. `make` runs under no lock; of two that race
  /// one is kept.
  func `static`<Double: Sendable>(_ key: StaticKey, make: () -> Double) -> Double {
    if let found = shared.withLock({ $0.statics[key] }) as? Double { return found }
    let made = make()
    let kept = shared.withLock { shared in
      let kept = shared.statics[key] ?? made
      shared.statics[key] = kept
      return kept
    }
    return kept as? Double ?? made
  }

  /// The layer finishes the statics themselves.
  func finish() -> [Violation] {
    layer.withLock { $0.layer }?.adopt(self)
    return []
  }

  var outlastsEnd: Bool { true }
}

extension OverrideLayer {
  /// What a call that no stub answers means for the doubles of this layer.
  ///
  /// Set it before the doubles are called. A double that has a policy of its own is not affected. `nil`, the default, is
  /// what the layer says that this one was pushed on. Where none says anything it is `.report`, and a double that
  /// returns nothing and has no stubs is called freely.
  public var unstubbedPolicy: UnstubbedPolicy? {
    get { LayerDoubles.existing(of: self)?.policy }
    set { LayerDoubles.of(self).policy = newValue }
  }
}
