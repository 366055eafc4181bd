// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy
import UnderstudyCompatibility

private struct Hidden: Assembly {
  let creation: Lock<Creation?>
  let mayGo: Gate

  func assemble(into registrar: some Registering) {
    let (creation, mayGo) = (creation, mayGo)
    registrar.register(lifecycle: .cached) { () throws -> Coin in
      creation.withLock { $0 = Construction.current?.creation }
      try mayGo.pass()
      return Coin(1)
    }
  }
}

private struct Shown: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register(lifecycle: .cached) { Coin(2) }
  }
}

/// A registration that another assembly hides is a member of `resolve(all:from:)`.
@Suite struct `A hidden member` {
  @Test func `that another thread creates is waited for, and not left out`() throws {
    let resolver = Resolver()
    let (creation, mayGo) = (Lock<Creation?>(nil), Gate("go"))
    try resolver.load(Hidden(creation: creation, mayGo: mayGo), priority: .low)
    try resolver.load(Shown())
    let outcomes = try Threads.run(3) { index -> [Int] in
      guard index == 2 else {
        return try resolver.resolve(all: Coin.self, from: .every).map(\.id)
      }
      // The latch is there as soon as the other request waits.
      for _ in 0..<60_000 where creation.withLock({ $0?.withState { $0.latch } }) == nil {
        pauseThread(for: .milliseconds(1))
      }
      mayGo.open()
      return []
    }
    #expect(try outcomes.map { try $0.get() } == [[2, 1], [2, 1], []])
  }
}
