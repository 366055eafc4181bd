// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@_spi(Testing) @testable import Corpus

@Suite struct `Overloads have a spy each` {
  @Test func `that differ in closures`() async {
    let a = ClosureOverloadsDouble()
    let first: any ClosureOverloads = a
    var seen: [String] = []
    first.run { (number: Int) in seen.append("\(number)") }
    first.run { (text: String) in seen.append(text) }
    a.spy.run.calls[0](1)
    a.spy.runStringToVoid.calls[0]("a")
    same(seen, ["1", "a"])
    let b = ClosureEffectsDouble()
    let second: any ClosureEffects = b
    second.run { () -> Int in 2 }
    second.run { () async -> Int in 3 }
    same(b.spy.run.calls[0](), 2)
    same(await b.spy.runVoidAsyncToInt.calls[0](), 3)
    let c = ClosureTuplesDouble()
    let third: any ClosureTuples = c
    let two: (Int, Int) -> Void = { seen.append("\($0), \($1)") }
    let pair: ((Int, Int)) -> Void = { seen.append("\($0)") }
    third.run(two)
    third.run(pair)
    c.spy.run.calls[0](4, 5)
    c.spy.runTupleOfIntIntToVoid.calls[0]((6, 7))
    same(seen, ["1", "a", "4, 5", "(6, 7)"])
  }

  @Test func `that differ in constraints and results`() {
    struct Equal: Equatable {}
    let document = Document(text: "d")
    let a = SomeOverloadsDouble()
    a.spy.use.returns(1)
    a.spy.useSomeCollection.returns(2)
    let first: any SomeOverloads = a
    same([first.use(Equal()), first.use([document])], [1, 2])
    same(a.spy.use.calls[0] as? Equal, Equal())
    #expect((a.spy.useSomeCollection.calls[0] as? [Document])?.first === document)
    let b = ConstraintOverloadsDouble()
    b.spy.useEquatable.returns(3)
    b.spy.useHashable.returns(4)
    b.spy.use.returns(5)
    let second: any ConstraintOverloads = b
    same([second.use(Equal()), second.use("h"), second.use(document)], [3, 4, 5])
    same(b.spy.useEquatable.calls[0] as? Equal, Equal())
    same(b.spy.useHashable.calls[0] as? String, "h")
    #expect(b.spy.use.calls[0] as? Document === document)
    let c = ResultOverloadsDouble()
    c.spy.value.returns(6)
    c.spy.valueReturningArrayOfInt.returns([7])
    c.spy.valueReturningOptionalInt.returns(8)
    let third: any ResultOverloads = c
    same(third.value() as Int, 6)
    same(third.value() as [Int], [7])
    same(third.value() as Int?, 8)
  }

  @Test func `that differ in associated types and variadic parameters`() {
    let a = AssociatedOverloadsDouble<String>()
    func add<It: AssociatedOverloads>(to it: It) where It.Item == String {
      it.add("a")
      it.add(1)
    }
    add(to: a)
    same(a.spy.addItem.calls, ["a"])
    same(a.spy.add.calls, [1])
    let b = VariadicOverloadDouble()
    let it: any VariadicOverload = b
    it.add(1, 2)
    it.add([3])
    same(b.spy.addVariadicInt.calls, [[1, 2]])
    same(b.spy.add.calls, [[3]])
  }

  @Test func `of two parents are one requirement in their child only`() {
    let a = LoadsAccountsDouble()
    a.spy.load.returns(1)
    a.spy.find.when("a").returns(2)
    a.spy.show.returns(3)
    let first: any LoadsAccounts = a
    same([first.load(Int.self), first.find("a"), first.show(Square(), count: 4)], [1, 2, 3])
    same(a.spy.show.calls.map { [$0.sides, $1] }, [[4, 4]])
    let b = AlsoLoadsAccountsDouble()
    b.spy.load.returns(5)
    b.spy.find.when(nil).returns(6)
    b.spy.show.returns(7)
    let second: any AlsoLoadsAccounts = b
    same([second.load(Int.self), second.find(nil), second.show(Square(), count: 8)], [5, 6, 7])
    same(b.spy.show.calls.map { [$0.sides, $1] }, [[4, 8]])
  }
}

@Suite struct `Packs are recorded as lists` {
  @Test func `beside another pack, and of a generic type`() {
    let a = TwoPacksDouble()
    a.spy.pair.returns(1)
    same((a as any TwoPacks).pair(2, "a", with: true), 1)
    same(a.spy.pair.calls[0].0[0] as? Int, 2)
    same(a.spy.pair.calls[0].0[1] as? String, "a")
    same(a.spy.pair.calls[0].1[0] as? Bool, true)
    let b = PackOfBoxesDouble()
    b.spy.open.does { $0.count }
    same((b as any PackOfBoxes).open(Boxed(3), Boxed("b")), 2)
    same((b.spy.open.calls[0][1] as? Boxed<String>)?.value, "b")
  }

