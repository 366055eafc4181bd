// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

/// The members of doubles that other tests use for one member.
@Suite struct `Members beside others` {
  @Test func `of one member with the effects of two parents`() async throws {
    func make<It: LenientStrict>(_: It.Type) -> It { It(1) }
    let double = make(LenientStrictDouble.self)
    same(LenientStrictDouble.spy.initialize.calls, [1])
    func lenient<It: Lenient>(_ it: It) async throws -> (String, Int) {
      await it.run()
      try it.close()
      return (try await it.name, it[2])
    }
    double.name = "a"
    double.spy.subscript.returns(3)
    #expect(try await lenient(double) == ("a", 3))
    same([double.spy.runAsync.callCount, double.spy.run.callCount], [1, 0])
    func strict<It: Strict>(_ it: It) throws {
      var it = it
      it.run()
      it[4] = 5
      it.show()
      try it.log()
    }
    try strict(double)
    same(double.spy.subscriptSet.calls.map { [$0, $1] }, [[4, 5]])
    same([double.spy.run.callCount, double.spy.show.callCount], [1, 1])
    double.spy.log.throws(.busy)
    #expect(throws: LoadError.busy) { try strict(double) }
  }

  @Test func `of encoders`() throws {
    let encoder = OwnEncoderDouble()
    let it: any OwnEncoder = encoder
    encoder.spy.finish.returns("a")
    same(it.finish(), "a")
    encoder.spy.userInfo.returns([:])
    same(it.userInfo.count, 0)
    let keys = KeyedWritingDouble<ColumnKeyDouble>()
    let key = ColumnKeyDouble()
    func write<It: KeyedWriting>(to it: It, _ key: It.Key) throws {
      var it = it
      try it.encode("a", forKey: key)
      try it.encode(true, forKey: key)
      try it.encode(1.5, forKey: key)
      try it.encode(2.5 as Float, forKey: key)
      try it.encode(1 as Int, forKey: key)
      try it.encode(2 as UInt, forKey: key)
      try it.encode(3 as Int8, forKey: key)
      try it.encode(4 as Int16, forKey: key)
      try it.encode(5 as Int32, forKey: key)
      try it.encode(6 as Int64, forKey: key)
      try it.encode(7 as UInt8, forKey: key)
      try it.encode(8 as UInt16, forKey: key)
      try it.encode(9 as UInt32, forKey: key)
      try it.encode(10 as UInt64, forKey: key)
      try it.encode(Item(id: 11), forKey: key)
    }
    try write(to: keys, key)
    let spy = keys.spy
    same(spy.encodeForKeyStringKey.calls.map(\.0), ["a"])
    same(spy.encodeForKeyBoolKey.calls.map(\.0), [true])
    same(spy.encodeForKeyDoubleKey.calls.map(\.0), [1.5])
    same(spy.encodeForKeyFloatKey.calls.map(\.0), [2.5])
    same(spy.encode.calls.map(\.0), [1])
    same(spy.encodeForKeyUIntKey.calls.map(\.0), [2])
    same(spy.encodeForKeyInt8Key.calls.map(\.0), [3])
    same(spy.encodeForKeyInt16Key.calls.map(\.0), [4])
    same(spy.encodeForKeyInt32Key.calls.map(\.0), [5])
    same(spy.encodeForKeyInt64Key.calls.map(\.0), [6])
    same(spy.encodeForKeyUInt8Key.calls.map(\.0), [7])
    same(spy.encodeForKeyUInt16Key.calls.map(\.0), [8])
    same(spy.encodeForKeyUInt32Key.calls.map(\.0), [9])
    same(spy.encodeForKeyUInt64Key.calls.map(\.0), [10])
    same(spy.encodeForKeyEncodableKey.calls.map { $0.0 as? Item }, [Item(id: 11)])
    #expect(spy.encode.calls.allSatisfy { $0.1 === key })
    spy.superEncoder.returns(encoder)
    spy.superEncoderForKey.returns(encoder)
    func supers<It: KeyedWriting>(_ it: It, _ key: It.Key) -> [any Swift.Encoder] {
      var it = it
      return [it.superEncoder(), it.superEncoder(forKey: key)]
    }
    #expect(supers(keys, key).allSatisfy { $0 as? OwnEncoderDouble === encoder })
  }

