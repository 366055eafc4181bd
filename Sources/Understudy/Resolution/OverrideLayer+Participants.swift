// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// The place of the registration whose block the caller runs.
  package static var runningBlock: CallSite? { Construction.current?.registration.callSite }

  /// Lets a layer finish a participant that the caller has just created: the layer that owns the
  /// instance in creation, or else the current layer. Without a layer that ends, this does nothing.
  package static func adoptMade(_ participant: any LayerParticipant) {
    guard let layer = current, layer !== ProcessLayer.current else { return }
    participant.willBeFinished(by: layer)
    if let creation = Construction.current?.creation,
      creation.take(participant, createdUnder: layer.store)
    {
      return
    }
    layer.adopt(participant)
  }
}

extension Resolution {
  /// Lets the owner of an instance finish the participants that were created for it. If the
  /// instance is not stored, the owner of the instance that it is a part of finishes them, or
  /// otherwise the layer under which it was created.
  func settle(_ participants: [any AnyObject & Sendable], storedAt owner: LevelStore?) {
    guard let top else { return }
    let keeper = owner.map { top.layer(of: $0) ?? top.root }
    for case let participant as any LayerParticipant in participants {
      if keeper == nil, let creation, creation.take(participant, createdUnder: top.store) {
        continue
      }
      let layer = keeper ?? top
      participant.willBeFinished(by: layer)
      layer.adopt(participant)
    }
  }
}
