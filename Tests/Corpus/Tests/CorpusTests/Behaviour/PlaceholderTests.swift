// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite(.relaxed) struct `A call without a stub returns the obvious value` {
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

  @Test func `of ranges`() throws {
    let double = RangeResultsDouble()
    same(double.rows(), 0..<0)
    same(try double.prices(), 0...0)
    same(double.names(), ""..."")
    same(double.pages, 0..<0)
    same(RangeResultsDouble.seats(), 0..<0)
    #expect(throws: Unstubbed.self) { try double.objects() }
  }

  @Test func `of types with generic parts`() async throws {
    let double = GenericPartsDouble()
    same(double.pair(Int.self).1, 0)
    #expect(double.pair(Scratch.self).0 == nil)
    same(try double.named(7).items, [])
    same(double.pairs(7).count, 0)
    same(Array(double.every(7)), [])
    #expect(double.maker(7)(1) == nil)
    same(try await double.found(7).get(), [])
    let both = try double.both(Scratch())
    same(both.0.count, 0)
    #expect(both.1 is ScopedDouble)
    double.spy.pair.returns((7 as Int?, 8))
    same(double.pair(Int.self).0, 7)
    same(double.pair(String.self).1, 0)
  }

  @Test func `of static types with generic parts`() async throws {
    typealias Double = GenericStaticPartsDouble
    let none: Int? = Double.load()
    #expect(none == nil)
    let scratch: Scratch? = Double.load()
    #expect(scratch == nil)
    same(Double.all(of: String.self), [])
    same(Double.all(of: Scratch.self).count, 0)
    same(try await Double.list(7), [:])
    same(Double.pair("a", found: 1).1, 0)
    same(try Double.unique(7), [])
    same(Double[value: 7], [])
    for await number in Double.stream(7) { Issue.record("A number: \(number)") }
    var number: Int? = 1
    Double.change(&number)
    same(number, 1)
    Double.spy.change.returns(2 as Int?)
    Double.change(&number)
    same(number, 2)
    Double.spy.change.returns(nil as Int?)
    Double.change(&number)
    same(number, nil)
    Double.spy.load.returns(7)
    let seven: Int? = Double.load()
    same(seven, 7)
    Double.spy.all.returns(["a"])
    same(Double.all(of: String.self), ["a"])
    Double.spy.pair.returns(("b" as String?, 2))
    same(Double.pair("a", found: 1).0, "b")
  }
}
