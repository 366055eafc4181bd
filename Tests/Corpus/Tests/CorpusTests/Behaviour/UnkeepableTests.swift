// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct UnkeepableTests {
  private let numbers = [1, 2, 3]

  @Test func `a span goes to the answering function`() async throws {
    let a = SpanArgumentDouble()
    a.spy.sum.returns { span in span.total }
    same(a.sum(numbers.span), 6)
    same(a.spy.sum.calls.count, 1)
    let b = SpanBesideDouble()
    b.spy.sum.does { scale in { span in span.total * scale } }
    same(try b.sum(numbers.span, scale: 2), 12)
    same(b.spy.sum.calls, [2])
    b.spy.sum.throws(Plain())
    #expect(throws: Plain.self) { try b.sum(numbers.span, scale: 2) }
    let c = SpanBorrowedDouble()
    c.spy.sum.returns { span in span.count }
    same(c.sum(numbers.span), 3)
    let d = SpanOptionalDouble()
    d.spy.sum.returns { span in span?.count ?? 0 }
    same(d.sum(nil), 0)
    same(d.sum(numbers.span), 3)
    same(d.spy.sum.calls.count, 2)
    let e = SpanAsyncDouble()
    e.spy.sum.returns { span in span.total }
    same(try await e.sum(numbers.span), 6)
    same(e.spy.sum.calls.count, 1)
  }

  @Test func `a span goes to the answering function on any actor`() async {
    SpanStaticDouble.spy.sum.returns { span in span.total }
    same(SpanStaticDouble.sum(numbers.span), 6)
    same(SpanStaticDouble.spy.sum.calls.count, 1)
    let a = SpanSharedDouble()
    a.spy.sum.returns { span in span.total }
    same(a.sum(numbers.span), 6)
    let b = SpanActorDouble()
    b.spy.sum.returns { span in span.total }
    same(await b.total(of: numbers), 6)
    same(b.spy.sum.calls.count, 1)
    await MainActor.run {
      let c = SpanMainDouble()
      c.spy.sum.returns { span in span.total }
      same(c.sum([1, 2, 3].span), 6)
      same(c.spy.sum.calls.count, 1)
    }
  }

  @Test func `a span of a generic type is left out`() {
    let a = SpanGenericDouble()
    a.spy.count.when(2).returns(4)
    same(a.count(numbers.span, by: 2), 4)
    same(a.spy.count.calls, [2])
    let b = SpanGenericResultDouble()
    b.spy.last.returns(3 as Int?)
    same(b.last(numbers.span), 3)
    same(b.spy.last.calls.count, 1)
    let c = GenericNonescapableDouble()
    c.spy.take.returns(5)
    same(c.take(numbers.span), 5)
    same(c.spy.take.calls.count, 1)
  }

  @Test func `a span beside another parameter`() {
    let a = SpanAndKeyDouble()
    a.spy.sum.returns { span in span.total }
    same(a.sum(numbers.span, by: "row"), 6)
    same(a.spy.sum.calls.map { $0 as? String }, ["row"])
    let b = SpanAndClosureDouble()
    b.spy.each.returns { span, body in body(span.total) }
    var total = 0
    b.each(numbers.span) { total += $0 }
    same(total, 6)
    let c = SpanClosureDouble()
    c.spy.each.returns { body in body([4, 5].span) }
    c.each { total += $0.total }
    same(total, 15)
    let d = SpanEscapingClosureDouble()
    d.each { _ in }
    same(d.spy.each.calls.count, 1)
  }

  @Test func `bytes go to the answering function`() throws {
    let a = RawSpanArgumentDouble()
    a.spy.sum.returns { bytes in bytes.byteCount }
    same(a.sum(numbers.span.bytes), 24)
    typealias B = RawSpanInitializerDouble
    B.spy.initialize.does { name in { bytes in if bytes.byteCount == 0 { throw Plain() } } }
    _ = try B(bytes: numbers.span.bytes, name: "numbers")
    let none: [Int] = []
    #expect(throws: Plain.self) { try B(bytes: none.span.bytes, name: "none") }
    same(B.spy.initialize.calls, ["numbers", "none"])
    let c = RawSpanSubscriptDouble()
    c.spy.subscript.returns { bytes in bytes.byteCount }
    same(c[numbers.span.bytes], 24)
    same(c.spy.subscript.calls.count, 1)
  }

  @Test func `the answering function fills a mutable span`() throws {
    let a = MutableSpanArgumentDouble()
    a.spy.fill.returns { span in span[0] = 9 }
    var numbers = numbers
    var span = numbers.mutableSpan
    a.fill(&span)
    same(numbers, [9, 2, 3])
    let b = MutableRawSpanArgumentDouble()
    b.spy.fill.returns { bytes in bytes.byteCount }
    var whole = numbers.mutableSpan
    same(b.fill(whole.mutableBytes), 24)
    let c = OutputSpanArgumentDouble()
    c.spy.fill.returns { span in span.append(7) }
    let filled = try [Int](capacity: 2) { span throws(LoadError) in try c.fill(&span) }
    same(filled, [7])
    c.spy.fill.returns { _ in throw LoadError.busy }
    #expect(throws: LoadError.busy) {
      _ = try [Int](capacity: 2) { span throws(LoadError) in try c.fill(&span) }
    }
    c.spy.fill.throws(.busy)
    #expect(throws: LoadError.busy) {
      _ = try [Int](capacity: 2) { span throws(LoadError) in try c.fill(&span) }
    }
  }

  @Test func `a nonescapable type of the user's own`() {
    let a = ViewArgumentDouble()
    a.spy.show.returns { view in view.width }
    same(a.show(View(width: 3)), 3)
    same(a.spy.show.calls.count, 1)
    let b = NonescapableSelfDouble()
    b.spy.width.returns(4)
    same(b.width(), 4)
  }

  @Test func `the answering function creates values that cannot be copied`() throws {
    let a = ReturnsSlipDouble()
    a.spy.issue.does { number in { .seat(number) } }
    let slip = try a.issue(7)
    same(slip.number, 7)
    same(a.spy.issue.calls, [7])
    let b = ReturnsRingDouble()
    b.spy.ring.returns { Ring(stone: 3) }
    let ring = b.ring()
    same(ring.stone, 3)
    let c = OptionalTokenDouble()
    c.spy.find.does { number in { number == 0 ? nil : Token(value: number) } }
    let found = c.find(0) == nil
    same(found, true)
    same(c.spy.find.calls, [0])
    let d = ResultTokenDouble()
    d.spy.find.does { number in { .success(Token(value: number)) } }
    switch d.find(2) {
    case .success(let token): same(token.value, 2)
    case .failure: Issue.record("A token was expected.")
    }
  }

  @Test func `a type inside one that cannot be copied is recorded`() throws {
    let a = KindOfUncopiedDouble()
    a.spy.price.when(.season, [.day]).returns(7)
    same(try a.price(of: .season, among: [.day]), 7)
    same(a.spy.price.calls.map(\.0), [.season])
    a.spy.best.returns(.day)
    same(a.best(), .day)
    a.spy.type.returns(Ticket.self)
    same(a.type(at: nil) == Ticket.self, true)
    same(a.spy.type.calls, [nil])
  }

  @Test func `the answering function sets and changes values that cannot be copied`() {
    let a = InoutTokenDouble()
    a.spy.spend.returns { token in token.value -= 1 }
    var token = Token(value: 3)
    a.spend(&token)
    same(token.value, 2)
    let b = TokenPropertyDouble()
    b.spy.token.returns { Token(value: 4) }
    b.spy.tokenSet.returns { token in same(token.value, 5) }
    same(b.token.value, 4)
    b.token = Token(value: 5)
    same(b.spy.tokenSet.calls.count, 1)
    let c = TokenSubscriptDouble()
    c.spy.subscript.does { number in { Token(value: number) } }
    c.spy.subscriptSet.does { number in { token in same(token.value, number) } }
    same(c[6].value, 6)
    c[7] = Token(value: 7)
    same(c.spy.subscriptSet.calls, [7])
    TokenInitializerDouble.spy.initialize.returns { token in same(token.value, 8) }
    _ = TokenInitializerDouble(Token(value: 8))
    same(TokenInitializerDouble.spy.initialize.calls.count, 1)
    TokenFailableInitializerDouble.spy.initialize.returns { token in token.value == 9 ? () : nil }
    #expect(TokenFailableInitializerDouble(Token(value: 9)) != nil)
    #expect(TokenFailableInitializerDouble(Token(value: 0)) == nil)
    let d = TokenClosureDouble()
    d.each { token in token }
    same(d.spy.each.calls.count, 1)
  }

  @Test func `a consumed argument is recorded if it can be copied`() {
    let a = ConsumesTagDouble()
    a.spy.use.returns(1)
    same(a.use(Tag(number: 2)), 1)
    same(a.spy.use.calls.map(\.number), [2])
  }

  @Test func `a value of any type that cannot be copied is passed to the answering function`() {
    let double = AnyUncopiedDouble()
    double.spy.look.returns { _ in 3 }
    double.spy.make.returns { Token(value: 4) }
    same(double.look(double.make()), 3)
    same(double.spy.look.calls.count, 1)
    same(double.spy.make.calls.count, 1)
  }
}

extension Span<Int> {
  fileprivate var total: Int { indices.reduce(0) { $0 + self[$1] } }
}

extension SpanActorDouble {
  fileprivate func total(of numbers: [Int]) -> Int { sum(numbers.span) }
}
