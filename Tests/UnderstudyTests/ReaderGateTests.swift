// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

@Suite struct `A gate of readers` {
  /// Owns one, as classes do.
  private final class Owner: Sendable {
    let gate = ReaderGate()

    func enter() -> ReaderGate.Pass? { gate.enter() }
    func close() { gate.close() }
    func open() { gate.open() }
  }

  /// Two words that belong together, and are changed one after the other. Safety: changed while the gate is closed,
  /// read by those within.
  private final class Pair: @unchecked Sendable {
    var first = 0
    var second = 0
  }

  @Test func `lets readers in unless it is closed`() throws {
    let owner = Owner()
    let first = try #require(owner.enter())
    let second = try #require(owner.enter())
    ReaderGate.leave(first)
    ReaderGate.leave(second)
    owner.close()
    #expect(owner.enter() == nil)
    #expect(owner.enter() == nil)
    owner.open()
    ReaderGate.leave(try #require(owner.enter()))
    owner.close()
    owner.open()
  }

  /// Threads have stacks of their own, so most readers are counted in different words.
  @Test(arguments: [1, 2, 5, 12])
  func `is not closed before all have left`(readers: Int) throws {
    let owner = Owner()
    let left = Tally()
    let inside = Barrier(readers + 1)
    let outcomes = try Threads.run(readers + 1) { number in
      guard number < readers else {
        try inside.arrive()
        owner.close()
        defer { owner.open() }
        return left.count
      }
      let pass = try #require(owner.enter())
      defer { ReaderGate.leave(pass) }
      try inside.arrive()
      // The writer has begun once nobody is let in any more.
      var looks = 0
      while let other = owner.enter() {
        ReaderGate.leave(other)
        looks += 1
        if looks > 500_000_000 { throw Hang("the gate is never closed") }
      }
      _ = left.next()
      return readers
    }
    #expect(try outcomes.map { try $0.get() } == Array(repeating: readers, count: readers + 1))
  }

  @Test(arguments: [2, 3, 8])
  func `shows no change that is half done`(count: Int) throws {
    let owner = Owner()
    let pair = Pair()
    let writing = Lock(0)
    let outcomes = try Threads.run(count) { number -> Int in
      var seen = 0
      for step in 0..<2_000 {
        if (step + number).isMultiple(of: 7) {
          writing.withLock { _ in
            owner.close()
            pair.first += 1
            pair.second += 1
            owner.open()
          }
        } else if let pass = owner.enter() {
          if pair.first != pair.second { seen += 1 }
          ReaderGate.leave(pass)
        }
      }
      return seen
    }
    #expect(try outcomes.map { try $0.get() } == Array(repeating: 0, count: count))
    #expect(pair.first == pair.second)
    #expect(pair.first > 0)
  }
}
