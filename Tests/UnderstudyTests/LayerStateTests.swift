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
    let ended = layer.close()
    let isNotedLate = layer.note(registration)
    let (left, endedAgain) = (layer.addedOverrides, layer.close())
    #expect(isNoted && !isNotedLate)
    #expect(added.map(\.serial) == [registration.serial])
    #expect(ended?.overrides.map(\.serial) == [registration.serial])
    #expect(left.isEmpty && endedAgain == nil)
  }

  @Test func `takes overrides that are added while it ends, or refuses them`() {
    let registration = registration
    for _ in 0..<2_000 {
      let layer = layer()
      let outcome = Lock((isNoted: false, ended: 0))
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          let isNoted = layer.note(registration)
          outcome.withLock { $0.isNoted = isNoted }
        } else {
          let ended = layer.close()
          outcome.withLock { $0.ended = ended?.overrides.count ?? 0 }
        }
      }
      let (isNoted, ended) = outcome.withLock { $0 }
      let left = layer.addedOverrides
      #expect(ended == (isNoted ? 1 : 0))
      #expect(left.isEmpty)
    }
  }
}
