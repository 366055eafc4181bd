// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

/// Conforms to protocols whose associated types lead back to the conforming type.
private struct Leaf: Nested, SelfChild, SubSequenced {
  var number: Int
  func child() -> Leaf { self }
  func sub() -> Leaf { self }
  func item() -> Int { number }
}

@Suite struct `Static requirements and initialisers` {
  @Test func `change generic inout values`() {
    func fill<It: StaticInout>(_: It.Type, _ value: inout Int) { It.fill(&value) }
    StaticInoutDouble.spy.fill.returns(2)
    var number = 1
    fill(StaticInoutDouble.self, &number)
    same(number, 2)
    same(StaticInoutDouble.spy.fill.calls.map { $0.value as? Int }, [1])
    func swap<It: StaticInoutTwo>(_: It.Type, _ number: inout Int, _ text: inout String) -> Int {
      It.swap(&number, with: &text)
    }
    StaticInoutTwoDouble.spy.swap.returns((3, 4, "b"))
    var text = "a"
    same(swap(StaticInoutTwoDouble.self, &number, &text), 3)
    same(number, 4)
    same(text, "b")
    let swaps = StaticInoutTwoDouble.spy.swap.calls
    same(swaps.map { $0.0.value as? Int }, [2])
    same(swaps.map { $0.1.value as? String }, ["a"])
  }

  @Test func `record values that are not Sendable`() {
    let scratch = Scratch()
    let other = Scratch()
    func keep<It: StaticUnchecked>(_: It.Type) -> Scratch { It.keep(scratch) }
    StaticUncheckedDouble.spy.keep.returns(Unchecked(other))
    #expect(keep(StaticUncheckedDouble.self) === other)
    #expect(StaticUncheckedDouble.spy.keep.calls[0].value === scratch)
    func keepBoth<It: StaticGenericUnchecked>(_: It.Type) -> Int { It.keep(scratch, 1) }
    StaticGenericUncheckedDouble.spy.keep.returns(2)
    same(keepBoth(StaticGenericUncheckedDouble.self), 2)
    #expect(StaticGenericUncheckedDouble.spy.keep.calls[0].0.value === scratch)
    same(StaticGenericUncheckedDouble.spy.keep.calls[0].1.value as? Int, 1)
  }

  @Test func `of generic initialisers`() {
    func make<It: InitGeneric>(_: It.Type) -> It { It("a") }
    _ = make(InitGenericDouble.self)
    same(InitGenericDouble.spy.initialize.calls.map { $0.value as? String }, ["a"])
    func change<It: InitGenericInout>(_: It.Type, _ value: inout Int) -> It { It(&value) }
    InitGenericInoutDouble.spy.initialize.returns(2)
    var number = 1
    _ = change(InitGenericInoutDouble.self, &number)
    same(number, 2)
    same(InitGenericInoutDouble.spy.initialize.calls.map { $0.value as? Int }, [1])
  }

  @Test func `of initialisers with values that are not Sendable`() throws {
    let scratch = Scratch()
    func make<It: InitUnchecked>(_: It.Type) -> It { It(scratch) }
    _ = make(InitUncheckedDouble.self)
    #expect(InitUncheckedDouble.spy.initialize.calls[0].value === scratch)
    typealias Throwing = InitUncheckedThrowingDouble
    var seen = 0
    func attempt<It: InitUncheckedThrowing>(_: It.Type) throws -> It {
      try It(scratch) { seen += 1 }
    }
    _ = try attempt(Throwing.self)
    Throwing.spy.initialize.calls[0].1.value()
    same(seen, 1)
    Throwing.spy.initialize.throws(Plain())
    #expect(throws: Plain.self) { try attempt(Throwing.self) }
    #expect(Throwing.spy.initialize.calls.allSatisfy { $0.0.value === scratch })
  }

  @Test func `of an initialiser with the label of the one that forwards`() {
    func make<It: InitializerForwarding>(_: It.Type) -> It { It(forwardingTo: 1) }
    _ = make(InitializerForwardingDouble.self)
    same(InitializerForwardingDouble.spy.initialize.calls, [1])
  }
}

