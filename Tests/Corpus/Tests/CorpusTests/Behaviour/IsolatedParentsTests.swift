// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Isolated protocols with parents on no actor` {
  @Test func `are actors`() async {
    let double = ActorOfOthersDouble<Int>()
    let it: any ActorOfOthers = double
    double.spy.loadIntAsync.when(1).returns(2)
    double.spy.load.when(3).returns("a")
    same(await it.load(1) as Int, 2)
    same(it.load(3) as String, "a")
    func id<It: Identifiable>(of it: It) -> It.ID { it.id }
    double.spy.id.returns(7)
    same(id(of: double), 7)
    double.title = "t"
    same(it.title, "t")
    same(double.spy.title.sets.calls, ["t"])
    await it.ping()
    same(double.spy.ping.callCount, 1)
  }

  @Test func `are on the main actor`() async throws {
    let double = OtherOfMainDouble<Int>()
    let it: any OtherOfMain = double
    double.spy.more.returns(1)
    double.spy.show.returns(2)
    double.spy.load.when(3).returns("a")
    await MainActor.run {
      let it: any OtherOfMain = double
      same([it.more(), it.show()], [1, 2])
    }
    same(it.load(3), "a")
    func id<It: Identifiable>(of it: It) -> It.ID { it.id }
    double.spy.id.returns(7)
    same(id(of: double), 7)
    double.title = "t"
    same(it.title, "t")
    await it.ping()
    same(double.spy.ping.callCount, 1)
  }

  @MainActor @Test func `are compared on no actor`() {
    typealias Text = MainComparableDouble
    Text.spy.initialize.when("a").returns(())
    Text.spy.initialize.when("b").returns(nil)
    Text.spy.less.returns(true)
    func make<It: LosslessStringConvertible>(_: It.Type) -> [It?] { [It("a"), It("b")] }
    let made = make(Text.self)
    same(made.map { $0 == nil }, [false, true])
    func least<It: Comparable & CaseIterable>(_: It.Type) -> It? { It.allCases.min() }
    let double = Text()
    let other = Text()
    Text.spy.allCases.returns([other, double])
    #expect(least(Text.self) === double)
    same(Text.spy.less.callCount, 1)
    double.spy.show.returns(3)
    same((double as any MainComparable).show(), 3)
    same("\(double)", "MainComparableDouble")
  }

  @MainActor @Test func `send values that are not Sendable`() async {
    let document = Document(text: "d")
    let a = AsyncOnMainDouble()
    let first: any AsyncOnMain = a
    a.spy.find.when(1).returns(document)
    a.spy.count.when(2).returns(3)
    await first.lend(document)
    #expect(a.spy.lend.calls[0] === document)
    #expect(await first.find(1) === document)
    same(await first.count(2), 3)
    let b = SharedMembersOnMainDouble()
    let second: any SharedMembersOnMain = b
    b.spy.lend.returns(4)
    same(await second.lend(document), 4)
    #expect(b.spy.lend.calls[0].value === document)
    b.spy.find.when(5).returns(Unchecked(document))
    #expect(await second.find(5) === document)
  }

  @Test func `get isolated closures`() async {
    let double = SharedMembersOnMainDouble()
    let it: any SharedMembersOnMain = double
    it.run {}
    it.cook { _ in }
    same(double.spy.run.callCount + double.spy.cook.callCount, 2)
    let order = Mark()
    double.spy.run.returns { body in MainActor.assumeIsolated { body() } }
    await MainActor.run { it.run { order.isSet = true } }
    same(await order.isSet, true)
    var document = Document(text: "a")
    double.spy.take.does { Unchecked(Document(text: $0.value.text + "b")) }
    it.take(&document)
    same(document.text, "ab")
    same(double.spy.take.calls.map(\.value.text), ["a"])
  }
}

@MainActor private final class Mark {
  nonisolated init() {}
  var isSet = false
}

@Suite struct `Parents and their children` {
  @Test func `change their properties`() {
    let a = ChangingDouble()
    let b = ChangingClassDouble()
    func change<It: Changing>(_ it: It) -> Int {
      var it = it
      it.count += 2
      it.reset()
      return it.count
    }
    a.count = 1
    same(change(a), 3)
    same(a.spy.count.sets.calls, [1, 3])
    same(a.spy.reset.callCount, 1)
    b.count = 4
    same(change(b), 6)
    (b as any ChangingClass).close()
    same(b.spy.reset.callCount + b.spy.close.callCount, 2)
  }

  @Test func `differ in effects`() async throws {
    LenientDouble.spy.initialize.returns(nil, then: ())
    func make<It: Lenient>(_: It.Type) -> [It?] { [It(1), It(2)] }
    let lenients = make(LenientDouble.self)
    same(lenients.map { $0 == nil }, [true, false])
    same(LenientDouble.spy.initialize.calls, [1, 2])
    let a = try #require(lenients[1])
    let first: any Lenient = a
    a.spy.name.returns("a")
    a.spy.log.throws(.busy)
    a.spy.subscript.when(3).returns(4)
    same(try await first.name, "a")
    #expect(throws: LoadError.busy) { try first.log() }
    same(first[3], 4)
    try first.close()
    await first.run()
    await MainActor.run { a.show() }
    same(a.spy.close.callCount + a.spy.run.callCount + a.spy.show.callCount, 3)
    func makeStrict<It: Strict>(_: It.Type) -> It { It(5) }
    let b = makeStrict(StrictDouble.self)
    same(StrictDouble.spy.initialize.calls, [5])
    var second: any Strict = b
    second.name = "b"
    same(second.name, "b")
    b.spy.subscript.returns(6)
    second[7] += 1
    same(b.spy.subscriptSet.calls.map { [$0, $1] }, [[7, 7]])
    b.spy.log.throws(Plain())
    #expect(throws: Plain.self) { try second.log() }
    second.close()
    second.run()
    second.show()
    same(b.spy.close.callCount + b.spy.run.callCount + b.spy.show.callCount, 3)
  }
}
