// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Code that symbol graphs write in two ways` {
  private struct Shown: Equating, Error {
    var number: Int
  }

  @Test func `the handler runs closures in parentheses and with aliases`() {
    let double = CallbacksByNameDouble()
    double.spy.load.returns { callback, done in
      callback(.success(7))
      done()
    }
    var results: [Int] = []
    double.load({ results.append((try? $0.get()) ?? 0) }, { results.append(8) })
    same(results, [7, 8])
    let brackets = FunctionsInBracketsDouble()
    brackets.spy.run.returns { body in
      body()
      return 1
    }
    _ = brackets.run({ results.append(9) }, [{}], 1, 2)
    same(results, [7, 8, 9])
    same(brackets.spy.run.calls.map(\.1), [[1, 2]])
  }

  @Test func `protocols without any are stored, even if they are not Sendable`() {
    let double = WithoutAnyDouble()
    double.spy.join.returns(Unchecked(Shown(number: 3)))
    let joined = double.join(nil, [Shown(number: 1)], Shown(number: 2))
    same((joined as? Shown)?.number, 3)
    same(double.spy.join.calls.map(\.1.value.count), [1])
  }

  @Test func `types of C`() {
    let double = ForeignTypesDouble()
    double.spy.wait.returns(7)
    same(double.wait(for: 3, .init()), 7)
    same(double.spy.wait.calls.map(\.0), [3])
  }

  @Test func `closures that run elsewhere`() async {
    let double = RunsElsewhereDouble()
    await double.run({ 1 }, {})
    same(double.spy.run.callCount, 1)
    double.all([{ 2 }], { 3 })
    same(double.spy.all.calls.map(\.0.count), [1])
  }

  @Test func `types that are made of other associated types`() {
    let double = MadeOfOthersDouble<String>()
    double.spy.table.when(["a"], "b").returns(["b": ["c"]])
    same(double.table(of: ["a"], "b"), ["b": ["c"]])
  }

  @Test func `a requirement that is declared again for a type is one requirement`() {
    let restating = RestatingDouble()
    restating.spy.first.returns("a")
    restating.spy.last.does { [$0] }
    func ends<Of: Restated>(of restated: Of) throws -> [Of.Item] {
      try restated.last(restated.first())
    }
    same(try? ends(of: restating), ["a"])
    same(restating.spy.last.calls, ["a"])
    // An associated type that the clauses determine is no parameter of the forwarding initialiser.
    let front = RestatingDouble(forwardingTo: restating)
    same(front.first(), "a")
    same(restating.spy.first.callCount, 2)
  }

  @Test func `an opaque type is stored as its own type`() {
    let opaque = OpaqueClassDouble()
    opaque.spy.show.does { $0.text.count }
    same(opaque.show(Document(text: "four")), 4)
    let generic = OpaqueOfGenericDouble()
    generic.spy.add.returns(3)
    same(generic.add(2, to: PrimaryAssociatedDouble<Int>()), 3)
    let kind = KindOfCompositionDouble()
    kind.spy.kind.returns(Square.self)
    same(kind.kind() == Square.self, true)
    let lock = SendingInClosuresDouble()
    lock.spy.with.returns(4)
    same(lock.with { (_: inout sending Int) in 3 }, 4)
  }

  @Test func `static overloads with the same title have a spy each`() {
    StaticOverloadsDouble.level = 1
    StaticOverloadsDouble.level(2)
    same(StaticOverloadsDouble.spy.levelSet.calls, [1])
    same(StaticOverloadsDouble.spy.levelInt.calls, [2])
  }

  @Test func `protocols of the platform are inherited`() {
    let explained = ExplainedItselfDouble()
    explained.spy.errorDescription.returns("torn")
    same((explained as any Error).localizedDescription, "torn")
    let other = ExplainedDouble()
    other.spy.code.returns(7)
    same(other.code, 7)
    same(other.failureReason, nil)
    let watched = WatchedDouble()
    watched.seats = 3
    same(watched.spy.seats.sets.calls, [3])
    let key = ColumnKeyDouble(stringValue: "width")
    key?.spy.stringValue.returns("width")
    same(key?.stringValue, "width")
    same(ColumnKeyDouble.spy.initializeStringValue.calls, ["width"])
  }
}
