// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// `nil` until a participant is created before any layer.
  package static let earlyParticipants = Lock<EarlyParticipants?>(nil)

  /// Has the outermost layer finish the participants that this layer has as a value or has handed
  /// out, whether or not the test has used them.
  ///
  /// A value that only a block has is unknown here if its block never ran.
  func adoptHandedOut() {
    guard let early = OverrideLayer.earlyParticipants.withLock({ $0 }), !root.scope.isEnded else {
      return
    }
    for value in scope.overrides.compactMap(\.existingValue) { early.adopt(value, root) }
    for object in log.capturedObjects { early.adopt(object, root) }
  }
}

/// The participants that were created before any layer.
///
/// A structure, since each read of a function in a lock would wrap it once more.
package struct EarlyParticipants: Sendable {
  /// Has a layer finish those in a value that belong to no layer.
  let adopt: @Sendable (_ value: Any, _ layer: OverrideLayer) -> Void

  package init(_ adopt: @escaping @Sendable (_ value: Any, _ layer: OverrideLayer) -> Void) {
    self.adopt = adopt
  }
}
