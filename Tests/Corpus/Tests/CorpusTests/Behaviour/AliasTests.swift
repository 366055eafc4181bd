// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Aliases of a protocol` {
  private struct Entry: Identifiable { let id: String }

  @Test func `have the name of the standard library's result`() async {
    let double = AliasedResultDouble()
    let it: any AliasedResult = double
    double.spy.last.returns(.success(["a"]))
    double.spy.merge.returns(true)
    same(try? it.last().get(), ["a"])
    same(it.merge(nil, [.success([])], it.last()), true)
    it.load { _ in }
    same(double.spy.load.callCount, 1)
    let heir = InheritsAliasesDouble()
    heir.spy.reload.returns(.success(["b"]))
    heir.spy.other.returns(.failure(Torn()))
    same(try? await heir.reload().get(), ["b"])
    #expect(throws: Torn.self) { try heir.other().get() }
  }

  @Test func `are used by another protocol`() {
    let loader = AliasedResultDouble()
    let double = UsesAliasesDouble<AliasedResultDouble>()
    double.spy.load.returns(.success(["c"]))
    double.spy.first.returns(nil)
    same(try? double.load(loader).get(), ["c"])
    #expect(double.first([]) == nil)
    #expect(double.spy.load.calls[0] === loader)
  }

  @Test func `have the name of the standard library's error`() async throws {
    let double = AliasedErrorDouble()
    double.spy.find.throws(Torn())
    double.spy.load.throws(Plain())
    let it: any AliasedError = double
    #expect(throws: Torn.self) { try it.find(1) }
    await #expect(throws: Plain.self) { try await double.load(2) }
    it.keep(Plain())
    #expect(double.spy.keep.calls[0] is Plain)
  }

  @Test func `have the name of a task`() async {
    let double = AliasedTaskDouble()
    double.spy.start.returns(Task {})
    let task = double.start()
    await double.join(task)
    same(double.spy.join.calls, [task])
  }

  @Test func `have the names of other types`() {
    let double = AliasedSiblingDouble()
    double.spy.next.returns(2)
    double.spy.find.returns([])
    let it: any AliasedSibling = double
    same(it.next(1), 2)
    same(it.find(Item(id: 3)), [])
    same(double.spy.find.calls, [Item(id: 3)])
    let often = AliasedOftenDouble()
    often.spy.first.returns(4)
    often.spy.keep.returns("d")
    let other: any AliasedOften = often
    same(other.first(5, 6), 4)
    other.load("e", URL(filePath: "/"))
    same(other.keep(["f"], NSObject()), "d")
    same(often.spy.load.calls.map(\.0), ["e"])
  }

  @Test func `stand in the clause of an associated type`() {
    let double = AliasedKeyDouble<Entry>()
    double.spy.find.when("g").returns(Entry(id: "g"))
    same(double.find("g")?.id, "g")
  }

  @Test func `stand for protocols, for functions, and for generic types`() {
    let double = AliasedOthersDouble()
    double.spy.show.returns("h")
    double.spy.open.returns { _ in }
    double.spy.pack.returns(.success(.success("i")))
    same(double.show(1, nil).description, "h")
    double.open(2, { _ in }, nil)(3)
    same(try? double.pack(.success([4])).get().get(), "i")
  }
}
