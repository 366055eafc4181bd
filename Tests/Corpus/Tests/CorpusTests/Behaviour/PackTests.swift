// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Values whose type contains a pack` {
  @Test func `are recorded whole`() throws {
    let double = PackInsideDouble()
    double.spy.open.returns(2)
    same(double.open(Many<Int, String>()), 2)
    #expect(double.spy.open.calls.first is Many<Int, String>)
    double.openAll(Many<Int>(), Many<Int>(), or: nil)
    same(double.spy.openAll.calls.first?.0.count, 2)
    double.spy.rows.returns(3)
    same(double.rows([(1, "a"), (2, "b")]), 3)
    let rows = try #require(double.spy.rows.calls.first as? [(Int, String)])
    same(rows.map(\.1), ["a", "b"])
    double.spy.row.returns(4)
    same(double.row((1, "a"), or: (2, "b")), 4)
    let row = try #require(double.spy.row.calls.first?.0 as? (Int, String))
    #expect(row == (1, "a"))
    double.spy.type.returns(true)
    same(double.type((Int, String).self), true)
    #expect(double.spy.type.calls.first as? (Int, String).Type == (Int, String).self)
    double.spy.value.returns(5)
    same(double.value((1, "a")), 5)
    let value = try #require(double.spy.value.calls.first as? (Int, String))
    #expect(value == (1, "a"))
    double.spy.lists.returns(6)
    same(double.lists([1], ["a", "b"]), 6)
    same(double.spy.lists.calls.first?.last as? [String], ["a", "b"])
  }

  @Test func `have a new value of a stub`() {
    let double = PackInsideDouble()
    double.spy.change.returns((2, "b"))
    var row = (1, "a")
    double.change(&row)
    #expect(row == (2, "b"))
  }
}

@Suite struct `Functions that take a pack` {
  @Test func `are not recorded, but their calls are`() {
    let optional = PackOptionalClosureDouble()
    optional.on { (_: Int, _: String) in }
    same(optional.spy.on.callCount, 1)
    let double = PackFunctionsDouble()
    double.spy.each.returns(1)
    same(double.each({ (_: Int) in 1 }, { (_: String) in 2 }), 1)
    double.spy.later.returns(2)
    same(double.later({ (_: Int) in 1 }, { (_: String) in 2 }), 2)
    double.spy.list.returns(3)
    same(double.list([{ (_: Int, _: String) in }], count: 7), 3)
    same(double.spy.list.calls, [7])
  }
}
