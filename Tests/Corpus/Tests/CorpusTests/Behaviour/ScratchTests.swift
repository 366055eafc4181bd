// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Values that are not Sendable, in asynchronous requirements` {
  private let scratch = Scratch()
  private let other = Scratch()

  @Test func `are recorded`() async throws {
    let a = SavesScratchDouble()
    await (a as any SavesScratch).save(scratch)
    #expect(a.spy.save.calls[0] === scratch)
    let b = SavesScratchThrowingDouble()
    let throwing: any SavesScratchThrowing = b
    try await throwing.save(scratch, named: "b")
    same(b.spy.save.calls[0].1, "b")
    b.spy.save.throws(Plain())
    await #expect(throws: Plain.self) { try await throwing.save(other, named: "b") }
    #expect(b.spy.save.calls[1].0 === other)
    let c = SavesPairsDouble()
    c.spy.save.does { $0.count }
    let pair = ScratchPair()
    same(try await (c as any SavesPairs).save([pair, ScratchPair()]), 2)
    #expect(c.spy.save.calls[0][0].second === pair.second)
    let d = OptionalScratchDouble()
    await (d as any OptionalScratch).save(nil, (scratch, 1))
    #expect(d.spy.save.calls[0].0 == nil)
    #expect(d.spy.save.calls[0].1.0 === scratch)
    let e = VariadicScratchDouble()
    await (e as any VariadicScratch).save(scratch, other)
    #expect(e.spy.save.calls[0][1] === other)
    same(e.spy.save.calls.map(\.count), [2])
    let f = TypedScratchDouble()
    f.spy.save.returns(true).throws(.failed)
    let typed: any TypedScratch = f
    same(try await typed.save(scratch), true)
    await #expect(throws: Failing.failed) { try await typed.save(other) }
    #expect(f.spy.save.calls[1] === other)
  }

  @Test func `are returned`() async throws {
    let a = LoadsScratchDouble()
    a.spy.load.when("a").returns(scratch)
    a.spy.load.when("b").throws(Plain())
    let loading: any LoadsScratch = a
    #expect(try await loading.load("a") === scratch)
    await #expect(throws: Plain.self) { _ = try await loading.load("b") }
    same(a.spy.load.calls, ["a", "b"])
    let b = ScratchPropertyDouble()
    b.spy.scratch.returns(scratch)
    #expect(await (b as any ScratchProperty).scratch === scratch)
    let c = ScratchSubscriptDouble()
    c.spy.subscript.returns(1)
    same(await (c as any ScratchSubscript)[scratch], 1)
    #expect(c.spy.subscript.calls[0] === scratch)
    let d = InoutScratchDouble()
    let changing: any InoutScratch = d
    var value = scratch
    await changing.fill(&value)
    #expect(value === scratch)
    d.spy.fill.returns(other)
    await changing.fill(&value)
    #expect(value === other)
    same(d.spy.fill.callCount, 2)
    let e = GivesClosuresDouble()
    var seen = 0
    e.spy.handler.returns { seen += 1 }
    await (e as any GivesClosures).handler(for: "e")()
    same(seen, 1)
    same(e.spy.handler.calls, ["e"])
  }

  @Test func `are values of any type, protocols and pointers`() async throws {
    let a = PostsBodiesDouble()
    a.spy.post.returns(2)
    same(try await (a as any PostsBodies).post(["a": 1]) as? Int, 2)
    same(a.spy.post.calls[0]["a"] as? Int, 1)
    let b = PostsTwiceDouble()
    b.spy.post.returns([3, "b"])
    same(await (b as any PostsTwice).post("b", scratch).count, 2)
    same(b.spy.post.calls[0].0 as? String, "b")
    #expect(b.spy.post.calls[0].1 === scratch)
    let c = TakesExistentialsDouble()
    let answer = SavesScratchDouble()
    let argument = GivesClosuresDouble()
    c.spy.send.returns(answer)
    #expect(await (c as any TakesExistentials).send(argument) as? SavesScratchDouble === answer)
    #expect(c.spy.send.calls[0] as? GivesClosuresDouble === argument)
    let d = PointerScratchDouble()
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { bytes.deallocate() }
    d.spy.read.returns(4)
    same(await (d as any PointerScratch).read(bytes, count: 1), 4)
    #expect(d.spy.read.calls[0] == (UnsafeRawPointer(bytes), 1))
    let e = TakesSelflessDouble<Scratch>()
    func send<It: TakesSelfless>(_ item: It.Item, to it: It) async throws -> It.Item {
      try await it.send(item)
    }
    e.spy.send.returns(other)
    #expect(try await send(scratch, to: e) === other)
    #expect(e.spy.send.calls[0] === scratch)
  }

  @Test func `belong to doubles that are Sendable`() async throws {
    let a = SharedScratchDouble()
    a.spy.save.returns(Unchecked(other))
    #expect(try await (a as any SharedScratch).save(scratch) === other)
    #expect(a.spy.save.calls[0].value === scratch)
    let b = SharedItemsDouble<Int>()
    func send<It: SharedItems>(_ item: It.Item, to it: It) async throws -> [It.Item] {
      try await it.send(item, scratch)
    }
    b.spy.send.returns([2])
    same(try await send(1, to: b), [2])
    same(b.spy.send.calls.map(\.0), [1])
    #expect(b.spy.send.calls[0].1.value === scratch)
    let c = ConcurrentScratchDouble()
    c.spy.save.returns(3)
    same(await (c as any ConcurrentScratch).save(Scratch()), 3)
    same(c.spy.save.callCount, 1)
    let d = SharedGetterDouble()
    let document = Document(text: "d")
    d.spy.document.returns(Unchecked(document))
    #expect(try await (d as any SharedGetter).document === document)
  }

  @Test func `belong to actors`() async {
    let double = ActorScratchDouble()
    double.spy.save.returns(1)
    func save<It: ActorScratch>(in it: isolated It) async -> Int { await it.save(Scratch()) }
    same(await save(in: double), 1)
    same(double.spy.save.callCount, 1)
  }

  @MainActor @Test func `belong to the main actor`() async {
    let double = MainScratchDouble()
    double.spy.save.does { $0 }
    #expect(await (double as any MainScratch).save(scratch) === scratch)
    #expect(double.spy.save.calls[0] === scratch)
  }
}
