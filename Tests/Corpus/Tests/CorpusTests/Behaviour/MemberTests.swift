// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Static members` {
  @Test func `have spies of the type`() async throws {
    StaticFunctionDouble.spy.now.when(1).returns(2)
    same(StaticFunctionDouble.now(1), 2)
    same(StaticFunctionDouble.spy.now.calls, [1])
    StaticAsyncDouble.spy.now.returns(3)
    same(try await StaticAsyncDouble.now(1), 3)
    StaticPropertyDouble.spy.shared.returns(4)
    same(StaticPropertyDouble.shared, 4)
    StaticSettableDouble.level = 5
    same(StaticSettableDouble.spy.levelSet.calls, [5])
    StaticSettableDouble.spy.level.returns(6)
    same(StaticSettableDouble.level, 6)
    StaticGenericDouble.spy.decode.when("a").returns(7)
    same(try StaticGenericDouble.decode("a") as Int, 7)
    StaticSubscriptDouble.spy.subscript.returns(8)
    same(StaticSubscriptDouble["x"], 8)
    let made = StaticSelfDouble()
    StaticSelfDouble.spy.make.returns(Unchecked(made))
    #expect(StaticSelfDouble.make(1) === made)
    StaticDocumentDouble.spy.open.returns(9)
    same(StaticDocumentDouble.open(Document(text: "a")), 9)
    same(StaticDocumentDouble.spy.open.calls[0].value.text, "a")
  }

  @Test func `record initialisers`() async throws {
    _ = InitializerDouble(id: 3)
    same(InitializerDouble.spy.initialize.calls, [3])
    _ = InitializerEmptyDouble()
    same(InitializerEmptyDouble.spy.initialize.callCount, 1)
    InitializerFailableDouble.spy.initialize.when("a").returns(())
    InitializerFailableDouble.spy.initialize.when("b").returns(nil)
    #expect(InitializerFailableDouble(text: "a") != nil)
    #expect(InitializerFailableDouble(text: "b") == nil)
    InitializerThrowingDouble.spy.initialize.when("bad").throws(Plain())
    #expect(throws: Plain.self) { _ = try InitializerThrowingDouble(path: "bad") }
    InitializerAsyncDouble.spy.initialize.throws(.busy)
    await #expect(throws: LoadError.busy) { _ = try await InitializerAsyncDouble(path: "x") }
    _ = InitializerGenericDouble(5)
    same(InitializerGenericDouble.spy.initialize.calls[0].value as? Int, 5)
  }

  @Test func `record operators`() {
    let a = OperatorInfixDouble()
    OperatorInfixDouble.spy.lessPlusGreater.returns(1)
    same(a <+> a, 1)
    let b = OperatorEqualsDouble()
    OperatorEqualsDouble.spy.equalEqual.returns(true)
    same(b == OperatorEqualsDouble(), true)
    let c = OperatorPrefixDouble()
    OperatorPrefixDouble.spy.plusPlusPlus.returns(2)
    same(+++c, 2)
    var d = OperatorPostfixDouble()
    OperatorPostfixDouble.spy.plusPlusPlus.returns(Unchecked((3, d)))
    same(d+++, 3)
    let e = OperatorMixedDouble()
    OperatorMixedDouble.spy.plus.returns("x")
    same(e + 1, "x")
    same(OperatorMixedDouble.spy.plus.calls[0].1, 1)
  }
}

@Suite struct `Subscripts and properties` {
  @Test func `subscripts`() async throws {
    let a = SubscriptGetDouble()
    a.spy.subscript.when(1).returns("a")
    same(a[1], "a")
    let b = SubscriptGetSetDouble()
    b.spy.subscript.returns("b")
    same(b[1], "b")
    b[2] = "c"
    same(b.spy.subscriptSet.calls[0].1, "c")
    let c = SubscriptLabelledDouble()
    c.spy.subscript.returns(1.5)
    c[row: 1, column: 2] += 1
    same(c.spy.subscriptSet.calls[0].2, 2.5)
    let d = SubscriptGenericDouble()
    d.spy.subscript.when("a").returns(1)
    same(d["a", as: Int.self], 1)
    let e = SubscriptGenericKeyDouble()
    e.spy.subscript.returns(2)
    same(e["x"], 2)
    let f = SubscriptThrowingDouble()
    f.spy.subscript.throws(Plain())
    #expect(throws: Plain.self) { try f[1] }
    let g = SubscriptAsyncDouble()
    g.spy.subscript.throws(.busy)
    await #expect(throws: LoadError.busy) { try await g[1] }
  }

  @Test func `properties`() async throws {
    let a = PropertyGetDouble()
    a.spy.title.returns("a")
    same(a.title, "a")
    let b = PropertyGetSetDouble()
    b.title = "b"
    same(b.title, "b")
    same(b.spy.title.sets.calls, ["b"])
    let c = PropertyOptionalDouble()
    c.owner = Item(id: 1)
    same(c.owner, Item(id: 1))
    let d = PropertyAsyncDouble()
    d.spy.title.returns("d")
    same(await d.title, "d")
    let e = PropertyThrowingDouble()
    e.spy.title.throws(Plain())
    #expect(throws: Plain.self) { try e.title }
    let f = PropertyTypedDouble()
    f.spy.title.throws(.missing)
    #expect(throws: LoadError.missing) { try f.title }
    let g = PropertyAsyncThrowingDouble()
    g.spy.title.returns("g")
    same(try await g.title, "g")
    let h = PropertyMutatingGetDouble()
    h.spy.next.returns(1, then: 2)
    same([h.next, h.next], [1, 2])
    let i = PropertyNonmutatingSetDouble()
    i.level = 3
    same(i.spy.level.sets.calls, [3])
    let j = PropertyClosureDouble()
    j.handler = { "\($0)" }
    same(j.handler(4), "4")
    let k = PropertyExistentialDouble()
    k.spy.shape.returns(Square())
    same(k.shape.sides, 4)
    let l = PropertyBacktickDouble()
    l.spy.selfSpy.returns(5)
    same(l.`self`, 5)
  }

  @Test func `values that cannot be copied go to the answering function`() {
    let a = ConsumesTokenDouble()
    a.spy.spend.returns { token in token.value }
    same(a.spend(Token(value: 1)), 1)
    let b = BorrowsTokenDouble()
    b.spy.read.returns { token in token.value }
    same(b.read(Token(value: 2)), 2)
    let c = ReturnsTokenDouble()
    c.spy.issue.does { value in { Token(value: value) } }
    same(c.issue(3).value, 3)
    let d = ConsumingCopyableDouble()
    d.spy.use.returns(4)
    same(d.use(Item(id: 4)), 4)
    same(d.spy.use.calls, [Item(id: 4)])
    let e = BorrowingCopyableDouble()
    e.spy.use.returns(5)
    same(e.use(Item(id: 5)), 5)
  }
}