  @Test func `of keys`() {
    func make<It: ColumnKey>(_: It.Type) -> It? { It(intValue: 1) }
    let key = make(ColumnKeyDouble.self)
    same(ColumnKeyDouble.spy.initialize.calls, [1])
    key?.spy.intValue.returns(2)
    key?.spy.width.returns(3)
    let it: (any ColumnKey)? = key
    same([it?.intValue, it?.width], [2, 3])
  }

  @Test func `of closures in brackets`() {
    let a = FunctionsInBracketsDouble()
    var first: any FunctionsInBrackets = a
    var seen: [Int] = []
    first.later = { seen.append($0) }
    first.later(1)
    a.spy.again.returns { 2 }
    same(first.again(), 2)
    a.spy.both.returns { number in { seen.append(number) } }
    first.both()(3)()
    a.spy.keep.returns(4)
    same(first.keep({ seen.append($0) }, Plain()), 4)
    a.spy.keep.calls[0].0(5)
    same(seen, [1, 3, 5])
    let b = CallbacksByNameDouble()
    b.spy.store.returns { ring in
      ring(6)
      return { _ in }
    }
    let callback = (b as any CallbacksByName).store({ _ in }) { seen.append($0) }
    #expect(callback != nil)
    same(seen, [1, 3, 5, 6])
    same(b.spy.store.callCount, 1)
  }

  @Test func `of an option set`() {
    typealias Options = FlagsDouble<UInt8>
    func make<It: Flags>(_: It.Type) -> [It] where It.RawValue == UInt8 {
      [It(), It(rawValue: 1)]
    }
    let made = make(Options.self)
    let one = made[0]
    let two = made[1]
    same(Options.spy.initialize.callCount, 1)
    same(Options.spy.initializeRawValue.calls.map(\.value), [1])
    _ = [one, two] as Options
    same(Options.spy.initializeArrayLiteral.calls.map(\.value), [[one, two]])
    one.spy.name.returns("one")
    same((one as any Flags).name(), "one")
    // On an `OptionSet`, these calls would be calls of its extension.
    func change<It: SetAlgebra>(_ one: It, _ two: It, _ element: It.Element) -> [It] {
      var changed = one
      changed.formUnion(two)
      changed.formIntersection(two)
      changed.formSymmetricDifference(two)
      _ = (changed.contains(element), changed.insert(element))
      _ = (changed.remove(element), changed.update(with: element))
      return [one.union(two), one.intersection(two), one.symmetricDifference(two)]
    }
    let spy = one.spy
    for spy in [spy.union, spy.intersection, spy.symmetricDifference] { spy.returns(two) }
    spy.contains.returns(true)
    spy.insert.returns((inserted: true, memberAfterInsert: two))
    spy.remove.returns(nil)
    spy.update.returns(nil)
    same(change(one, two, two), [two, two, two])
    for spy in [spy.formUnion, spy.formIntersection, spy.formSymmetricDifference] {
      same(spy.calls, [two])
    }
    same(spy.contains.calls + spy.insert.calls, [two, two])
    same(spy.remove.calls + spy.update.calls, [two, two])
    same(finish(one), [])
  }

