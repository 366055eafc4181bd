// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

private struct Cancelled: Error {}

@Suite struct `Generic requirements` {
  @Test func `record their arguments`() throws {
    let a = GenericArgumentDouble()
    a.spy.log.returns("x")
    same(a.log(5), "x")
    same(a.spy.log.calls[0] as? Int, 5)
    let b = GenericConstrainedDouble()
    b.spy.draw.does { $0.sides }
    same(b.draw(Square()), 4)
    let c = GenericComposedDouble()
    c.spy.draw.does { $0.sides }
    same(c.draw(Square()), 4)
    let d = GenericWhereDouble()
    d.spy.total.returns(3)
    same(d.total([1, 2]), 3)
    let e = GenericObjectDouble()
    e.spy.hold.returns(true)
    same(e.hold(Document(text: "a")), true)
    let f = GenericVariadicDouble()
    f.spy.all.does { $0.count }
    same(f.all(1, 2, 3), 3)
    let g = GenericMetatypeDouble()
    g.spy.know.does { $0 == Int.self }
    same(g.know(Int.self), true)
    let h = GenericClosureDouble()
    h.later { (_: Int) in }
    same(h.spy.later.callCount, 1)
    let i = SomeArgumentDouble()
    i.spy.draw.does { $0.sides }
    same(i.draw(Square()), 4)
    let j = SomeCollectionDouble()
    j.spy.total.does { $0.reduce(0, +) }
    same(j.total([1, 2]), 3)
    let k = PackDouble()
    k.spy.all.does { $0.count }
    same(k.all(1, "a", true), 3)
    let l = PackConstrainedDouble()
    try l.all(1, "a")
    same(l.spy.all.calls[0].count, 2)
    let m = GenericNoncopyableDouble()
    m.take(Token(value: 1))
    same(m.spy.take.callCount, 1)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let n = IntegerGenericDouble()
      n.spy.count.returns(2)
      same(n.count([1, 2]), 2)
    }
  }

  @Test func `answer by type`() async throws {
    let a = GenericResultDouble()
    a.spy.decode.returns(5)
    a.spy.decode.when("name").returns("Ada")
    same(try a.decode(Int.self, key: "age"), 5)
    same(try a.decode(String.self, key: "name"), "Ada")
    same(a.spy.decode.calls, ["age", "name"])
    let b = GenericResultOnlyDouble()
    b.spy.make.returns(5)
    same(b.make(), 5)
    let c = GenericBothDouble()
    c.spy.echo.returns([1, 1])
    same(c.echo(1, times: 2), [1, 1])
    same(c.spy.echo.calls[0].1, 2)
    let d = GenericTwoDouble()
    d.spy.pair.returns(["a": 1])
    same(d.pair("a", 1), ["a": 1])
    let e = GenericClassDouble()
    let document = Document(text: "x")
    e.spy.open.returns(Document?.some(document))
    #expect(e.open(document) === document)
    let f = GenericInoutDouble()
    var number = 1
    f.spy.reset.returns(9)
    f.reset(&number)
    same(number, 9)
    let g = GenericAsyncDouble()
    g.spy.fetch.returns(Item(id: 1))
    same(try await g.fetch(Item.self), Item(id: 1))
    let h = GenericTypedThrowsDouble()
    h.spy.fetch.throws(LoadError.busy)
    #expect(throws: LoadError.busy) { try h.fetch(Int.self, id: 1) }
    let i = GenericOptionalDouble()
    i.spy.first.returns(Int?.some(2))
    same(i.first([1, nil]), 2)
    let j = PackResultDouble()
    j.spy.wrap.returns((Int?.some(1), String?.some("a")))
    let wrapped: (Int?, String?) = j.wrap(1, "a")
    same(wrapped.1, "a")
    same(j.spy.wrap.calls[0].count, 2)
  }

  @Test func `distinguish keys with the same content type`() {
    enum Rows: TypeKey { typealias Content = Int }
    enum Seats: TypeKey { typealias Content = Int }
    let a = KeyedByTypeDouble()
    a.spy.content.when { $0 == Rows.self }.returns(Int?.some(1))
    a.spy.content.when { $0 == Seats.self }.returns(Int?.some(2))
    same(a.content(of: Rows.self), 1)
    same(a.content(of: Seats.self), 2)
    a.spy.first.when { $1 as? Int == 3 }.returns([3])
    same(a.first(Rows.self, or: 3), [3])
    a.spy.convert.returns("1")
    same(a.convert(Int.self, to: String.self), "1")
    same(a.spy.convert.calls.map { $0 == Int.self }, [true])
  }

  @Test func `trap without an answer`() async {
    await #expect(processExitsWith: .failure) {
      _ = GenericNoncopyableResultDouble().pass(Token(value: 1))
    }
  }
}

