// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Members that are declared again have one spy` {
  @Test func `of raw values`() {
    func make<It: RawRepresentable>(_: It.Type, _ raw: It.RawValue) -> It? { It(rawValue: raw) }
    let a = make(RestatedRawWithoutDouble.self, 1)
    a?.spy.rawValue.returns(2)
    same(a?.rawValue, 2)
    same(RestatedRawWithoutDouble.spy.initialize.calls, [1])
    RestatedWhereDouble.spy.initialize.when("a").returns(())
    RestatedWhereDouble.spy.initialize.when("b").returns(nil)
    let b = make(RestatedWhereDouble.self, "a")
    b?.spy.rawValue.returns("c")
    same(b?.rawValue, "c")
    #expect(make(RestatedWhereDouble.self, "b") == nil)
    same(RestatedWhereDouble.spy.initialize.calls, ["a", "b"])
  }

  @Test func `of the standard library's protocols`() {
    let one = RestatedCasesDouble()
    func cases<It: RestatedCases>(of _: It.Type) -> [It] { It.allCases }
    RestatedCasesDouble.spy.allCases.returns(Unchecked([one]))
    #expect(cases(of: RestatedCasesDouble.self).first === one)
    let two = RestatedDescriptionDouble()
    two.spy.description.returns("two")
    same("\(two)", "two")
    same((two as any RestatedDescription).description, "two")
    let three = RestatedHashDouble()
    same(Set([three, three]).count, 1)
    three.spy.hash.does { hasher in
      var hasher = hasher
      hasher.combine(3)
      return hasher
    }
    var hasher = Swift.Hasher()
    var expected = hasher
    (three as any RestatedHash).hash(into: &hasher)
    expected.combine(3)
    same(hasher.finalize(), expected.finalize())
  }

  @Test func `of a coding key`() {
    typealias Key = RestatedKeyDouble
    func make<It: CodingKey>(_: It.Type) -> [It?] { [It(stringValue: "a"), It(intValue: 1)] }
    Key.spy.initializeStringValue.returns(())
    Key.spy.initialize.returns(nil)
    let keys = make(Key.self)
    same(keys.map { $0 == nil }, [false, true])
    same(Key.spy.initializeStringValue.calls, ["a"])
    same(Key.spy.initialize.calls, [1])
    let double = Key()
    double.spy.stringValue.returns("b")
    double.spy.intValue.returns(2)
    let it: any RestatedKey = double
    same(it.stringValue, "b")
    same(it.intValue, 2)
  }

  @Test func `with a type for an associated type`() throws {
    let a = RestatedDouble<Int>()
    func ends<It: Restated>(of it: It) throws -> [It.Item] { try it.last(it.first()) }
    a.spy.first.returns(1)
    a.spy.last.does { [$0, 2] }
    same(try ends(of: a), [1, 2])
    same(a.spy.last.calls, [1])
    func items<It: RestatedParent>(of it: It) -> [It.Item] { [it.item()] + it.all }
    let b = RestatedParentDouble<Int>()
    b.spy.item.returns(1)
    b.spy.all.returns([2, 3])
    same(items(of: b), [1, 2, 3])
    let c = RestatedChildDouble()
    c.spy.item.returns("a")
    c.spy.all.returns(["b"])
    same(items(of: c), ["a", "b"])
    same((c as any RestatedChild).item(), "a")
    let d = RestatedGrandchildDouble()
    d.spy.item.returns("c")
    d.spy.all.returns(["d"])
    same(items(of: d), ["c", "d"])
    let it: any RestatedGrandchild = d
    same([it.item()] + it.all, ["c", "d"])
  }
}
