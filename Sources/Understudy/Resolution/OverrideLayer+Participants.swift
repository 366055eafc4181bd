// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Has a layer finish a participant that the caller has just created; does nothing without a
  /// layer.
  ///
  /// A participant that is created for an instance lives as long as that, and the owner of the
  /// instance finishes it; the owner is known when the instance is created. Any other belongs to
  /// the current layer.
  package static func adoptMade(_ participant: any LayerParticipant) {
    guard let layer = current else { return }
    participant.willBeFinished(by: layer)
    if let creation = Construction.current?.creation,
      creation.take(participant, createdUnder: layer.store)
    {
      return
    }
    layer.adopt(participant)
  }

  /// The outermost layer of the stack, that of the process aside, which does not end.
  ///
  /// It finishes what was created under no layer: something keeps that outside, while inner layers
  /// come and go.
  package var outermostThatEnds: OverrideLayer {
    let process = ProcessLayer.current
    guard root === process else { return root }
    return stack.reversed().first { $0 !== process } ?? self
  }
}

extension Resolution {
  /// Has the owner of an instance finish the participants that were created for it. Of an instance
  /// that is not stored, the owner of the instance that it is a part of finishes them, or else the
  /// layer that it was created under.
  func settle(_ hooks: [any TeardownHook], storedAt owner: LevelStore?) {
    guard let top else { return }
    let keeper = owner.map { top.layer(of: $0) ?? top.outermostThatEnds }
    for case let participant as any LayerParticipant in hooks {
      if keeper == nil, let creation, creation.take(participant, createdUnder: top.store) {
        continue
      }
      let layer = keeper ?? top
      participant.willBeFinished(by: layer)
      layer.adopt(participant)
    }
  }
}
