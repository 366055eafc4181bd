// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Has the outermost layer finish the participants that this layer has as a value or has handed
  /// out, whether or not the test has used them.
  ///
  /// A value that only a block has is unknown here if its block never ran.
  func adoptHandedOut() {
    // Most tests create their doubles under a layer, and pay for nothing else.
    guard AtomicInt.earlyParticipants.relaxedValue > 0, !root.scope.isEnded,
      let search = EarlySearch.current.withLock({ $0 })
    else { return }
    var found = log.capturedObjects as [Any]
    for registration in scope.overrides { registration.existingValue.map { found.append($0) } }
    if !found.isEmpty { search.adopt(found, root) }
  }
}

/// The search for the participants that were created before any layer. As long as any of them is
/// alive and has no layer, `AtomicInt.earlyParticipants` counts it.
///
/// A structure, since each read of a function in a lock would wrap it once more.
package struct EarlySearch: Sendable {
  /// `nil` until a participant is created before any layer.
  package static let current = Lock<EarlySearch?>(nil)

  /// Has a layer finish those in some values that belong to no layer.
  let adopt: @Sendable (_ values: [Any], _ layer: OverrideLayer) -> Void

  package init(_ adopt: @escaping @Sendable (_ values: [Any], _ layer: OverrideLayer) -> Void) {
    self.adopt = adopt
  }
}