  @Test func `of a mutable collection and of the main actor`() async {
    typealias Elements = IndexingIterator<[Int]>
    let a = MutableElementsDouble<Int, Int, Elements>()
    a.spy.name.returns("a")
    a.spy.startIndex.returns(0)
    a.spy.endIndex.returns(2)
    a.spy.index.does { $0 + 1 }
    a.spy.subscript.does { $0 * 10 }
    a.spy.makeIterator.returns([3].makeIterator())
    func list<It: MutableElements>(_ it: It) -> (String, [It.Element], [It.Element]) {
      (it.name, it.map { $0 }, Array(IteratorSequence(it.makeIterator())))
    }
    #expect(list(a) == ("a", [0, 10], [3]))
    let b = MainOfOthersDouble<Int>()
    let it: any MainOfOthers = b
    b.title = "b"
    same(it.title, "b")
    await it.ping()
    same(b.spy.ping.callCount, 1)
    let c = SetClashDouble()
    c.spy.subscript.when(1).returns(2)
    same((c as any SetClash)[1], 2)
    let d = NamedAsHelpersDouble()
    d.spy.subscript.when(3).returns(4)
    same((d as any NamedAsHelpers)[3], 4)
  }

  @Test func `of one requirement more`() async throws {
    let a = AssociatedUncheckedDouble<String>()
    let document = Document(text: "a")
    a.document = document
    #expect((a as any AssociatedUnchecked).document === document)
    let b = ExecutorDouble()
    (b as any Corpus.Executor).run()
    same(b.spy.run.callCount, 1)
    let c = OwnCodableDouble()
    (c as any OwnCodable).close()
    same(c.spy.close.callCount, 1)
    let d = OwnTaskExecutorDouble()
    (d as any OwnTaskExecutor).prepare()
    same(d.spy.prepare.callCount, 1)
    let e = RequiresPartsDouble()
    e.spiesOfDoubleOfDouble.spiesOfDouble.returns(1)
    same((e as any RequiresParts).spiesOfDouble(), 1)
    RequiresPartsDouble.spiesOfDoubleOfDouble.StaticSpies.returns(2)
    same(RequiresPartsDouble.StaticSpies(), 2)
    let f = StoringDouble<Int>()
    func keep<It: Storing>(_ value: It.Value, in it: It) { it.keep(value) }
    keep(3, in: f)
    same(f.spy.keep.calls, [3])
    let g = TwiceIntroducedDouble()
    g.spy.recent.returns(4)
    same((g as any TwiceIntroduced).recent(5), 4)
    let h = WarnedDouble()
    (h as any Warned).pack(Int?.some(6), String?.none)
    same(h.spy.pack.calls.map(\.count), [2])
    same(h.spy.pack.calls[0][0] as? Int, 6)
    let i = FormatterDouble()
    i.spy.formatBinaryFloatingPoint.returns("7")
    same((i as any Corpus.Formatter).format(7.5), "7")
    FormatterDouble.spy.less.returns(true)
    func least<It: Corpus.Formatter>(_ one: It, _ two: It) -> It { min(one, two) }
    #expect(least(FormatterDouble(), i) === i)
    let j = SessionDouble()
    j.spy.subscriptString.when("a").returns(8)
    same((j as any Session)["a"], 8)
    let k = StreamResultsDouble()
    k.spy.failing.returns(AsyncThrowingStream { throw Plain() })
    await #expect(throws: Plain.self) {
      for try await _ in (k as any StreamResults).failing() {}
    }
    let l = GivesDoublesDouble()
    l.spy.again.returns(l)
    #expect((l as any GivesDoubles).again() as? GivesDoublesDouble === l)
    let m = AllTheCasesDouble()
    func cases<It: AllTheCases>(of _: It.Type) -> It.AllCases { It.allCases }
    AllTheCasesDouble.spy.allCases.returns([m])
    #expect(cases(of: AllTheCasesDouble.self).first === m)
    let n = FixedElementDouble<IndexingIterator<[Int]>>()
    n.spy.sum.returns(9)
    same((n as any FixedElement).sum(), 9)
    let o = FailingAsDouble<Int, AsyncThrowingStream<Int, any Error>.Iterator, any Error>()
    o.spy.why.returns(Plain())
    #expect((o as any FailingAs).why() is Plain)
  }
}
