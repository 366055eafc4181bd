// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// What is waited for, without anybody who waits.
@Suite struct `A flight` {
  private let resolver = Resolver()
  private let flight: Flight

  init() throws {
    let key = resolver.register(lifecycle: .cached) { Coin(1) }
    let registration = try #require(resolver.store.registration(for: key.erased))
    flight = Flight(of: registration, under: nil, ownedBy: nil, in: resolver.store)
  }

  @Test func `has one latch for all who wait`() {
    let latch = flight.latchOfWaiters()
    #expect(latch != nil && flight.latchOfWaiters() === latch)
    #expect(flight.land() === latch)
    // Whoever comes now waits on what is about to be opened.
    #expect(flight.latchOfWaiters() === latch)
  }

  @Test func `makes nobody wait once it has landed`() {
    #expect(flight.land() == nil)
    #expect(flight.latchOfWaiters() == nil)
    #expect(flight.land() == nil)
  }

  @Test func `leaves those who waited where it was, and has another latch where it goes`() {
    let layer = Stage.root("inner", of: resolver, adoptsEscapedWork: false)
    let before = flight.latchOfWaiters()
    #expect(flight.move(to: layer) === before)
    let after = flight.latchOfWaiters()
    #expect(after != nil && after !== before)
    #expect(flight.owner === layer && flight.store === layer.store)
    #expect(flight.move(to: layer) === after)
    #expect(flight.land() == nil)
    #expect(flight.latchOfWaiters() == nil)
    _ = layer.end()
  }
}
