// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `A call without a stub returns the obvious value` {
  @Test func `of text, collections, sequences and streams`() async throws {
    let double = EmptyResultsDouble()
    same(try double.text(), "")
    try double.finish().get()
    same(double.pairs().count, 0)
    same(Array(double.sequence()), [])
    same(double.items().count, 0)
    same(Array(double.shared()), [])
    double.spy.items.returns([1, 2])
    same(double.items().count, 2)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `of asynchronous sequences`() async throws {
    let double = EmptySequencesDouble()
    for await event in double.events() { Issue.record("An event: \(event)") }
    for try await line in try await double.lines() { Issue.record("A line: \(line)") }
  }

  @Test func `unless an alias hides the names in its type`() {
    let double = AliasedResultsDouble()
    double.spy.items.returns([Aisle.Item()])
    same(Array(double.items()).count, 1)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func `of arrays with a fixed size`() throws {
    let double = FixedResultsDouble()
    same(try double.row()[2], 0)
    same(try double.names()[1], "")
  }

  @Test func `of functions`() async throws {
    let double = FunctionResultsDouble()
    double.subscribe()()
    var text = ""
    same(try double.counter()(1, &text), [])
    double.onEnd(1)
    same(await double.factory()()(1), false)
    same(double.spy.subscribe.calls.count, 1)
  }

  @Test func `of the double's own type`() async throws {
    let double = ChainedDouble()
    #expect(double.named("a").named("b") === double)
    same(double.spy.named.calls, ["a", "b"])
    var number = 1
    #expect(try await double.loaded(&number) === double)
    same(number, 1)
    let other = ChainedDouble()
    double.spy.named.returns(other)
    #expect(double.named("c") === other)
    let scoped = ScopedDouble()
    #expect(scoped.scope("a") as? ScopedDouble === scoped)
    let shared = SharedChainedDouble()
    #expect(shared.named(Scratch()) === shared)
  }
}
