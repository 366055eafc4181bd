// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Names with several meanings` {
  @Test func `two types have the same name`() {
    let double = TwoSeatsDouble()
    double.spy.sell.when { $0.number == 1 }.returns(10)
    double.spy.lead.returns(2)
    same(double.sell(Corpus.Seat(number: 1)), 10)
    same(double.lead(CorpusBase.Seat()), 2)
    let lender = HiddenSeatDouble<String>()
    lender.spy.lend.when("a").returns(3)
    same(lender.lend("a"), 3)
  }

  @Test func `types have the names of the library's and Foundation's types`() throws {
    let double = CalledAsOthersDouble()
    double.spy.pass.returns(1)
    let url = try #require(URL(string: "a:b"))
    same(double.pass(Corpus.Gate(number: 1), Corpus.Notification(text: "x"), url), 1)
  }

  @Test func `setters beside members with such names`() {
    SetClashDouble.spy.levelSetReturningInt.returns(4)
    SetClashDouble.level = 3
    same(SetClashDouble.spy.levelSet.calls, [3])
    same(SetClashDouble.levelSet, 4)
    let double = SetClashDouble()
    double.spy.subscriptSetReturningInt.returns(5)
    double[1] = 2
    same(double.spy.subscriptSet.calls.map { [$0, $1] }, [[1, 2]])
    same(double.subscriptSet(), 5)
  }

  @Test func `parameters have the names of a body's variables`() {
    let double = NamedAsHelpersDouble()
    double[1] = 2
    same(double.spy.subscriptSet.calls.map { [$0, $1] }, [[1, 2]])
    double.log(message: "a", messageValue: 3)
    same(double.spy.log.calls.map(\.0), ["a"])
    double.pack(1, "b", allList: 4)
    same(double.spy.pack.calls.map(\.1), [4])
  }

  @Test func `an underscore as a name, and Self as the name of a parameter`() {
    let double = UnderscoreNameDouble()
    double.spy.`_`.when(1).returns(2)
    same(double.`_`(1), 2)
    double.spy.__.returns(3)
    same(double.__, 3)
    SelfNamesDouble.keep(4)
    same(SelfNamesDouble.spy.keep.calls, [4])
    let names = SelfNamesDouble()
    names.spy.subscript.returns(5)
    same(names[1], 5)
  }

  @Test func `a property has the name of a function with a default implementation`() {
    let double = LockOwnerDouble()
    double.spy.lock.returns(2)
    double.spy.lockFor.returns(4)
    same((double as any LockOwner).lock, 2)
    same(double.lock(), 3)
    same(double.lock(for: 1), 4)
    let locking = LockingDouble()
    locking.spy.lock.returns(5)
    same(locking.lock(), 5)
  }

  @Test func `operators, and names with any characters`() {
    UnicodeOperatorDouble.spy.squareRoot.returns(2)
    same(√UnicodeOperatorDouble(), 2)
    let double = `side/showDouble`()
    double.spy.play.returns(1)
    same(double.play(), 1)
    #expect(double == double)
  }

  @Test func `a main-actor protocol has parents on no actor`() async {
    let double = MainOfOthersDouble<Int>()
    double.spy.load.returns("a")
    double.spy.id.returns(7)
    // On no actor.
    let identifiable: some Identifiable<Int> = double
    same(identifiable.id, 7)
    same(double.load(1), "a")
    await MainActor.run {
      double.spy.show.returns(3)
      same(double.show(), 3)
    }
  }

  @Test func `metatypes, aliases and opaque types`() {
    let maker = OwnMetatypeDouble()
    maker.spy.of.returns(OwnMetatypeDouble.self)
    #expect(maker.of(OwnMetatypeDouble.self) == OwnMetatypeDouble.self)
    let tokens = AliasedTokenDouble()
    tokens.spy.pay.returns { Token(value: $0.value + 1) }
    same(tokens.pay(Token(value: 1))?.value, 2)
    let dice = OpaqueInoutDouble()
    dice.spy.roll.returns((6, SeededGenerator(seed: 1)))
    var source = SeededGenerator(seed: 2)
    same(dice.roll("a", &source), 6)
    let letters = GenericUnwrappedDouble()
    letters.spy.first.returns("a" as String?)
    same(letters.first(), "a")
    StaticGenericInoutDouble.spy.next.returns(([1, 2], 3))
    var value = 0
    same(StaticGenericInoutDouble.next(&value), [1, 2])
    same(value, 3)
  }

  @Test func `types have the names of Swift keywords`() {
    let double = WordsOfTypesDouble<Int>()
    double.spy.keep.returns(.init(number: 2))
    same(double.keep(.init(number: 1), []).number, 2)
    same(double.spy.keep.calls.map(\.0.number), [1])
    double.spy.look.returns([3])
    same(double.look(Pantry.self, 1), [3])
  }
}
