// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of protocols with a superclass` {
  private final class Window: Frame, FramedChild {
    override init() {
      super.init()
      title = "window"
    }
    func hidden() -> String { "hidden" }
    func show(_ id: Int) throws -> String { "\(id)" }
  }

  @Test func `leave to the class the requirements that it fulfils`() throws {
    let a = FramedDouble()
    a.spy.show.when(1).returns("one")
    a.spy.hidden.returns("a")
    let it: any Framed = a
    it.title = "b"
    same(a.title, "b")
    same(it.width(), 2)
    same(it.hidden(), "a")
    same(try it.show(1), "one")
    same((it as Frame).close(), 1)
    same(a.spy.show.calls, [1])
  }

  @Test func `are subclasses of the class of a parent`() async throws {
    let a = FramedChildDouble(forwardingTo: Window())
    let it: any FramedChild = a
    same(try it.show(7), "7")
    same(it.hidden(), "hidden")
    same(await it.close(), 1)
    same(a.title, "frame")
    same(a.spy.show.calls, [7])
    let b = PanelledDouble()
    b.spy.show.returns("b")
    let panel: any Panelled = b
    same(panel.close() + panel.tilt() + panel.count, 10)
    same(try await panel.show(1), "b")
  }

  @Test(.relaxed) func `override the members that do not fulfil a requirement`() {
    let a = CountedDouble()
    a.spy.check.when(3).returns(true)
    let it: any Counted = a
    it.count = 5
    same((it as Frame).count, 5)
    let check: (Int) -> Bool = it.check
    same([check(3), check(4)], [true, false])
    same(try? (it as Frame).check(3), true)
    same(a.spy.count.sets.calls, [5])
    same(a.spy.check.calls, [3, 4, 3])
  }

  @Test func `override a subscript whose setter only the class can call`() {
    let a = DoorsDouble()
    a.spy.subscript.when(2).returns(3)
    a.spy.shut.returns(4)
    a.spy.open.returns(5)
    let it: any Doors = a
    it[2] = 6
    same([it[2], (it as Door)[2]], [3, 3])
    same(a.spy.subscriptSet.calls.map { [$0, $1] }, [[2, 6]])
    a.spy.peek.returns(6)
    same([it.shut("door"), it.open(1), it.width, it.peek()], [4, 5, 18, 6])
  }

  @Test func `override members that the requirements narrow`() throws {
    let a = AlmanacsDouble()
    let panel = Panel()
    a.spy.find.when(1).returns(2)
    a.spy.frame.returns(panel)
    a.spy.subscript.returns(3)
    let it: any Almanacs = a
    let (find, row): ((Int?) -> Int, Int) = (it.find, it[4])
    same([find(1), row], [2, 3])
    #expect((it.frame([]) as Panel) === panel)
    let almanac: Almanac = a
    same(try almanac.find(1), 2)
    same(almanac[5], 3)
    same(a.spy.find.calls, [1, 1])
  }

  @Test @MainActor func `are on the actor of the class, or of their requirements`() async {
    let a = SurfacedDouble()
    a.spy.draw.returns(3)
    a.spy.name.returns("a")
    let it: any Surfaced = a
    it.alpha = 2
    same([it.draw("x"), a.alpha], [3, 2])
    same(it.name(), "a")
    let b = FramedOnMainDouble()
    b.spy.draw.returns(4)
    b.spy.load.returns(5)
    let frame: any FramedOnMain = b
    same(frame.draw("y"), 4)
    same(await frame.load(), 5)
  }

  @Test func `have the arguments of a generic class`() {
    let a = ShelvedDouble()
    a.spy.first.returns("f")
    a.items = ["x", "y"]
    let it: any Shelved = a
    same(it.takeLast(), "y")
    same(it.items + [it.first()], ["x", "f"])
    let b = ShelvedByDouble<Int>()
    b.spy.swap.does { $0 + 1 }
    func swap<It: ShelvedBy>(_ it: It, _ good: It.Good) -> It.Good { it.swap(good) }
    same(swap(b, 1), 2)
    same(b.takeLast(), nil)
  }

  private final class RealLatch: Latch, Latched, @unchecked Sendable {
    func lock(_ id: Int) async -> Bool { id > 1 }
  }

  @Test func `are as Sendable as the protocol or the class`() async throws {
    let tape = try Cassette(named: "latch", mode: .live)
    let a = LatchedDouble(tape: tape, live: RealLatch())
    let it: any Latched & Sendable = a
    same(await Task { await it.lock(2) }.value, true)
    same(a.spy.lock.calls, [2])
    let b = SharedFrameDouble()
    b.spy.load.returns("b")
    b.spy.keep.does { $0 }
    let frame: any SharedFrame = b
    same(try await Task { try frame.load(1) }.value, "b")
    let document = Document(text: "d")
    #expect(frame.keep(document) === document)
  }

  @Test func `are made as the class is`() {
    let a = StrippedDouble(length: 4)
    a.spy.cut.returns(2)
    let it: any Stripped = a
    same([it.length, it.cut(1)], [4, 2])
    same((it as any Named).name, "strip")
    let b = OfSealedDouble()
    b.spy.open.returns(1)
    same((b as any OfSealed).open(), 1)
  }

  @Test func `have other names for the spies than the class has members`() async throws {
    let a = ClerksDouble()
    a.spies.own.returns(1)
    a.spies.rest.when(2).returns(true)
    let it: any Clerks = a
    same([it.own(), it[3], try await it.serve(), a.spy], [1, 3, 10, 8])
    same(try it.rest(2), true)
    func make<It: Clerks>(_: It.Type) -> It { It(number: 12) }
    same(make(ClerksDouble.self).number, 12)
  }

  @Test func `have the initialisers of the protocol, too`() throws {
    func make<It: MadeClerks>(_: It.Type) throws -> [It?] {
      [It(name: "n"), try It(code: 1), try It(code: 2)]
    }
    MadeClerksDouble.spies.initialize.when(1).returns(())
    MadeClerksDouble.spies.initialize.when(2).returns(nil)
    MadeClerksDouble.spies.count.returns(3)
    let all = try make(MadeClerksDouble.self)
    same(all.map { $0?.number }, [10, 10, nil])
    same(MadeClerksDouble.count(), 3)
    same(MadeClerksDouble.spies.initializeName.calls, ["n"])
    #expect(all[0] != all[1])
    same(Set(all.compactMap { $0 }).count, 2)
    let data = try JSONEncoder().encode(all[0])
    same(try JSONDecoder().decode(MadeClerksDouble.self, from: data).number, 10)
  }
}

