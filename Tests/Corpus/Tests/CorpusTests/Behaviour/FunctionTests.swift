// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Functions are recorded and answered` {
  @Test func `without effects`() {
    let a = SyncVoidDouble()
    a.ping()
    same(a.spy.ping.callCount, 1)
    let b = SyncValueDouble()
    b.spy.count.returns(7)
    same(b.count(), 7)
    let c = OneArgumentDouble()
    c.spy.load.when(3).returns("three")
    same(c.load(3), "three")
    same(c.spy.load.calls, [3])
    let d = LabelledDouble()
    d.spy.load.when(1, "here").returns("x")
    same(d.load(id: 1, from: "here"), "x")
    let e = DefaultLabelOnlyDouble()
    e.spy.run.when(1, "a").returns(2)
    same(e.run(for: 1, in: "a"), 2)
    let f = DiscardableDouble()
    f.spy.push.returns(true)
    f.push(4)
    same(f.spy.push.calls, [4])
    let g = DefaultImplementationDouble()
    g.spy.greet.returns("Hi")
    same(g.greet("Ada"), "Hi")
  }

  @Test func `that are asynchronous and throw`() async throws {
    let a = AsyncVoidDouble()
    await a.ping()
    same(a.spy.ping.callCount, 1)
    let b = AsyncValueDouble()
    b.spy.load.returns("b")
    same(await b.load(1), "b")
    let c = ThrowingDouble()
    c.spy.load.when(1).returns("one")
    c.spy.load.when(2).throws(Plain())
    same(try c.load(1), "one")
    #expect(throws: Plain.self) { try c.load(2) }
    let d = ThrowingVoidDouble()
    try d.save("x")
    same(d.spy.save.calls, ["x"])
    let e = TypedThrowingDouble()
    e.spy.load.throws(.busy)
    #expect(throws: LoadError.busy) { try e.load(1) }
    let f = AsyncThrowingDouble()
    f.spy.load.returns(Item(id: 1))
    same(try await f.load(2), Item(id: 1))
    same(f.spy.load.calls, [2])
    let g = AsyncTypedThrowingDouble()
    g.spy.load.throws(.missing)
    await #expect(throws: LoadError.missing) { try await g.load(1) }
    let h = ThrowsNeverDouble()
    h.spy.load.returns(5)
    same(h.load(1), 5)
  }

  @Test func `with inout and variadic parameters, and mutating`() throws {
    let a = InoutVoidDouble()
    var number = 1
    a.bump(&number)
    same(number, 1)
    a.spy.bump.does { $0 + 1 }
    a.bump(&number)
    same(number, 2)
    same(a.spy.bump.calls, [1, 1])
    let b = InoutResultDouble()
    b.spy.bump.returns((true, 9))
    same(b.bump(&number, by: 3), true)
    same(number, 9)
    let c = InoutTwoDouble()
    var text = "a"
    c.spy.exchange.returns((4, "b"))
    try c.exchange(&number, &text)
    same(number, 4)
    same(text, "b")
    let d = VariadicDouble()
    d.spy.sum.when([1, 2]).returns(3)
    same(d.sum(1, 2), 3)
    let e = VariadicLabelledDouble()
    e.spy.join.returns("x")
    same(e.join("a", "b", by: ","), "x")
    same(e.spy.join.calls[0].0, ["a", "b"])
    let f = MutatingDouble()
    f.spy.advance.returns(2)
    same(f.advance(by: 1), 2)
  }

  @Test func `with long and unusual types`() async throws {
    let a = ManyArgumentsDouble()
    a.spy.place.returns(1)
    same(a.place(1, 2, 3, 4, 5, 6, 7, 8), 1)
    same(a.spy.place.calls[0].7, 8)
    let b = LongSignatureDouble()
    b.spy.reserve.returns(["x": (1, 2)])
    let seats = try await b.reserve(
      performanceIdentifier: 1, customerEmailAddress: "a@b", preferredRowNumbers: [1],
      seatsByPriceCategory: [:], discountPercentage: nil, isWheelchairAccessible: true)
    same(seats["x"]?.seat, 2)
    same(b.spy.reserve.calls[0].1, "a@b")
    let c = TupleArgumentDouble()
    c.spy.move.returns(1)
    same(c.move((x: 1, y: 2)), 1)
    same(c.spy.move.calls[0].y, 2)
    let d = TupleResultDouble()
    d.spy.origin.returns((x: 1, y: 2))
    same(d.origin().y, 2)
    let e = OptionalArgumentDouble()
    e.spy.note.when(nil).returns(true)
    same(e.note(nil), true)
    let f = OptionalResultDouble()
    f.spy.find.returns("x")
    same(f.find(1), "x")
    let g = CollectionsDouble()
    g.spy.group.returns([[Item(id: 1)]])
    same(g.group([Item(id: 2)], by: ["a": [1]]), [[Item(id: 1)]])
    same(g.spy.group.calls[0].0, [Item(id: 2)])
    let h = NestedTypesDouble()
    h.spy.cut.returns(Item.Part(number: 1))
    same(h.cut(Item.Part(number: 2), size: .small), Item.Part(number: 1))
    let i = NestedElsewhereDouble()
    i.spy.style.returns(Label.Style(bold: true))
    same(i.style(Label(text: "a")).bold, true)
    let j = FoundationTypesDouble()
    j.spy.stamp.returns(Data([1]))
    same(j.stamp(URL(fileURLWithPath: "/"), at: Date()), Data([1]))
    let k = FunctionResultDouble()
    k.spy.maker.returns { "\($0)" }
    same(k.maker()(4), "4")
    let l = MetatypeArgumentDouble()
    l.spy.build.returns("x")
    same(l.build(Item.self), "x")
    same(l.spy.build.callCount, 1)
    let m = MetatypeResultDouble()
    m.spy.kind.returns(Square.self)
    #expect(m.kind() as Any.Type == Square.self)
    let n = AnyArgumentDouble()
    n.log(3)
    same(n.spy.log.calls[0] as? Int, 3)
    let o = ExistentialArgumentDouble()
    o.spy.draw.does { $0.sides }
    same(o.draw(Square()), 4)
    let p = ExistentialResultDouble()
    p.spy.shape.returns(Square())
    same(p.shape(1).sides, 4)
    let q = ComposedExistentialDouble()
    q.spy.draw.returns(1)
    same(q.draw(Square()), 1)
    let r = ConstrainedExistentialDouble()
    r.spy.sum.does { $0.reduce(0, +) }
    same(r.sum([1, 2]), 3)
    let s = AliasedDouble()
    s.spy.load.returns(2)
    same(s.load(1), 2)
    let t = ReturnsNeverDouble()
    same(t.spy.stop.callCount, 0)
    await #expect(processExitsWith: .failure) { ReturnsNeverDouble().stop(1) }
  }

  @Test func `with all kinds of names`() {
    let a = UnicodeDouble()
    a.spy.größe.returns(2)
    same(a.größe(1), 2)
    let b = SmileDouble()
    b.spy.😀.returns(2)
    same(b.😀(1), 2)
    let c = BacktickNameDouble()
    c.spy.default.returns(2)
    same(c.default(1), 2)
    let d = BacktickLabelDouble()
    d.spy.move.when(1, 2).returns(3)
    same(d.move(in: 1, for: 2), 3)
    let e = RawNameDouble()
    e.spy.`load an item`.returns(2)
    same(e.`load an item`(1), 2)
    let f = classDouble()
    f.spy.close.returns(2)
    same(f.close(), 2)
    let g = _UnderscoredDouble()
    g.spy._load.returns(2)
    same(g._load(1), 2)
  }

  @Test func `with availability`() {
    let a = DeprecatedDouble()
    a.spy.old.returns(2)
    same((a as any OldLoading).load(1), 2)
    let b = IntroducedDouble()
    b.spy.recent.returns(2)
    same(b.recent(1), 2)
    let c = IntroducedProtocolDouble()
    c.spy.recent.returns(2)
    same(c.recent(1), 2)
    let d = SwiftVersionedDouble()
    d.spy.modern.returns(2)
    same(d.modern(1), 2)
  }

  @Test func `with deprecated types`() async throws {
    let a = DeprecatedTypesDouble()
    a.spy.count.returns(2)
    same(a.count(), 2)
    try await same((a as any OldUsing).use(), [1800, 1801, 3])
  }
}

private protocol OldUsing { func use() async throws -> [Int] }
extension DeprecatedTypesDouble: OldUsing {
  @available(*, deprecated) fileprivate func use() async throws -> [Int] {
    spy.restore.returns(Antique(year: 1800))
    oldest = Antique(year: 1801)
    Self.spy.appraise.returns(3)
    let restored = try restore(Antique())
    return await [restored.year, oldest?.year ?? 0, Self.appraise([restored])]
  }
}

private protocol OldLoading { func load(_ id: Int) -> Int }
extension DeprecatedDouble: OldLoading { fileprivate func load(_ id: Int) -> Int { old(id) } }
