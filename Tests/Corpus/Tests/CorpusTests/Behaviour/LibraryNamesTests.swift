// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Names of the library in a protocol` {
  @Test func `an associated type has the name of a spy`() async throws {
    let double = AssociatedSpyDouble<Int>()
    double.spy.keep.when(1).returns(2)
    double.spy.load.returns(3)
    double.level = 4
    same(double.keep(1), 2)
    try await same(double.load(5), 3)
    same(double.spy.load.calls, [5])
    same(double.level, 4)
  }

  @Test func `associated types have the names of a double's nested types`() {
    let double = AssociatedPartsDouble<Int, String, Bool>()
    double.spy.use.returns(true)
    same(double.use(1, "a"), true)
    same(double.spy.use.calls.map(\.1), ["a"])
    AssociatedPartsDouble<Int, String, Bool>.spy.now.returns(7)
    same(AssociatedPartsDouble<Int, String, Bool>.now(), 7)
  }

  @Test func `an associated type has the name of the box for values that are not Sendable`() {
    let double = AssociatedUncheckedDouble<String>()
    double.spy.keep.returns(UnderstudyDoubles.Unchecked(1))
    same(double.keep(2, "a") as? Int, 1)
    same(double.spy.keep.calls.map(\.1), ["a"])
  }

  @Test func `associated types have the names of the standard library's protocols`() throws {
    let double = AssociatedWordsDouble<Int, Int, Int>()
    double.spy.load.throws(Plain())
    #expect(throws: Plain.self) { try double.load(1) }
  }

  @Test func `an associated type of static requirements has the name of the empty tuple`() throws {
    func use<It: StaticVoid>(_: It.Type, _ void: It.Void) throws -> [It.Void] {
      try It.take(void)
      It.void = void
      _ = It(void)
      return [It.make(), It.void]
    }
    let spy = StaticVoidDouble<Int>.spy
    spy.make.returns(UnderstudyDoubles.Unchecked(1))
    spy.void.returns(UnderstudyDoubles.Unchecked(2))
    same(try use(StaticVoidDouble<Int>.self, 3), [1, 2])
    let calls = [spy.take.calls, spy.voidSet.calls, spy.initialize.calls].joined()
    same(calls.map(\.value), [3, 3, 3])
  }

  @Test func `associated types have the names of the library and of a member`() {
    let double = AssociatedLibraryDouble<Int>()
    double.spy.keep.returns(1)
    same(double.keep(2), 1)
    let other = AssociatedMemberDouble<Int>()
    other.spies.keep.returns(3)
    same(other.keep(4), 3)
  }

  @Test func `requirements have the names of the library's types`() async throws {
    let double = RequiresLibraryDouble()
    double.spy.Spy.returns(1)
    double.spy.AsyncSpy.returns("a")
    double.spy.GenericSpy.returns(2)
    double.SpyProperty = 3
    double.spy.Unchecked.throws(Plain())
    same(double.Spy(), 1)
    try await same(double.AsyncSpy(4), "a")
    same(double.GenericSpy(5), 2)
    same(double.SpyProperty, 3)
    #expect(throws: Plain.self) { try double.Unchecked(6) }
  }

  @Test func `requirements have the names of a double's parts`() {
    let double = RequiresPartsDouble()
    double.spiesOfDoubleOfDouble.spy.returns(1)
    double.spiesOfDoubleOfDouble.Spies.returns(2)
    same([double.spy, double.Spies()], [1, 2])
    RequiresPartsDouble.spiesOfDoubleOfDouble.spies.returns(3)
    same(RequiresPartsDouble.spies(), 3)
  }

  @Test func `a requirement has the name of the function that traps`() {
    let double = RequiresTrapDouble()
    double.spy.fatalError.returns(1)
    same(double.fatalError("a"), 1)
    double.spy.load.throws(Plain())
    #expect(throws: Plain.self) { try double.load(Plain.self) }
  }

  @Test func `a protocol's extension has members with such names`() async {
    let double = ExtensionNamesDouble()
    double.spy.run.returns(1)
    double.spy.load.returns(2)
    same(double.run(3), 1)
    await same(double.load(4), 2)
    same(double.AsyncSpy(), 1)
  }

  @Test func `types of the module have the names of a double's nested types`() {
    let double = UsesOwnPartsDouble()
    double.spy.keep.returns(Spies(count: 2))
    same(double.keep(Spies(count: 1)).count, 2)
    UsesOwnPartsDouble.spy.share.returns(3)
    same(UsesOwnPartsDouble.share(StaticSpies(count: 4)), 3)
  }
}
