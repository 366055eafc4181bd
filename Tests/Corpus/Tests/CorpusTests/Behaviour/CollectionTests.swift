// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

/// Counts down to one.
private struct Countdown: AsyncIteratorProtocol, Sendable {
  var number: Int
  mutating func next() async -> Int? {
    defer { number -= 1 }
    return number > 0 ? number : nil
  }
}

@Suite struct `Doubles of sequences and collections` {
  private typealias Elements = IndexingIterator<[Int]>

  @Test func `have the elements of their iterator`() {
    let a = SequenceOfDouble<Int, Elements>()
    a.spy.makeIterator.returns([1, 2].makeIterator())
    a.spy.name.returns("a")
    func list<It: SequenceOf>(_ it: It) -> (String, [It.Element]) { (it.name(), Array(it)) }
    #expect(list(a) == ("a", [1, 2]))
    let b = LazyElementsDouble<Int, Elements>()
    b.spy.makeIterator.returns([1, 2].makeIterator())
    func twice<It: LazyElements>(_ it: It) -> [Int] where It.Element == Int {
      Array(it.map { $0 * 2 })
    }
    same(twice(b), [2, 4])
    same(b.spy.makeIterator.callCount, 1)
  }

  @Test func `have asynchronous elements`() async throws {
    let a = FixedAsyncElementDouble<Countdown>()
    a.spy.makeAsyncIterator.returns(Countdown(number: 3))
    func sum<It: FixedAsyncElement>(_ it: It) async throws -> Int {
      try await it.reduce(0) { $0 + $1 }
    }
    same(try await sum(a), 6)
    let b = NeverFailingDouble<Steady>()
    b.spy.makeAsyncIterator.returns(Steady(number: 2))
    b.spy.stop.returns(4)
    func all<It: NeverFailing>(_ it: It) async -> [Int] {
      var all: [Int] = []
      for await element in it { all.append(element) }
      return all + [it.stop()]
    }
    same(await all(b), [2, 1, 4])
  }

  @Test func `have elements at their indices`() {
    let a = CollectionKindDouble<Int, Int, Elements>()
    a.spy.name.returns("a")
    a.spy.startIndex.returns(1)
    a.spy.endIndex.returns(3)
    a.spy.index.does { $0 + 1 }
    a.spy.subscript.does { $0 * 10 }
    a.spy.makeIterator.returns([10, 20].makeIterator())
    func list<It: CollectionKind>(_ it: It) -> (String, Int, [It.Element], [It.Element]) {
      (it.name, it.count, it.map { $0 }, Array(it.makeIterator().rest))
    }
    #expect(list(a) == ("a", 2, [10, 20], [10, 20]))
    same(a.spy.subscript.calls, [1, 2])
    let b = RandomAccessDouble<Int, String, IndexingIterator<[String]>>()
    b.spy.startIndex.returns(0)
    b.spy.endIndex.returns(2)
    b.spy.index.does { $0 + 1 }
    b.spy.indexBefore.does { $0 - 1 }
    b.spy.subscript.does { "\($0)" }
    b.spy.makeIterator.returns(["0", "1"].makeIterator())
    func ends<It: RandomAccess>(_ it: It) -> [It.Element?] {
      [it.first, it.last, it[it.index(after: it.startIndex)]] + it.makeIterator().rest
    }
    same(ends(b), ["0", "1", "1", "0", "1"])
    same(b.spy.indexBefore.calls, [2])
    same(b.spy.index.calls, [0])
  }

  @Test func `replace their elements`() {
    typealias List = ReplaceableElementsDouble<Int, Int, Elements>
    func make<It: ReplaceableElements>(_: It.Type) -> It { It() }
    let double = make(List.self)
    same(List.spy.initialize.callCount, 1)
    double.spy.startIndex.returns(0)
    double.spy.endIndex.returns(2)
    double.spy.index.does { $0 + 1 }
    double.spy.subscript.does { $0 * 10 }
    double.spy.makeIterator.returns([0, 10].makeIterator())
    func change<It: ReplaceableElements>(_ it: It) where It.Element == Int, It.Index == Int {
      var it = it
      it.append(20)
      it.replaceSubrange(0..<1, with: [4, 5])
    }
    change(double)
    same(double.spy.replaceSubrange.calls.map(\.0), [2..<2, 0..<1])
    same(double.spy.replaceSubrange.calls[1].1 as? [Int], [4, 5])
    func list<It: ReplaceableElements>(_ it: It) -> [[It.Element]] {
      [it.map { $0 }, it.makeIterator().rest]
    }
    same(list(double), [[0, 10], [0, 10]])
  }

  @Test func `are sets`() {
    typealias Numbers = AlgebraDouble<Int, Int>
    func make<It: Algebra>(_: It.Type) -> [It] where It.ArrayLiteralElement == Int {
      [It(), [1, 2]]
    }
    let sets = make(Numbers.self)
    same(Numbers.spy.initialize.callCount, 1)
    same(Numbers.spy.initializeArrayLiteral.calls.map(\.value), [[1, 2]])
    let one = sets[0]
    let two = sets[1]
    let combinations = [one.spy.union, one.spy.intersection, one.spy.symmetricDifference]
    for spy in combinations { spy.returns(two) }
    func combine<It: Algebra>(_ one: It, _ two: It) -> [It] {
      var changed = one
      changed.formUnion(two)
      changed.formIntersection(two)
      changed.formSymmetricDifference(two)
      return [one.union(two), one.intersection(two), one.symmetricDifference(two)]
    }
    same(combine(one, two), [two, two, two])
    for spy in combinations { same(spy.calls, [two]) }
    same(one.spy.formUnion.calls + one.spy.formIntersection.calls, [two, two])
    same(one.spy.formSymmetricDifference.calls, [two])
    one.spy.contains.when(1).returns(true)
    one.spy.insert.does { (inserted: $0 > 2, memberAfterInsert: $0) }
    one.spy.remove.returns(3)
    one.spy.update.returns(nil)
    func change<It: Algebra>(_ it: It) -> [It.Element?] where It.Element == Int {
      var it = it
      let inserted = it.insert(2).memberAfterInsert
      return [it.contains(1) ? 1 : 0, inserted, it.remove(3), it.update(with: 4)]
    }
    same(change(one), [1, 2, 3, nil])
    same(one.spy.insert.calls + one.spy.remove.calls + one.spy.update.calls, [2, 3, 4])
  }

  @Test func `are ranges`() {
    let double = SpansDouble<Int>()
    double.spy.contains.when(1).returns(true)
    double.spy.contains.when(4).returns(false)
    double.spy.relative.returns(1..<3)
    func cut<It: Spans>(_ it: It) -> ArraySlice<String> where It.Bound == Int {
      ["a", "b", "c"][it]
    }
    same(cut(double), ["b", "c"])
    same(double.spy.relative.calls.map(\.count), [3])
    func contain<It: Spans>(_ it: It) -> [Bool] where It.Bound == Int { [it ~= 1, it ~= 4] }
    same(contain(double), [true, false])
  }
}

/// An iterator that cannot fail.
private struct Steady: AsyncIteratorProtocol, Sendable {
  typealias Failure = Never
  var number: Int
  mutating func next() async -> Int? { advance() }
  mutating func next(isolation: isolated (any Actor)?) async -> Int? { advance() }
  private mutating func advance() -> Int? {
    defer { number -= 1 }
    return number > 0 ? number : nil
  }
}

extension IteratorProtocol {
  fileprivate var rest: [Element] { Array(IteratorSequence(self)) }
}