@Suite struct `Errors whose type is generic` {
  @Test func `are thrown by closures`() async {
    let a = ThrowsGenericEscapingDouble()
    a.spy.run.returns(1)
    same((a as any ThrowsGenericEscaping).run { () throws(LoadError) in throw .busy }, 1)
    let body = a.spy.run.calls[0] as? () throws(LoadError) -> Int
    #expect(throws: LoadError.busy) { try body?() }
    let b = ThrowsGenericAsyncDouble()
    let it: any ThrowsGenericAsync = b
    same(await it.run { 2 }, 2)
    await #expect(throws: LoadError.busy) {
      try await it.run { () async throws(LoadError) in throw .busy }
    }
    same(b.spy.run.callCount, 2)
  }

  @Test func `are an associated type`() {
    let double = ThrowsAssociatedDouble<LoadError>()
    func run<It: ThrowsAssociated>(_ it: It) throws(It.Failure) -> Int { try it.run() }
    double.spy.run.returns(1).throws(.busy)
    same(try? run(double), 1)
    #expect(throws: LoadError.busy) { try run(double) }
    same(double.spy.run.callCount, 2)
  }
}

@Suite struct `Associated types of clauses` {
  @Test func `lead back to themselves`() {
    let leaf = Leaf(number: 1)
    let a = NestedDouble<Leaf>()
    a.spy.child.returns(leaf)
    same(((a as any Nested).child().child() as? Leaf)?.number, 1)
    let b = SelfChildDouble<SelfChildDouble<Leaf>>()
    let child = SelfChildDouble<Leaf>()
    b.spy.child.returns(child)
    child.spy.child.returns(leaf)
    same(((b as any SelfChild).child().child() as? Leaf)?.number, 1)
    let c = SubSequencedDouble<Leaf, Int>()
    c.spy.sub.returns(leaf)
    c.spy.item.returns(2)
    func items<It: SubSequenced>(of it: It) -> [It.Item] { [it.item(), it.sub().item()] }
    same(items(of: c), [2, 1])
  }

  @Test func `are more than a requirement uses`() {
    let a = OfManyDouble<String, Int>()
    a.spy.item.returns(1)
    same((a as any OfMany).item() as? Int, 1)
    let b = KeyedByTypeDouble()
    b.spy.content.returns(Int?.some(2))
    same((b as any KeyedByType).content(of: TypeKeyDouble<Int>.self), 2)
    #expect(b.spy.content.calls[0] == TypeKeyDouble<Int>.self)
  }

  @Test func `are declared again in a child`() {
    func keys<It: AssociatedKeys>(of _: It, _ keys: It.Keys) -> [It.Key] { Array(keys) }
    same(keys(of: AssociatedKeysDouble<Int, [Int]>(), [1, 2]), [1, 2])
    let double = AssociatedAgainDouble<Int, [Int]>()
    double.spy.get.does { [$0] }
    func get<It: AssociatedAgain>(_ key: It.Key, from it: It) -> It.Keys { it.get(key) }
    same(get(1, from: double), [1])
    same(double.spy.get.calls, [1])
    same(keys(of: double, [3]), [3])
  }

  @Test func `have constraints`() async throws {
    let a = EntityStoreDouble<Account>()
    func save<It: EntityStore>(_ entity: It.Entity, in it: It) throws { try it.save(entity) }
    try save(Account(id: 1), in: a)
    same(a.spy.save.calls.map(\.id), [1])
    let b = PageSourceDouble<Int>()
    func turn<It: PageSource>(_ page: It.Page, of it: It) async throws -> It.Page {
      try await it.turn(page)
    }
    b.spy.turn.does { $0 + 1 }
    same(try await turn(1, of: b), 2)
    same(b.spy.turn.calls, [1])
    let c = AliasOfAssociatedDouble<Int>()
    func register<It: AliasOfAssociated>(with it: It) -> (Int, It.Item) where It.Item == Int {
      it.on({ _ in }, nil)(3)
      return it.each { _ in }
    }
    c.spy.on.does { handler, _ in handler }
    c.spy.each.returns { handler in
      handler(4)
      return (5, 6)
    }
    #expect(register(with: c) == (5, 6))
    same(c.spy.on.calls.map { $0.1 == nil }, [true])
  }

  @Test func `a double leads back to one with generic parameters`() async {
    let a = LonelyDouble<Int>()
    let other = OfManyDouble<LonelyDouble<Int>, Int>()
    other.spy.item.returns(3)
    a.spy.other.returns(other)
    func item<It: Lonely>(of it: It) -> It.Other.Item { it.other().item() }
    same(item(of: a), 3)
    let b = LonelyPartsDouble<String>()
    let keys = OfKeysDouble<String, LonelyPartsDouble<String>>()
    keys.spy.key.returns("key")
    b.spy.other.returns(Unchecked(keys))
    b.spy.name.returns("name")
    func key<It: LonelyParts>(of it: It) -> It.Other.Key { it.other().key(it) }
    same(key(of: b), "key")
    same(await b.name(keys), "name")
    let c = OfItselfDouble<Int, [Int]>()
    c.spy.item.returns([4])
    same(c.item(), [4])
  }
}
