// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Closures` {
  @Test func `that escape are recorded`() async {
    let a = EscapingClosureDouble()
    var sum = 0
    a.later { sum += $0 }
    a.spy.later.calls[0](3)
    same(sum, 3)
    let b = OptionalClosureDouble()
    b.spy.finish.returns(true)
    same(b.finish(nil), true)
    #expect(b.spy.finish.calls[0] == nil)
    let c = SendableClosureDouble()
    c.later { _ in }
    same(c.spy.later.callCount, 1)
    let d = AsyncClosureDouble()
    await d.later { Item(id: $0) }
    same(try? await d.spy.later.calls[0](7), Item(id: 7))
    let e = MainActorClosureDouble()
    e.later { _ in }
    same(e.spy.later.callCount, 1)
    let f = NestedClosureDouble()
    f.spy.wrap.returns(2)
    same(f.wrap { $0(1) }, 2)
    let g = ClosureResultClosureDouble()
    g.spy.wrap.does { body in { body(1)($0) } }
    same(g.wrap { a in { a + $0 } }(2), 3)
    let h = ConventionCDouble()
    h.spy.register.returns(2)
    same(h.register { $0 + 1 }, 2)
    same(h.spy.register.calls[0](1), 2)
  }

  @Test func `that must not escape go to the answering function`() async throws {
    var seen: [Int] = []
    let a = NonEscapingClosureDouble()
    a.each { seen.append($0) }
    a.spy.each.returns { body in body(5) }
    a.each { seen.append($0) }
    same(seen, [5])
    same(a.spy.each.callCount, 2)
    let b = NonEscapingResultDouble()
    b.spy.first.when([1, 2]).returns { test in test(2) ? 2 : nil }
    same(b.first(in: [1, 2]) { $0 == 2 }, 2)
    let c = NonEscapingAsyncDouble()
    c.spy.each.returns { body in await body(6) }
    await c.each { seen.append($0) }
    same(seen, [5, 6])
    let d = NonEscapingThrowingDouble()
    d.spy.attempt.returns { body in try body(1) }
    #expect(throws: Plain.self) { try d.attempt { _ in throw Plain() } }
    let e = InoutClosureDouble()
    e.spy.update.returns { body in
      var value = 1
      body(&value)
      return value == 2
    }
    same(e.update { $0 += 1 }, true)
    let f = TwoClosuresDouble()
    same(f.either({ 1 }, or: { 2 }), 1)
    f.spy.either.returns { left in left() + 1 }
    same(f.either({ 1 }, or: { 2 }), 2)
    same(f.spy.either.calls[0](), 2)
    let g = BuilderArgumentDouble()
    g.spy.list.returns { content in content().count }
    same(
      g.list {
        "a"; "b"
      }, 2)
    let h = RethrowingDouble()
    h.spy.each.returns { body in try? body(8) }
    h.each { seen.append($0) }
    same(seen, [5, 6, 8])
    let i = AliasedClosureDouble()
    i.spy.each.returns { body in body(9) }
    i.each { seen.append($0) }
    same(seen, [5, 6, 8, 9])
  }

  @Test func `that are autoclosures are evaluated`() {
    let a = AutoclosureDouble()
    a.spy.assume.when(true).returns(1)
    same(a.assume(1 < 2), 1)
    let b = EscapingAutoclosureDouble()
    b.assume("x" + "y")
    same(b.spy.assume.calls, ["xy"])
    let c = ThrowingAutoclosureDouble()
    func fail() throws -> Bool { throw Plain() }
    c.spy.assume.returns(2)
    same(c.assume(true), 2)
    #expect(throws: Plain.self) { try c.assume(try fail()) }
    let d = VoidAutoclosureDouble()
    d.spy.log.returns(true)
    var count = 0
    same(d.log(count += 1), true)
    same(count, 1)
    same(d.spy.log.callCount, 1)
  }

  @Test func `without parameters are run`() async throws {
    let a = RethrowingRunDouble()
    same(a.locked { "x" }, "x")
    #expect(throws: Plain.self) { try a.locked { throw Plain() } }
    same(a.spy.locked.callCount, 2)
    let b = RethrowingMapDouble()
    b.spy.map.returns(["a"])
    same(b.map { "\($0)" }, ["a"])
    let c = RethrowingAsyncDouble()
    same(await c.locked { 3 }, 3)
    same(c.spy.locked.callCount, 1)
    let d = TypedRethrowingDouble()
    same(d.run { 4 }, 4)
    #expect(throws: LoadError.busy) { try d.run { () throws(LoadError) in throw .busy } }
    same(d.spy.run.callCount, 2)
  }

  @Test func `of result builders`() {
    let a = BuilderRequirementDouble()
    a.spy.list.returns(["x"])
    same(a.list(1), ["x"])
    let b = BuilderPropertyDouble()
    b.spy.list.returns(["y"])
    same(b.list, ["y"])
  }
}
