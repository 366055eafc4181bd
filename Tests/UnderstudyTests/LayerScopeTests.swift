// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing

@testable import Understudy

/// A name that calls a closure whenever it is compared.
private struct Comparing: Hashable, Sendable {
  let compared: @Sendable () -> Void

  static func == (left: Comparing, right: Comparing) -> Bool {
    left.compared()
    right.compared()
    return true
  }

  func hash(into hasher: inout Hasher) {}
}

@Suite struct `The scope of a layer` {
  private let registration = Registration<Int>(
    RegistrationTraits(key: AnyKey(plain: Int.self), at: CallSite()), sharing: nil, .plain { 1 })

  @Test func `has the added elements until it ends, and none after`() {
    let scope = LayerScope(Lock(LayerScope.ScopeState()), AtomicInt(0))
    let isNoted = scope.note(registration)
    let added = scope.overrides
    let ended = scope.end()
    let isNotedLate = scope.note(registration)
    let (left, endedAgain) = (scope.overrides, scope.end())
    #expect(isNoted && !isNotedLate)
    #expect(added.map(\.serial) == [registration.serial])
    #expect(ended?.all.map(\.serial) == [registration.serial])
    #expect(left.isEmpty && endedAgain == nil)
  }

  @Test func `takes elements that are added while it ends, or refuses them`() {
    let registration = registration
    for _ in 0..<2_000 {
      let scope = LayerScope(Lock(LayerScope.ScopeState()), AtomicInt(0))
      let outcome = Lock((isNoted: false, ended: 0))
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          let isNoted = scope.note(registration)
          outcome.withLock { $0.isNoted = isNoted }
        } else {
          let ended = scope.end()
          outcome.withLock { $0.ended = ended?.count ?? 0 }
        }
      }
      let (isNoted, ended) = outcome.withLock { $0 }
      let left = scope.overrides
      #expect(ended == (isNoted ? 1 : 0))
      #expect(left.isEmpty)
    }
  }
}
