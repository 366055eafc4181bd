// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Generic parameters with the names of other types` {
  @Test func `have the names of protocols`() {
    let receiver = ReceivingDouble<Int>()
    let receiving: any Receiving<Int> = receiver
    receiving.receive(1)
    same(receiver.spy.receive.calls, [1])
    let a = ShadowsProtocolDouble()
    let it: any ShadowsProtocol = a
    it.attach(receiver)
    #expect(a.spy.attach.calls[0] as? ReceivingDouble<Int> === receiver)
    let b = ShadowsItselfDouble<Int>()
    func attach<It: ShadowsItself>(to it: It) where It.Output == Int { it.attach(receiver) }
    attach(to: b)
    #expect(b.spy.attach.calls[0] as? ReceivingDouble<Int> === receiver)
  }

  @Test func `have the names of associated types`() {
    let a = ShadowsAssociatedDouble<String>()
    a.spy.store.returns(2)
    a.spy.last.returns("x")
    let first: any ShadowsAssociated = a
    same(first.store(true), 2)
    same(a.spy.store.calls[0] as? Bool, true)
    same(first.last() as? String, "x")
    let b = ShadowsAssociatedResultDouble<String>()
    b.spy.convert.returns(4)
    b.spy.value.returns("y")
    let second: any ShadowsAssociatedResult = b
    same(second.convert(3), 4)
    same(b.spy.convert.calls[0] as? Int, 3)
    same(second.value as? String, "y")
    let c = ShadowsByWhereDouble<String>()
    c.spy.each.returns([6])
    c.spy.first.returns("z")
    let third: any ShadowsByWhere = c
    same(third.each(5), [6])
    same(c.spy.each.calls[0] as? Int, 5)
    same(third.first() as? String, "z")
  }

  @Test func `of subscripts and initialisers have the names of associated types`() {
    let a = ShadowsInSubscriptDouble<String>()
    a.spy.subscript.returns(2)
    a.spy.last.returns("x")
    let it: any ShadowsInSubscript = a
    same(it[1.5], 2)
    same(a.spy.subscript.calls[0] as? Double, 1.5)
    same(it.last() as? String, "x")
    typealias B = ShadowsInInitializerDouble<String>
    func make<It: ShadowsInInitializer>(_ type: It.Type) -> It { It([1, 2]) }
    let b = make(B.self)
    same(B.spy.initialize.calls.map { $0.value as? [Int] }, [[1, 2]])
    b.spy.source.returns("y")
    same((b as any ShadowsInInitializer).source() as? String, "y")
  }

  @Test func `have the names of types`() {
    let a = ShadowsTypeDouble()
    a.spy.mark.returns(2)
    let first: any ShadowsType = a
    same(first.mark("m"), 2)
    same(a.spy.mark.calls[0] as? String, "m")
    first.plain(Marker())
    same(a.spy.plain.calls, [Marker()])
    let b = ShadowsSpyDouble()
    b.spy.use.returns(3)
    same((b as any ShadowsSpy).use("s"), 3)
    same(b.spy.use.calls[0] as? String, "s")
    let c = ShadowsStringDouble()
    c.spy.use.returns([4])
    same((c as any ShadowsString).use(1), [4])
    same(c.spy.use.calls[0] as? Int, 1)
  }
}
