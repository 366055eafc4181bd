// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Has a layer finish what the caller has just made; nothing without a layer.
  ///
  /// Made for an instance that is to be kept, it lives as long as that, and the layer that keeps that finishes
  /// it: which one is known when the instance is made (O5). Made for none, it is the current layer's.
  package static func adoptMade(_ participant: any LayerParticipant) {
    guard let layer = current else { return }
    participant.willBeFinished(by: layer)
    if Construction.isTracked, let tracker = Construction.current?.tracker,
      tracker.take(participant, madeUnder: layer)
    {
      return
    }
    layer.adopt(participant)
  }

  /// The outermost layer of the stack, that of the process aside, which does not end.
  ///
  /// It finishes what was made under no layer: somebody keeps that outside, while inner layers come and go.
  package var outermostThatEnds: OverrideLayer {
    let process = ProcessLayer.current
    guard root === process else { return root }
    return stack.reversed().first { $0 !== process } ?? self
  }
}

extension Resolution {
  /// Has what was made for an instance finished by the layer that keeps that. If nobody keeps it, that is the one
  /// that keeps what it is a part of, or else the one that it was made under.
  func settle(_ participants: [any LayerParticipant], of leading: borrowing Leading) {
    guard let top else { return }
    let keeper = leading.instance == nil ? nil : leading.flight.owner ?? top.outermostThatEnds
    for participant in participants {
      if keeper == nil, let tracker, tracker.take(participant, madeUnder: top) { continue }
      let layer = keeper ?? top
      participant.willBeFinished(by: layer)
      layer.adopt(participant)
    }
  }
}
