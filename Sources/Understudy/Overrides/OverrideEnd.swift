// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// When a layer of `withOverrides` ends.
public enum OverrideEnd: Hashable, Sendable {
  /// When the operation returns or throws.
  case endOfOperation
  /// When the test ends: with the layer that it was pushed on, or with the running case of XCTest,
  /// after its teardown blocks and before its `tearDown`. The end of a Swift Testing test without a
  /// layer is unknown. There the layer ends when the last object with a wrapper such as `@Inject`
  /// that was created under it is released. The layer of another returned object ends when the next
  /// layer is pushed after its release, by any test; its issues name the test that made it. The
  /// layer of an object that is never released ends with the process, and its errors make the
  /// process fail.
  ///
  /// If the operation throws, the layer ends at once.
  case endOfTest
}

/// Keeps a layer open while an object that was created under the layer holds this keeper.
package final class LayerKeeper: Sendable {
  private struct State {
    /// True once the operation has returned, which leaves the layer to the end of the test.
    var isLeft = false
    /// True if the layer ends with its keeper, since the end of the test is unknown.
    var endsLayer = false
  }

  package let layer: OverrideLayer
  private let state = Lock(State())
  /// The task that pushed the layer.
  private let task = currentTaskIdentity

  init(_ layer: OverrideLayer) {
    AtomicInt.layersWereKept.set()
    self.layer = layer
    layer.state.withLock { $0.keeper = self }
  }

  /// False in a process without `until: .endOfTest`. One relaxed load.
  static var areAny: Bool { AtomicInt.layersWereKept.relaxedValue != 0 }

  /// Ends the layers that were left to objects which are gone.
  static func endLost() {
    if areAny { LeftLayers.endLost() }
  }

  var isLeft: Bool { state.withLock { $0.isLeft } }

  func noteLeft() { state.withLock { $0.isLeft = true } }

  func endLayerAtDeinit() {
    state.withLock { $0.endsLayer = true }
    guard let host = TestHosts.current else { return }
    checkAtExit(for: ObjectIdentifier(self)) { [weak self] in self?.endAtExit(host) ?? [] }
  }

  /// Ends the layer of an object that lives until the process ends. Returns the errors.
  private func endAtExit(_ host: any TestHost) -> [String] {
    if layer.isEnded { return [] }
    var errors: [String] = []
    for violation in layer.end() {
      // The standard error of an exit test is hidden from its parent.
      if host.expectsExit { host.report(violation) }
      let line = violation.naming(layer.test).line
      if violation.severity == .error { errors.append(line) } else { writeToStandardError(line) }
    }
    return errors
  }

  deinit {
    guard state.withLock({ $0.endsLayer }) else { return }
    forgetCheckAtExit(for: ObjectIdentifier(self))
    if layer.isEnded { return }
    // Another task may release the object, and may have been cancelled for a reason of its own.
    if Task.isCancelled, task == currentTaskIdentity { layer.noteCancelled() }
    layer.endInPlace()
  }
}

extension OverrideLayer {
  package var keeper: LayerKeeper? { isKept ? state.withLock { $0.keeper } : nil }

  /// The layer that a wrapper holds.
  static func recorded(_ origin: (any AnyObject & Sendable)?) -> OverrideLayer? {
    origin as? OverrideLayer ?? (origin as? LayerKeeper)?.layer
  }

  /// Leaves this layer to the end of the test, once its operation has returned.
  func leave(with result: Any, heldBy keeper: LayerKeeper) {
    keeper.noteLeft()
    if let outer, outer.isOfTest { return }
    let isEnding = TestHosts.current?.atEndOfTest { wasSkipped in
      if self.isEnded { return }
      if wasSkipped { self.noteNotRun() }
      self.endInPlace()
    }
    if isEnding == true { return }
    keeper.endLayerAtDeinit()
    let result = OverrideLayer.unwrapped(result) ?? result
    if OverrideLayer.recordedLayer(of: result) === self { return }
    // A layer that stores the object would retain it for ever.
    guard let object = WatchedObject(result), object.object.map(store.stores) != true else {
      // An element of an array or a tuple may hold the layer.
      let parts = Mirror(reflecting: result).children
      if parts.contains(where: { OverrideLayer.recordedLayer(of: $0.value) === self }) { return }
      let message = Message(
        "The layer '\(name)' should end with the test, but the end of the test is not known here.",
        facts: facts,
        remedies: [
          "Give the test a layer:  \(MessagePlace.current.layer())",
          "Return an object from the operation: the layer lives for as long as the object.",
        ])
      record(Violation(message, at: callSite))
      return endInPlace()
    }
    LeftLayers.add(keeper, for: object)
  }

  /// The layers that were left to the end of this one.
  var keptLayers: [OverrideLayer] {
    LayerKeeper.areAny ? inner.filter(\.isKept) : []
  }
}

/// The layers that were left to the end of a test which does not say when it ends, by the object
/// that was made under each.
private enum LeftLayers {
  private static let entries = Lock<[(result: WatchedObject, keeper: LayerKeeper)]>([])

  static func add(_ keeper: LayerKeeper, for result: WatchedObject) {
    endLost()
    entries.withLock { $0.append((result, keeper)) }
  }

  /// Ends the layers whose objects are gone.
  static func endLost() {
    // An access may take the last reference to an object, so it is not made under the lock.
    let lost = all.filter { $0.result.object == nil }.map(\.keeper)
    if lost.isEmpty { return }
    entries.withLock { entries in
      entries.removeAll { entry in lost.contains { $0 === entry.keeper } }
    }
    withExtendedLifetime(lost) {}
  }

  static func layer(of object: AnyObject) -> OverrideLayer? {
    endLost()
    return all.first { $0.result.object === object }?.keeper.layer
  }

  private static var all: [(result: WatchedObject, keeper: LayerKeeper)] {
    entries.withLock { $0.map(\.self) }
  }
}

/// A wrapper that knows under which layer its owner was made.
package protocol RecordsLayer {
  var recordedLayer: OverrideLayer? { get }
}

extension OverrideLayer {
  /// The layer under which an object was made, also if it has ended.
  static func ofObject(_ owner: Any) -> OverrideLayer? {
    guard areAnyAlive, let owner = unwrapped(owner) else { return nil }
    if let layer = recordedLayer(of: owner) { return layer }
    guard type(of: owner) is AnyClass else { return nil }
    let object = owner as AnyObject
    if let layer = LeftLayers.layer(of: object) { return layer }
    if let own = current?.stack.first(where: { $0.store.stores(object) }) { return own }
    // Each of several tests may store an object that existed before.
    let others = LiveLayers.all.flatMap(\.withInner).filter { $0.store.stores(object) }
    let root = others.first?.root
    return others.allSatisfy { $0.root === root } ? others.first : nil
  }

  /// A value without its optionals. An optional may be in an optional, or in an `Any`.
  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }

  /// The layer that a wrapper holds, or a wrapper of an object.
  fileprivate static func recordedLayer(of owner: Any) -> OverrideLayer? {
    if let wrapper = owner as? any RecordsLayer { return wrapper.recordedLayer }
    var mirror: Mirror? = Mirror(reflecting: owner)
    while let next = mirror {
      for child in next.children {
        if let layer = (child.value as? any RecordsLayer)?.recordedLayer { return layer }
      }
      mirror = next.superclassMirror
    }
    return nil
  }
}
