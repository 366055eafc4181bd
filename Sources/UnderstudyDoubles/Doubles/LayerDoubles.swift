// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The state that the doubles of one layer share: the policy for calls without a stub, and the
/// static doubles.
///
/// The layer retains it as a participant even after its end, so that a later call of a static
/// double is reported by the finished double. The table of all layers does not retain it.
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
  /// The static doubles for calls without a layer.
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
    // A newer layer may have the same address, and its entry must stay.
    let newer = Self.all.withLock { all in
      let newer = all[id]?.doubles
      if newer == nil { all[id] = nil }
      return newer
    }
    // This may be the last reference, and its deinit takes the lock.
    withExtendedLifetime(newer) {}
  }

  /// The shared state of the doubles of `layer`, created at its first use.
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

  /// The static double for `key`, created by `make` at its first use. `make` runs outside any lock.
  /// If two threads race, one result is kept.
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

  /// The layer finishes the static doubles itself.
  func finish() -> [Violation] {
    layer.withLock { $0.layer }?.adopt(self)
    return []
  }

  var outlastsEnd: Bool { true }
}

extension OverrideLayer {
  /// The policy for calls that no stub answers, for the doubles of this layer.
  ///
  /// Set it before the doubles are called. It does not affect a double that has a policy of its
  /// own. `nil`, the default, stands for the policy of the outer layer. If no layer has a policy,
  /// it is `.report`, and a double that returns nothing and has no stubs reports no call.
  public var unstubbedPolicy: UnstubbedPolicy? {
    get { LayerDoubles.existing(of: self)?.policy }
    set { LayerDoubles.of(self).policy = newValue }
  }
}

// Doubles of static requirements.
extension Answering where Self: Sendable {
  /// The double of a static requirement. The outermost layer of the test owns it, so all layers of
  /// a test share it, and parallel tests do not.
  ///
  /// ```swift
  /// static var nows: Spy<Void, Int, Never> { .static(of: Self.self, "now()") }
  /// static func now() -> Int { nows() }
  /// ```
  ///
  /// Without a layer, the process owns it, with the stubs and calls of all tests that use it.
  ///
  /// - Parameters:
  ///   - owner: The double that has the requirement.
  ///   - name: The requirement as Swift names it. The owner's other requirements have other names.
  ///   - unstubbed: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Self {
    LayerDoubles.static(of: owner, name, at: CallSite(fileID, filePath, line, column)) {
      Self(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The double of a static requirement, with a placeholder. A call that no stub answers returns
  /// the placeholder. It is still a violation, but does not trap.
  public static func `static`(
    of owner: Any.Type, _ name: String, placeholder: @autoclosure () -> Output,
    unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    LayerDoubles.static(of: owner, name, at: CallSite(fileID, filePath, line, column)) {
      Self(
        name, placeholder: placeholder(), unstubbed: unstubbed, fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
  }
}

extension LayerDoubles {
  static func `static`<Double: Sendable & Verifiable>(
    of owner: Any.Type, _ name: String, at callSite: CallSite, make: () -> Double
  ) -> Double {
    let key = StaticKey(
      owner: ObjectIdentifier(owner), name: name, kind: ObjectIdentifier(Double.self))
    guard let layer = OverrideLayer.ofCaller?.root else {
      reportEscape(key, owner, at: callSite)
      return process.static(key, make: make)
    }
    return of(layer).static(key) {
      // The outermost layer owns a static double. So it is created without a layer, and not for an
      // instance in creation.
      let double = OverrideLayer.binding(nil, operation: make)
      if layer.isEnded { _ = double.finish() }
      return double
    }
  }

  /// Reports escaped work that uses a static double of which running tests have their own. The work
  /// gets the process's double.
  private static func reportEscape(_ key: StaticKey, _ owner: Any.Type, at callSite: CallSite) {
    guard OverrideLayer.areAnyAlive, TestHosts.areAny, !TestHosts.knowTestOfCaller else { return }
    let layers = LiveLayers.all.filter { existing(of: $0)?.has(key) ?? false }
    if layers.isEmpty { return }
    let tests = layers.map { "'\($0.name)'" }.firstFive
    TestHosts.reportOnRun(
      Violation(
        Message(
          "\(owner).\(key.name) was used by work that belongs to no test, and "
            + (tests.count == 1 ? "a running test has" : "running tests have")
            + " a double of its own.",
          facts: [
            Message.Fact("Double", "\(callSite)"),
            Message.Fact("Used by", tests.joined(separator: "\n")),
          ],
          remedies: [Violation.carryingContext]),
        at: callSite),
      about: layers)
  }
}
