// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Overlapping requirements are distinguished` {
  private struct Real: AsyncOverload {
    func load(_ id: Int) throws -> Int { id + 1 }
    func load(_ id: Int) async throws -> Int { id + 2 }
  }

  private func loadNow(_ double: AsyncOverloadDouble) throws -> Int { try double.load(10) }

  @Test func `asynchronous and synchronous requirements`() async throws {
    let double = AsyncOverloadDouble(forwardingTo: Real())
    same(try loadNow(double), 11)
    same(try await double.load(10), 12)
    same(double.spy.load.calls, [10])
    same(double.spy.loadIntAsync.calls, [10])
  }

  @Test func `a sequence with a declared failure type`() async {
    let double = FailingAsDouble<Int, AsyncStream<Int>.Iterator, Never>()
    double.spy.makeAsyncIterator.does { _ in
      AsyncStream { continuation in
        continuation.yield(3)
        continuation.finish()
      }.makeAsyncIterator()
    }
    var elements: [Int] = []
    for await element in double { elements.append(element) }
    same(elements, [3])
  }

  @Test func `one member fulfils the requirements of two parents`() {
    let double = LenientStrictDouble()
    double.name = "a"
    same(double.name, "a")
    double.close()
    same(double.spy.close.callCount, 1)
  }

  @Test func `the cases and elements of doubles have answers`() {
    let double = FixedElementDouble<IndexingIterator<[Int]>>()
    double.spy.makeIterator.returns([1, 2].makeIterator())
    same(double.map { $0 * 2 }, [2, 4])
    let cases = AllTheCasesDouble()
    cases.spy.others.returns([cases])
    #expect(cases.others().first === cases)
  }

  @Test func `optionals are recorded unchanged, and spies have unique names`() {
    let warned = WarnedDouble()
    warned.spy.keep.returns(Int?.some(4))
    same(warned.keep(Int?.some(3)), 4)
    let double = HasSpyDouble()
    double.spies.spy.returns(5)
    same(double.spy, 5)
  }
}