@Suite struct `Doubles of protocols whose superclass has members like the requirements` {
  @Test(.relaxed) func `have the types that the class has for associated types`() {
    let a = PostsDouble(id: UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID())
    a.spy.send.returns(true)
    func id<It: Posts>(_ it: It) -> It.ID { it.id }
    same(id(a), a.id)
    same((a as any Posts).send(1), true)
    func next<It: Sequenced>(_ it: It) -> It.Number { it.next() }
    same(next(NumberedPostsDouble()), 12)
    same(next(FreePostsDouble()), 12)
    let b = NamedPostsDouble()
    b.spy.next.returns("n")
    same(next(b), "n")
    let number: Int = (b as Post).next()
    same(number, 12)
    let c = TakingFrameDouble<String>()
    c.spy.check.when("x").returns(true)
    func check<It: Taking>(_ it: It, _ item: It.Item) -> Bool { it.check(item) }
    same([check(c, "x"), check(c, "y")], [true, false])
  }

  @Test func `are equal as the class says, and equal doubles have equal hashes`() {
    let all = [EqualPostsDouble(), EqualPostsDouble()]
    same(all[0], all[1])
    same(Set(all).count, 1)
  }

  @Test func `leave properties to a subclass of a generic class`() {
    let a = BookshelvesDouble()
    a.spy.read.returns("r")
    let it: any Bookshelves = a
    it.items = ["i"]
    same(a.items + [it.read(1)], ["i", "r"])
    let b = LargestShelfDouble()
    b.spy.largest.returns(nil)
    #expect((b as any LargestShelf).largest() == nil)
    same(b.spy.largest.calls.count, 1)
  }

