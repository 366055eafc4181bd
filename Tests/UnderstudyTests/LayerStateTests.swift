// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing

@testable import Understudy

@Suite struct `The state of a layer` {
  private let registration = Registration<Int>(
    RegistrationTraits(key: AnyKey(plain: Int.self), at: CallSite()), sharing: nil, .plain { 1 })
  private let resolver = Resolver()

  private func layer() -> OverrideLayer {
    OverrideLayer(LayerTraits(of: resolver, named: "a layer", on: nil, at: .unknown))
  }

  @Test func `has the added overrides until it ends, and none after`() {
    let layer = layer()
    let isNoted = layer.note(registration)
    let added = layer.addedOverrides
    let isEnded = layer.close()
    let isNotedLate = layer.note(registration)
    let (left, isEndedAgain) = (layer.addedOverrides, layer.close())
    #expect(isNoted && !isNotedLate)
    #expect(added.map(\.serial) == [registration.serial])
    #expect(isEnded && !isEndedAgain)
    #expect(left.isEmpty)
  }

  @Test func `takes overrides that are added while it ends, or refuses them`() {
    let registration = registration
    for _ in 0..<2_000 {
      let layer = layer()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          _ = layer.note(registration)
        } else {
          _ = layer.close()
        }
      }
      #expect(layer.isEnded && layer.addedOverrides.isEmpty)
    }
  }
}