@Suite struct `Associated types and Self` {
  @Test func `become generic parameters`() async throws {
    let a = PrimaryAssociatedDouble<String>()
    a.spy.add.when("a").returns(1)
    same(a.add("a"), 1)
    let b = AssociatedDouble<Int>()
    b.spy.make.returns(2)
    same(b.make(), 2)
    let hiding = HidingErrorDouble<LoadError, LoadError, Int>()
    hiding.spy.load.throws(Cancelled())
    await #expect(throws: Cancelled.self) { try await hiding.load(1) }
    hiding.spy.clear.returns(())
    hiding.spy.clear.when(2).throws(.busy)
    try hiding.clear(1)
    #expect(throws: LoadError.busy) { try hiding.clear(2) }
    let c = AssociatedConstrainedDouble<String>()
    c.spy.keys.returns(["x"])
    same(c.keys("a"), ["x"])
    let d = AssociatedWhereDouble<[Int]>()
    d.spy.values.returns([1])
    same(d.values(), [1])
    let e = AssociatedDefaultDouble<String>()
    e.spy.make.returns("x")
    same(e.make(1), "x")
    let f = AssociatedTwoDouble<Int, String>()
    f.spy.convert.when(1).returns("one")
    same(try await f.convert(1), "one")
    let g = AssociatedFailureDouble<LoadError>()
    g.spy.attempt.throws(.busy)
    #expect(throws: LoadError.busy) { try g.attempt(1) }
    let h = AssociatedSendableDouble<Int>()
    h.spy.add.returns(4)
    same(await h.add(1), 4)
    let i = AssociatedSubscriptDouble<String, Int>()
    i.spy.subscript.when("a").returns(1)
    same(i["a"], 1)
    i["b"] = 2
    same(i.spy.subscriptSet.calls[0].0, "b")
    let j = AssociatedProtocolDouble<PrimaryAssociatedDouble<Int>>()
    let child = PrimaryAssociatedDouble<Int>()
    j.spy.child.returns(child)
    #expect(j.child(1) === child)
    same(j.spy.child.calls, [1])
  }

  @Test func `Self is the double`() async {
    let a = SelfArgumentDouble()
    a.spy.isSame.returns(true)
    same(a.isSame(as: SelfArgumentDouble()), true)
    let b = SelfResultDouble()
    b.spy.copy.returns(b)
    #expect(b.copy() === b)
    let c = SelfOptionalDouble()
    c.spy.next.returns(nil)
    #expect(c.next(1) == nil)
    let d = SelfListDouble()
    d.spy.split.returns([])
    same(d.split([SelfListDouble()]).count, 0)
    same(d.spy.split.calls[0].count, 1)
    let e = SelfSendableDouble()
    e.spy.merge.returns(2)
    same(await e.merge(SelfSendableDouble()), 2)
  }

  @Test func `keep the member types of a Sendable type`() async throws {
    let double = SharedMembersDouble<[Int]>()
    double.spy.first.returns(Unchecked([1, 2][...]))
    same(double.first(of: [1, 2, 3]), [1, 2])
    double.spy.find.when { $0.value == 7 }.returns(Unchecked(3))
    same(try await double.find(7), 3)
    same(double.spy.find.calls.map(\.value), [7])
  }
}