  @Test func `and are the result`() {
    let double = PackSameDouble()
    let it: any PackSame = double
    double.spy.same.returns((2, "b"))
    double.spy.same.returns(true)
    let pair: (Int, String) = it.same(1, "a")
    same(pair.0, 2)
    same(pair.1, "b")
    same(it.same(false), true)
    same(double.spy.same.calls.map(\.count), [2, 1])
    same(double.spy.same.calls[0][1] as? String, "a")
  }

  @Test func `beside closures`() {
    let a = PackMapDouble()
    a.spy.map.returns(3)
    same((a as any PackMap).map(1, "a") { number, text in number + text.count }, 3)
    same(a.spy.map.calls[0][1] as? String, "a")
    let b = PackEscapingDouble()
    (b as any PackEscaping).map { (_: Int, _: String) in }
    same(b.spy.map.callCount, 1)
    let c = PackClosureDouble()
    c.spy.map.returns("c")
    same((c as any PackClosure).map({ (number: Int) in "\(number)" }, 4), "c")
    same(c.spy.map.calls[0][0] as? Int, 4)
  }
}

@Suite struct `Functions and pointers of C, and other shapes` {
  @Test func `an escaping closure is recorded beside one that is run`() {
    let double = EscapingRethrowsDouble()
    let it: any EscapingRethrows = double
    same(it.run({ 1 }, { 2 }), 2)
    same(try? double.spy.run.calls[0](), 1)
    #expect(throws: Plain.self) { try it.run({ 1 }, { throw Plain() }) }
    same(double.spy.run.callCount, 2)
  }

  @Test func `a pointer to a function has an alias`() {
    let double = CAliasDouble()
    let it: any CAlias = double
    it.register { $0 + 1 }
    same(double.spy.register.calls[0](1), 2)
    it.optional(nil)
    it.optional { $0 + 2 }
    same(double.spy.optional.calls.map { $0?(1) }, [nil, 3])
    let outer = CAliasDouble(forwardingTo: double)
    outer.register { $0 + 3 }
    same(double.spy.register.calls.map { $0(1) }, [2, 4])
  }

  @Test func `pointers are recorded unchanged`() {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    let buffer = UnsafeMutableBufferPointer<Int>.allocate(capacity: 2)
    defer {
      bytes.deallocate()
      buffer.deallocate()
    }
    let a = UnsafePointersDouble()
    a.spy.read.does { pointer, _ in UnsafeRawPointer(pointer) }
    same((a as any UnsafePointers).read(bytes, buffer), UnsafeRawPointer(bytes))
    same(a.spy.read.calls[0].0, UnsafePointer(bytes))
    same(a.spy.read.calls[0].1.baseAddress, buffer.baseAddress)
    let b = SharedPointersDouble()
    b.spy.read.does { Unchecked(UnsafeRawBufferPointer(start: $0.value, count: 1)) }
    same((b as any SharedPointers).read(bytes).baseAddress, UnsafeRawPointer(bytes))
    same(b.spy.read.calls.map(\.value), [UnsafePointer(bytes)])
  }

  @Test func `a subscript is asynchronous`() async throws {
    let double = AsyncSubscriptsDouble()
    let it: any AsyncSubscripts = double
    double.spy.subscript.when("a").returns(1)
    double.spy.subscript.when("b").throws(Plain())
    same(try await it["a"], 1)
    await #expect(throws: Plain.self) { try await it["b"] }
    same(double.spy.subscript.calls, ["a", "b"])
  }

  @Test func `protocols of an SPI, in a type and with any name`() {
    let a = SPIProtocolDouble()
    a.spy.secret.returns(1)
    same((a as any SPIProtocol).secret(), 1)
    let b = InnerDeepDouble()
    b.spy.deep.returns(2)
    same((b as any Inner.Deep).deep(), 2)
    let c = OuterNestedDouble()
    c.spy.turn.does { $0 }
    _ = (c as any Outer.Nested).turn(Outer.Inner())
    same(c.spy.turn.callCount, 1)
    let d = Space_NestedDouble()
    d.spy.turn.returns("d")
    same((d as any Space.Nested).turn(), "d")
    let e = SpaceNestedDouble()
    e.spy.turn.returns(3)
    same((e as any SpaceNested).turn(), 3)
  }

  @Test @MainActor func `closures differ in their actor`() {
    let double = ClosureActorsDouble()
    double.run { () -> Int in 1 }
    double.run { @MainActor () -> Int in 2 }
    same(double.spy.run.calls.map { $0() }, [1])
    same(double.spy.runMainActorVoidToInt.calls.map { $0() }, [2])
  }
}
