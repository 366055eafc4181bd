// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Doubles of rare forms` {
  @Test func `have members with the types of the standard library behind an associated type`() {
    let a = StandardNamesDouble<Swift.Int, Swift.String, Swift.Bool>()
    a.spy.convert.when(1, "a").returns(true)
    a.spy.count.returns(2)
    a.spy.isOn.returns(true)
    same(a.convert(1, "a"), true)
    same(a.count(), 2)
    same(a.isOn, true)
  }

  @Test func `return pointers to C functions`() {
    let b = PointerResultsDouble()
    b.spy.callback.returns { $0 + 1 }
    b.spy.handler.returns { $0 + 2 }
    let it: any PointerResults = b
    same([it.callback()(1), it.handler(1)], [2, 3])
  }

  @Test func `pass isolated functions, and hold doubles of their own type`() async {
    let a = IsolatedFunctionsDouble()
    a.spy.run.returns(3)
    same(await a.run { _ in 1 }, 3)
    same(await a.spy.run.calls[0](a), 1)
    let b = HoldsItselfDouble()
    b.spy.first.returns([b])
    b.keep([b, b])
    same(b.first([]).count, 1)
    same(b.spy.keep.calls[0].count, 2)
    let c = HoldingDouble<Int>()
    c.keep(4)
    same(c.spy.keep.calls, [4])
  }

  @Test func `throw the errors of an associated type`() async {
    let a = FailingWithDouble<LoadError>()
    a.spy.load.throws(.busy)
    a.spy.size.throws(.missing)
    a.spy.each.returns { body in try body() + 1 }
    #expect(throws: LoadError.busy) { try a.load() }
    await #expect(throws: LoadError.missing) { try await a.size }
    same(try? a.each { 1 }, 2)
  }

  @Test func `are called, and have the names of keywords and of the library`() async {
    let a = CallableDouble()
    a.spy.callAsFunction.returns(1)
    a.spy.subscript.when(2, 3).returns(4)
    let it: any Callable = a
    same([it(1), it[2, default: 3]], [1, 4])
    let b = KeywordLabelsDouble()
    b.spy.run.returns(5)
    b.spy.initSpy.returns(6)
    b.spy.ProtocolSpy.returns(7)
    same(await b.run(in: 1, for: 2, throws: 3), 5)
    same([b.`init`(), b.Protocol], [6, 7])
    let c = LibraryLabelsDouble()
    c.spy.run.returns(8)
    c.spy.set.returns((9, 10, 11))
    var (answer, spy) = (1, 2)
    same(c.run(spy: 1, real: 2, tape: 3, errors: 4, arguments: 5), 8)
    same([c.set(&answer, spy: &spy), answer, spy], [9, 10, 11])
  }

  @Test func `have deep optionals, noncopyable values in functions and autoclosures`() async {
    let a = DeepOptionalsDouble()
    a.spy.find.returns(.some(.some(nil)))
    a.handler = { _ in }
    a.bodies = ["a": { $0 }]
    same(a.find(1, nil), .some(.some(nil)))
    same(try? a.bodies["a"]?(2), 2)
    same(a.handler == nil, false)
    let b = NoncopyableFunctionsDouble()
    b.spy.each.returns { body in body(Token(value: 1)).value }
    b.spy.maker.returns { Token(value: $0) }
    b.spy.find.returns { nil }
    same([b.each { Token(value: $0.value + 1) }, b.maker()(3).value], [2, 3])
    let isNothing = b.find() == nil
    same(isNothing, true)
    b.spy.drop.returns { _ in }
    await #expect(throws: Never.self) { try await b.drop(Token(value: 4)) }
    let c = AutoclosureFormsDouble()
    c.later(1)
    same(c.spy.later.calls, [1])
    c.spy.run.returns(3)
    same(await c.run(2), 3)
    same(c.spy.run.calls.map { $0 as? Int }, [2])
  }

  @Test func `have nameless parameters and many overloads`() {
    let a = NamelessParametersDouble()
    a.spy.add.when(1, 2, ["a"]).returns(3)
    a[1, 2] = 4
    same(a.add(1, 2, "a"), 3)
    same(a.spy.subscriptSet.calls.map { [$0, $1, $2] }, [[1, 2, 4]])
    let b = ManyOverloadsDouble()
    let it: any ManyOverloads = b
    b.spy.loadA.returns(1)
    b.spy.loadB.returns(2)
    same([it.load(a: 1), it.load(b: 1)], [1, 2])
  }

  @Test func `have static members of every form`() async throws {
    StaticFormsDouble.spy.size.returns(1)
    StaticFormsDouble.spy.change.returns { document, body in
      body()
      document = Document(text: "new")
      return 2
    }
    StaticFormsDouble.spy.find.returns(Unchecked(nil))
    same(try await StaticFormsDouble.size, 1)
    var document = Document(text: "old")
    same(try StaticFormsDouble.change(&document) {}, 2)
    same(document.text, "new")
    #expect(StaticFormsDouble.find() == nil)
    OperatorFormsDouble.spy.dotDotDot.returns(3)
    let a = OperatorFormsDouble()
    same(a...a, 3)
  }

  @Test func `have clocks, iterators, bodies and mutating getters`() async throws {
    let a = ConcurrencyTypesDouble()
    try await a.run(ContinuousClock())
    same(a.spy.run.calls.count, 1)
    let b = ElementsAndIteratorDouble<IndexingIterator<[Int]>>()
    b.spy.next.returns(1, then: nil)
    b.spy.more.returns(2)
    same([b.next(), b.next()], [1, nil])
    same(b.more(), 2)
    let d = MutatingGettersDouble()
    d.spy.next.returns(3)
    d.spy.subscript.throws(.busy)
    same(try await d.next, 3)
    #expect(throws: LoadError.busy) { try d[1] }
    _ = BodyOfBodiesDouble<Never>()
  }

  @Test func `send values back to the caller`() async throws {
    let a = SentDocumentsDouble()
    a.spy.both.returns(
      Unchecked((Document(text: "a"), Document(text: "b"), Document(text: "c"))))
    var (one, other) = (Document(text: "1"), Document(text: "2"))
    same(try await a.both(&one, &other).text, "a")
    same([one.text, other.text], ["b", "c"])
    a.spy.each.returns { document, body in
      body()
      document = Document(text: "d")
      return Document(text: "e")
    }
    same(a.each(&one) {}.text, "e")
    same(one.text, "d")
    a.spy.wait.returns { document, _ in
      document = Document(text: "f")
      throw LoadError.busy
    }
    do {
      _ = try await a.wait(&one) {}
      Issue.record("Nothing is thrown.")
    } catch {
      same(error as? LoadError, .busy)
    }
    same(one.text, "f")
    a.spy.reset.returns((5, "g"))
    var text = "x"
    same(a.reset(&text), 5)
    same(text, "g")
    a.spy.pair.returns(("h", "i", "j"))
    var next = "y"
    same(try a.pair(&text, &next), "h")
    same([text, next], ["i", "j"])
    a[Document(text: "k")] = 6
    same(a.spy.subscriptSet.calls.map(\.0.text), ["k"])
  }

  @Test @MainActor func `send values back from an actor and from static members`() {
    let a = SentOnMainDouble()
    a.spy.change.returns(Unchecked((1, Document(text: "a"), Document(text: "b"))))
    var (one, other) = (Document(text: "1"), Document(text: "2"))
    same(a.change(&one, &other), 1)
    same([one.text, other.text], ["a", "b"])
    SentOnMainDouble.spy.reset.returns("c")
    var text = "x"
    SentOnMainDouble.reset(&text)
    same(text, "c")
    SentOnMainDouble.spy.both.returns(Unchecked((Document(text: "d"), Document(text: "e"), 2)))
    var number = 1
    same(SentOnMainDouble.both(&one, &number).text, "d")
    same(one.text, "e")
    same(number, 2)
  }

  @Test func `have handlers of an associated type with a constraint`() {
    let a = KeyedRowsDouble<String, Document>()
    a.spy.rows.returns { _ in ["a": Document(text: "b")] }
    a.spy.keys.returns { _ in ["c"] }
    same(a.rows {}["a"]?.text, "b")
    same(a.keys {}, ["c"])
    a.spy.list.returns { _ in [] }
    same(a.list {}.count, 0)
    same(a.run { ["d"] }, ["d"])
    a.spy.each.returns { body in body("e") }
    var keys: [String] = []
    a.each("f") { keys.append($0) }
    same(keys + a.spy.each.calls, ["e", "f"])
    a.spy.change.returns("g")
    a.spy.swap.returns(("h", ["i"]))
    var (key, other) = ("x", ["y"])
    a.change(&key)
    same(key, "g")
    a.swap(&key, &other, 1)
    same([key] + other, ["h", "i"])
    let b = SortedRowsDouble<String, Int>()
    b.spy.sorted.returns { _ in [1] }
    same(b.sorted {}, [1])
  }
}
