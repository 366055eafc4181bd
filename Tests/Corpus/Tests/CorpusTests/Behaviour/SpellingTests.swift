// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Types in every spelling` {
  private struct Shown: Equating, Shape { var sides: Int }
  private struct Numbers: AsyncSequence, AsyncIteratorProtocol {
    mutating func next() async throws -> Int? { nil }
    func makeAsyncIterator() -> Numbers { self }
  }

  @MainActor @Test func `closures with attributes in any order`() async {
    let double = AttributesInOrdersDouble()
    let it: any AttributesInOrders = double
    let mark = Mark()
    it.show { mark.count += 1 }
    it.hide {}
    double.spy.turn.does { $0 }
    let turned = it.turn { mark.count += 10 }
    double.spy.show.calls[0]()
    turned()
    same(mark.count, 11)
    double.spy.hide.calls[0]()
    it.ask(1 + 2)
    same(double.spy.ask.calls, [3])
    double.bodies = [{ mark.count += 100 }]
    for body in it.bodies { body() }
    it.start { await mark.add(1000) }
    await double.spy.start.calls[0]()
    same(mark.count, 1111)
  }

  @Test func `compositions`() {
    let a = SaidByThePlatformDouble()
    let first: any SaidByThePlatform = a
    first.note(ExplainedDouble(), ExplainedItselfDouble())
    #expect(a.spy.note.calls[0].1 is ExplainedItselfDouble)
    first.key(ColumnKeyDouble(), ContinuousClock())
    #expect(a.spy.key.calls[0].1 is ContinuousClock)
    let b = SaidTwiceDouble()
    let second: any SaidTwice = b
    let socket = SocketDouble()
    second.note(Plain(), socket)
    #expect(b.spy.note.calls[0].1 as? SocketDouble === socket)
    #expect((socket as any Socket as any Plug) as? SocketDouble === socket)
    b.spy.keep.returns("b")
    same(second.keep(1, socket) as? String, "b")
    same(b.spy.keep.calls[0].0 as? Int, 1)
    let plug = PlugDouble()
    b.spy.keep.does { $1 }
    #expect(second.keep(1, plug) as? any Plug as? PlugDouble === plug)
    let c = ComposedInOrdersDouble()
    (c as any ComposedInOrders).keep(Shown(sides: 3), Numbers())
    same(c.spy.keep.calls[0].0.sides, 3)
    #expect(c.spy.keep.calls[0].1 is Numbers)
    let d = WithoutAnyDouble()
    let equating = EquatingDouble()
    d.spy.plug.returns(Unchecked(equating))
    #expect((d as any WithoutAny).plug as? EquatingDouble === equating)
    let shape = ShapeDouble()
    shape.spy.sides.returns(5)
    same((shape as any Shape).sides, 5)
  }

  @Test func `members of standard types, metatypes and modules`() throws {
    let a = MembersOfSignsDouble()
    let first: any MembersOfSigns = a
    let table = ["a": 1]
    a.spy.first.returns(Int?.self)
    #expect(first.first(2, table.startIndex) == Int?.self)
    #expect(a.spy.first.calls[0] == (2, table.startIndex))
    a.spy.part.returns([3, 4][1...])
    same(first.part([["x"][...]], [5]), [4])
    same(a.spy.part.calls.map(\.1), [[5]])
    let b = AnyMetatypeDouble()
    b.spy.note.returns(String.self)
    #expect((b as any AnyMetatype).note(Int.self) as Any.Type == String.self)
    #expect(b.spy.note.calls[0] as Any.Type == Int.self)
    let c = NamedWithModulesDouble()
    let third: any NamedWithModules = c
    let url = URL(fileURLWithPath: "/")
    c.spy.load.returns(.success(Data([1]))).throws(Plain())
    same(try third.load(url).get(), Data([1]))
    #expect(throws: Plain.self) { try third.load(url) }
    same(c.spy.load.calls, [url, url])
    c.spy.part.returns(Corpus.Seat(number: 6))
    same(third.part(.hour, .init("n")).number, 6)
    #expect(c.spy.part.calls[0] == (.hour, .init("n")))
    let d = NamedInClosuresDouble()
    var seen: Data?
    d.spy.load.returns { $0 + 1 }
    same((d as any NamedInClosures).load { data, _ in seen = data }(7), 8)
    d.spy.load.calls[0](Data([2]), nil)
    same(seen, Data([2]))
  }

  @Test func `names that are keywords, raw or hidden`() {
    let a = RawTypesDouble()
    a.spy.visit.does { tent, _ in tent }
    _ = (a as any RawTypes).visit(`big top`(), .one)
    same(a.spy.visit.calls.map(\.1), [.one])
    let b = LetLabelDouble()
    b.spy.move.when(1, 2).returns(3)
    same((b as any LetLabel).move(let: 1, `inout`: 2), 3)
    let c = HidingParametersDouble()
    c.spy.first.returns((4, 5))
    var value = 6
    same((c as any HidingParameters).first(7, answer: &value), 4)
    same(value, 5)
    same(c.spy.first.calls.map { [$0, $1] }, [[7, 6]])
    (c as any HidingParameters).second(self: 8)
    same(c.spy.second.calls, [8])
  }

  @Test func `aliases, opaque and generic types`() {
    let numbers = [1, 2]
    let a = AliasedSpanDouble()
    a.spy.sum.returns { $0.count }
    same((a as any AliasedSpan).sum(numbers.span), 2)
    let b = OpaqueNestedDouble()
    b.spy.count.does { $0.count }
    same((b as any OpaqueNested).count(numbers), 2)
    same(b.spy.count.calls.map { $0 as? [Int] }, [[1, 2]])
    let c = SharedPartsDouble()
    let third: any SharedParts = c
    c.spy.boxes.returns(Unchecked(Box(value: ["a": 1])))
    same(third.boxes().value["a"] as? Int, 1)
    c.spy.pointer.returns(Unchecked(AnyHashable("b")))
    let encoder = JSONEncoder()
    same(third.pointer(nil, encoder), AnyHashable("b"))
    #expect(c.spy.pointer.calls[0].1 === encoder)
  }
}

@MainActor private final class Mark {
  nonisolated init() {}
  var count = 0
  func add(_ number: Int) { count += number }
}