  @Test func `have initialisers and functions beside those of the class`() async throws {
    func make<It: Kettles>(_: It.Type) throws -> [It] { [try It(kind: 1), It(code: 2)] }
    let all = try make(KettlesDouble.self)
    same(KettlesDouble.spy.initializeKind.calls, [1])
    same(KettlesDouble.spy.initialize.calls, [2])
    let a = all[0]
    a.spy.boil.returns(3)
    a.spy.pour.throws(Weakness())
    a.spy.fill.returns(4)
    let it: any Kettles = a
    same(it.volumes, [1])
    same([await it.boil(), try it.fill(required: 1, final: 2)], [3, 4])
    await #expect(throws: Weakness.self) { try await it.pour() }
    same(try (it as Kettle).fill(required: 1, final: 2), 4)
  }

  @Test func `have the initialisers that their class inherits, if they do`() {
    func make<It: Binned>(_: It.Type) -> It { It(name: "n") }
    same([make(BinnedDouble.self).size, BinnedDouble().size], [14, 14])
    let a = CratesDouble(weight: 2)
    a.spy.open.when(1).returns(true)
    same((a as any Crates).open(1), true)
  }

  @Test(.relaxed) func `of the parents without the class have all requirements`() async {
    let a = SequencedDouble<Int>()
    a.spy.next.returns(2)
    func next<It: Sequenced>(_ it: It) -> It.Number { it.next() }
    same(next(a), 2)
    let b = TakingDouble<Int>()
    b.spy.check.when(1).returns(true)
    func check<It: Taking>(_ it: It, _ item: It.Item) -> Bool { it.check(item) }
    same([check(b, 1), check(b, 2)], [true, false])
    let c = AlphasDouble()
    c.spy.alpha.returns(3)
    same((c as any Alphas).alpha, 3)
    let d: any AsyncLazy = AsyncLazyDouble()
    same(await d.size, 1)
  }

  @Test @MainActor func `have the nonisolated initialiser of a class on an actor`() throws {
    let a = try JSONDecoder().decode(OfPanesDouble.self, from: Data("{}".utf8))
    a.spy.name.returns("p")
    let it: any OfPanes = a
    same(it.name(), "p")
    same(it.size, 17)
  }
}

@Suite struct `Doubles of protocols for objects` {
  @Test func `are subclasses of a class of objects`() async throws {
    let a = ControlsDouble()
    a.spy.show.returns("s")
    let it: any Controls = a
    same(it.load(), 11)
    same(await Task { it.show(1) }.value, "s")
    let b: any Objects = ObjectsDouble()
    #expect(b.isEqual(b) && b.hash == (b as NSObject).hash)
    #expect(b is ObjectsDouble)
  }

  @Test(.relaxed) func `are delegates`() async {
    let a = DelegatesDouble()
    a.spy.shouldLoad.when(1).returns(true)
    let it: any Delegates = a
    it.didLoad(3)
    same(
      [it.shouldLoad(1), it.shouldLoad(2), it.isEqual(it), it.isEqual("x")],
      [true, false, true, false])
    same(a.spy.didLoad.calls, [3])
    #expect((it as AnyObject) is NSObject)
    let b = SharedDelegatesDouble(forwardingTo: SharedDelegatesDouble())
    b.spy.didLoad.when(4).returns("four")
    let shared: any SharedDelegates = b
    same(await Task { await shared.didLoad(4) }.value, "four")
    let c = DelegatesOfDouble<Int>()
    func load<It: DelegatesOf>(_ it: It, _ owner: It.Owner) { it.didLoad(owner) }
    load(c, 5)
    same(c.spy.didLoad.calls, [5])
    same(Set([c, c]).count, 1)
  }

  @Test @MainActor func `are delegates on the main actor`() {
    let a = MainDelegatesDouble()
    a.spy.didLoad.returns(6)
    let it: any MainDelegates = a
    it.isOn = true
    same(it.didLoad(1), 6)
    same(a.spy.isOn.sets.calls, [true])
  }
}
