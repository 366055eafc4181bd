// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Testing
import UnderstudyDoubles

@testable import Corpus

func share(_ value: some Sendable) {}

@MainActor @Suite struct `Global actors` {
  @Test func `isolate their doubles`() async throws {
    let a = OnMainActorDouble()
    a.spy.show.returns(1)
    same(a.show(Document(text: "a")), 1)
    let b = OnMainActorAsyncDouble()
    b.spy.show.when("b").returns(2)
    same(try await b.show("b"), 2)
    let c = OnMainActorNonisolatedDouble()
    c.spy.name.returns("c")
    same(c.name(3), "c")
    let d = OnMainActorPropertyDouble()
    d.title = "d"
    same(d.title, "d")
    let e = MainActorMemberDouble()
    e.spy.show.returns(5)
    same(e.show("e"), 5)
  }

  @Test func `can be other than the main actor`() async {
    same(await cook(), 6)
  }

  @Kitchen private func cook() -> Int {
    let double = OnKitchenDouble()
    double.spy.cook.returns(6)
    return double.cook("soup")
  }
}

@Suite struct `Actors and Sendable` {
  @Test func `actors have actors as doubles`() async throws {
    let a = ActorBoundDouble()
    a.spy.load.when("a").returns(1)
    same(await a.load("a"), 1)
    let b = ActorAsyncDouble()
    b.spy.load.returns(2)
    same(try await b.load("b"), 2)
    let c = ActorNonisolatedDouble()
    c.spy.name.returns("c")
    same(c.name(1), "c")
    let d = ActorPropertyDouble()
    d.spy.level.returns(4)
    same(await d.level, 4)
  }

  @Test func `isolated parameters`() async {
    let a = IsolatedParameterDouble()
    a.spy.cook.returns(1)
    same(await cook(a), 1)
    let b = OptionalIsolatedDouble()
    b.spy.run.returns(2)
    same(await b.run(1, isolation: nil), 2)
  }

  @Kitchen private func cook(_ double: sending IsolatedParameterDouble) -> Int {
    double.cook("soup", on: Kitchen.shared)
  }

  @Test func `asynchronous implementations stay with their caller`() async {
    let a = NonsendingDouble()
    a.spy.load.does { $0.text.count }
    same(await a.load(Document(text: "abc")), 3)
    let b = ConcurrentDouble()
    b.spy.load.returns(2)
    same(await b.load(1), 2)
  }

  @Test func `sending parameters and results`() {
    let a = SendingArgumentDouble()
    a.spy.give.returns(1)
    same(a.give(Document(text: "a")), 1)
    let b = SendingResultDouble()
    b.spy.take.returns { Document(text: "b") }
    same(b.take(1).text, "b")
  }

  @Test func `a sent inout argument comes back to its caller`() async throws {
    let double = SendingBackDouble()
    var scratch = Scratch()
    let first = ObjectIdentifier(scratch)
    double.take(&scratch)
    #expect(ObjectIdentifier(scratch) == first)
    #expect(double.spy.take.calls.map { ObjectIdentifier($0.value) } == [first])
    double.spy.swap.returns(Unchecked((3, nil)))
    var other: Scratch? = Scratch()
    same(try await double.swap(&other, Scratch()), 3)
    #expect(other == nil)
  }

  @Test(.relaxed) func `handlers of a type that is not Sendable`() {
    let double = MakesHandlersDouble<Int>()
    double.spy.handler.returns { _ in }
    double.handler()(1)
    double.action()(2)
    same(double.spy.action.callCount, 1)
  }

  @Test func `doubles of Sendable protocols are Sendable`() async throws {
    let a = SendableSyncDouble()
    share(a)
    a.spy.load.returns(1)
    same(a.load(1), 1)
    let b = SendableAsyncDouble()
    share(b)
    b.spy.load.returns(Item(id: 1))
    same(try await b.load(1), Item(id: 1))
    let c = SendableDocumentDouble()
    share(c)
    c.spy.open.returns(3)
    same(c.open(Document(text: "c")), 3)
    same(c.spy.open.calls[0].value.text, "c")
    let d = SendableClosureArgumentDouble()
    share(d)
    d.later { _ in }
    same(d.spy.later.callCount, 1)
    let e = SendableExistentialDouble()
    share(e)
    e.spy.draw.does { $0.value.sides }
    same(e.draw(Square()), 4)
    let f = SendableGenericDouble()
    share(f)
    f.spy.log.returns(6)
    same(f.log("x"), 6)
    let g = SendablePropertyDouble()
    share(g)
    g.level = 7
    same(g.level, 7)
    let h = SendableTokenDouble()
    share(h)
    h.spy.spend.returns { $0.value }
    same(h.spend(Token(value: 8)), 8)
  }
}

@Suite struct `Inherited requirements` {
  @Test func `come from classes and other protocols`() throws {
    let a = ClassBoundDouble()
    a.spy.load.returns(1)
    same(a.load(1), 1)
    let b = ClassBoundPropertyDouble()
    b.level = 2
    same(b.level, 2)
    let c = InheritsHereDouble()
    c.spy.load.returns("c")
    same(c.load(1), "c")
    let d = InheritsElsewhereDouble()
    d.spy.name.returns("d")
    same(d.name, "d")
    try d.rename(to: "e")
    same(d.spy.rename.calls, ["e"])
  }

  @Test func `come from the standard library`() throws {
    let a = InheritsHashableDouble()
    a.spy.load.returns(1)
    same(a.load(1), 1)
    same(Set([a, a]).count, 1)
    let b = InheritsEquatableDouble()
    b.spy.load.returns(2)
    same(b.load(1), 2)
    #expect(b != InheritsEquatableDouble())
    let c = InheritsComparableDouble()
    c.spy.load.returns(3)
    same(c.load(1), 3)
    InheritsComparableDouble.spy.less.returns(true)
    #expect(c < c)
    let d = InheritsCodableDouble()
    d.spy.load.returns(4)
    same(d.load(1), 4)
    let e = InheritsIdentifiableDouble<String>()
    e.spy.id.returns("e")
    same(e.id, "e")
    e.spy.load.returns(5)
    same(e.load(1), 5)
    let f = InheritsIdentifiableIDDouble()
    f.spy.id.returns(6)
    same(f.id, 6)
    f.spy.load.returns(6)
    same(f.load(1), 6)
    let g = InheritsDescriptionDouble()
    g.spy.load.returns(7)
    same(g.load(1), 7)
    same("\(g)", "InheritsDescriptionDouble")
    let h = InheritsErrorDouble()
    h.spy.load.returns(8)
    same(h.load(1), 8)
    #expect(throws: InheritsErrorDouble.self) { throw h }
    let i = InheritsIteratorDouble()
    i.spy.next.returns(1, then: nil)
    same(i.next(), 1)
    same(i.next(), nil)
  }
}
