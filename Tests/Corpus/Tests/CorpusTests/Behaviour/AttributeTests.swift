// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Closures beside others` {
  @Test func `have their own attributes`() {
    let pointer = PointerBesideClosureDouble()
    var count = 0
    (pointer as any PointerBesideClosure).run({ count += 1 }, { $0 + 1 })
    same(pointer.spy.run.calls.map { $0(1) }, [2])
    let first = PointerFirstDouble()
    first.spy.run.returns()
    (first as any PointerFirst).run({ $0 + 2 }, {})
    same(first.spy.run.calls.map { $0.0(1) }, [3])
    let isolated = IsolatedBesideClosureDouble()
    (isolated as any IsolatedBesideClosure).run({}, { count += 1 })
    same(isolated.spy.run.calls.map { $0.isolation == nil }, [true])
    same(count, 2)
  }

  @Test func `throw the type that they declare`() {
    var count = 0
    let never = ThrowsNothingDouble()
    (never as any ThrowsNothing).run { count += 1 }
    same(count, 1)
    let inside = ThrowsInsideDouble<Plain>()
    inside.spy.run.returns { body in do throws(Plain) { try body() } catch {} }
    inside.run { () throws(Plain) in
      count += 10
      throw Plain()
    }
    same(count, 11)
    let through = ThrowsThroughDouble<Plain>()
    #expect(throws: Plain.self) { try through.run { () throws(Plain) in throw Plain() } }
    let anything = ThrowsAnythingDouble()
    #expect(throws: Plain.self) { try anything.run { throw Plain() } }
    anything.spy.load.throws(CancellationError())
    #expect(throws: CancellationError.self) { try anything.load() }
  }

  @Test func `a generic parameter may have the name Type`() {
    let double = ParameterNamedTypeDouble()
    double.spy.count.returns(3)
    double.spy.keep.returns(4)
    same((double as any ParameterNamedType).count(Int.self), 3)
    same((double as any ParameterNamedType).keep(1), 4)
    same(double.spy.count.calls.map { $0 == Int.self }, [true])
  }

  @Test func `a call that can never happen has no body`() {
    let double = TakesNothingDouble()
    double.spy.count.when(nil).returns(5)
    same((double as any TakesNothing).count(nil), 5)
  }

  @Test func `a double of the main actor is created anywhere`() {
    func make() -> ScreenDouble { ScreenDouble() }
    _ = make()
  }
}
