// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import UnderstudyDoubles

@Suite struct MatcherTests {
  private final class Page {}

  @Test func `matchers for one argument`() {
    let numbers = Spy<Int, Void, Never>("f(_:)")
    for number in -2...5 { numbers(number) }
    #expect(numbers.calls(with: .not(3)) == [-2, -1, 0, 1, 2, 4, 5])
    #expect(numbers.calls(with: .in(1...3)) == [1, 2, 3])
    #expect(numbers.calls(with: .in(..<0)) == [-2, -1])
    #expect(numbers.calls(with: .oneOf(0, 5, 9)) == [0, 5])
    #expect(numbers.calls(with: .in(1...).and(.not(2))) == [1, 3, 4, 5])
    #expect(numbers.calls(with: .in(..<(-1)).or(5)) == [-2, 5])

    let texts = Spy<String, Void, Never>("g(_:)")
    for text in ["a", "ab", "b", ""] { texts(text) }
    #expect(texts.calls(with: .prefix("a")) == ["a", "ab"])
    #expect(texts.calls(with: .prefix("a").and(.not("ab"))) == ["a"])
    #expect(texts.calls(with: .prefix("")).count == 4)
  }

  @Test func `a described predicate is printed in its words`() {
    let found = violations { _ in
      let removes = Spy<(Int, Bool), Int, Never>("remove(_:hard:)", placeholder: 0)
      removes.when(.matching("over 9") { $0 > 9 }, .any).returns(1)
      removes.when("an even number") { number, _ in number.isMultiple(of: 2) }.returns(2)
      removes.when(.not(.matching("small") { $0 < 99 }), true).expects(.once)
      for number in [4, 11, 7] { _ = removes(number, true) }
    }
    #expect(found.count == 2)
    let text = found.joined()
    #expect(
      text.contains(": argument 1 is 7, not over 9\n"), "\(text)")
    #expect(text.contains("remove(an even number), made at"))
    #expect(text.contains(": its predicate does not hold\n"))
    #expect(text.contains("remove(not small, hard: true) was expected once"))
    #expect(!text.contains("matching { … }"))
  }

  private enum Field: Equatable, Sendable, ExpressibleByNilLiteral {
    case null, text(String)
    init(nilLiteral: ()) { self = .null }
  }

  private struct Opaque: Sendable, ExpressibleByNilLiteral {
    init(nilLiteral: ()) {}
  }

  @Test func `nil matches a value that its type writes as nil`() {
    let puts = Spy<Field, Void, Never>("put(_:)")
    puts(.null)
    puts(.text("a"))
    #expect(puts.calls(with: nil) == [.null])
    let found = violations { _ in
      let sends = Spy<Opaque, Int, Never>("send(_:)", placeholder: 0)
      sends.when(nil).returns(1)
      _ = sends(nil)
    }
    #expect(found.contains { $0.contains("nil cannot be compared: the type is not Equatable") })
  }

  @Test func `a text with a value in it is compared, also beside another matcher`() {
    let sends = Spy<(String, Int), Void, Never>("send(_:to:)")
    sends(("tea 7", 1))
    #expect(sends.calls(with: "tea \(3 + 4)", .any).count == 1)
    #expect(sends.calls(with: "tea \(8)", .any).isEmpty)
  }

  @Test func `a range is told as it is written`() {
    let matchers: [Matcher<Int>] = [.in(1...5), .in(1..<5), .in(1...), .in(...2), .in(..<0)]
    #expect(
      matchers.map(\.description) == ["in 1...5", "in 1..<5", "in 1...", "in ...2", "in ..<0"])
  }

  @Test func `a combination within another one is told in parentheses`() {
    let (one, two, three) = (Matcher<Int>.equal(1), Matcher<Int>.equal(2), Matcher<Int>.equal(3))
    let matchers: [Matcher<Int>] = [
      .not(one.or(two)), one.or(two).and(three), one.and(two.or(three)), one.and(two).and(three),
      one.or(two).or(three), .not(one).and(two),
    ]
    #expect(
      matchers.map(\.description) == [
        "not (1 or 2)", "(1 or 2) and 3", "1 and (2 or 3)", "1 and 2 and 3", "1 or 2 or 3",
        "not 1 and 2",
      ])
  }

  @Test func `a combination can never match if its parts make that so`() {
    let (never, one) = (Matcher<Double>.equal(.nan), Matcher<Double>.equal(1))
    let matchers = [
      never.and(one), one.and(never), never.or(never), never.or(one), one.or(never), .not(never),
    ]
    #expect(matchers.map { $0.impossible != nil } == [true, true, true, false, false, false])
  }

  private struct Letter: Equatable, Sendable, CustomStringConvertible {
    let body: String
    var description: String { "a letter" }
  }

  @Test func `a stub of another value with an equal description is not hidden`() {
    let found = violations { _ in
      let sends = Spy<Letter, Int, Never>("send(_:)")
      sends.when(.equal(Letter(body: "one"))).returns(1)
      sends.when(.equal(Letter(body: "two"))).returns(2)
      #expect(sends(Letter(body: "two")) == 2)
    }
    #expect(found.count == 1)
    #expect(!found.contains { $0.contains("Hidden by") })
  }

  private protocol Request: Sendable {}
  private struct GetUser: Request, Equatable { let id: Int }

  @Test func `an argument of a protocol type is matched by a value`() {
    let found = violations { _ in
      let sends = Spy<any Request, Int, Never>("send(_:)", placeholder: 0)
      sends.when(.equal(GetUser(id: 1))).returns(7)
      #expect(sends(GetUser(id: 1)) == 7)
      #expect(sends(GetUser(id: 2)) == 0)
      let deletes = Spy<Any, Int, Never>("delete(for:)")
      deletes.when(.equal("id")).returns(8)
      #expect(deletes("id") == 8)
      let limits = Spy<Int?, Int, Never>("limit(_:)")
      limits.when(.equal(5)).returns(9)
      #expect(limits(5) == 9)
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("GetUser(id: 2), not") == true, "\(found)")
  }

  @Test func `unequal values are told apart, also with one description`() {
    struct Same: Equatable, Sendable, CustomStringConvertible {
      let number: Int
      var description: String { "same" }
    }
    let found = violations { _ in
      let bodies = Spy<Data, Int, Never>("body(_:)", placeholder: 0)
      bodies.when(Data([1, 2, 255])).returns(1).optional()
      _ = bodies(Data([1, 2, 4]))
      let dates = Spy<Date, Int, Never>("date(_:)", placeholder: 0)
      dates.when(Date(timeIntervalSinceReferenceDate: 1)).returns(1).optional()
      _ = dates(Date(timeIntervalSinceReferenceDate: 1.25))
      _ = dates(Date(timeIntervalSince1970: -0.5))
      let others = Spy<Same, Int, Never>("other(_:)", placeholder: 0)
      others.when(Same(number: 1)).returns(1).optional()
      _ = others(Same(number: 2))
    }
    let reasons = found.compactMap {
      $0.split(separator: "argument 1 is ").last.map { String($0).firstLine }
    }
    #expect(
      reasons == [
        "3 bytes (01 02 04), not 3 bytes (01 02 ff)",
        "2001-01-01 00:00:01 +0000 + 0.25 s, not 2001-01-01 00:00:01 +0000",
        "1969-12-31 23:59:59 +0000 + 0.5 s, not 2001-01-01 00:00:01 +0000",
        "unequal, though both are described as same",
      ])
  }

  @Test func `only the newest of many stubs are told`() {
    let found = violations { _ in
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
      for number in 1...30 { spy.when(number).returns(number).optional() }
      _ = spy(31)
    }
    let stubs = found.first?.split(separator: "\n").filter { $0.contains("made at") } ?? []
    #expect(stubs.count == 20)
    #expect(stubs.first?.contains("f(11), ") == true)
    #expect(found.first?.contains("and 10 older ones") == true)
  }

  @Test func `a miss is reported in the words of the matcher`() {
    let found = violations { _ in
      let spy = Spy<(Int, String), Int, Never>("f(_:by:)", placeholder: 0)
      spy.when(.in(1...3).or(7), .prefix("a").and(.not("ab"))).returns(1)
      _ = spy(4, "a")
      _ = spy(7, "ab")
      _ = spy(2, "abc")
    }
    #expect(found.count == 2)
    #expect(found.first?.contains("argument 1 is 4, not in") == true)
    #expect(found.last?.contains("argument 2 is \"ab\", not prefix \"a\" and not \"ab\"") == true)
  }

  /// The class is not `Sendable`.
  @Test func `an object is matched by identity`() {
    let (first, second) = (Page(), Page())
    let plain = Spy<Page, Void, Never>("open(_:)")
    let optional = Spy<Page?, Void, Never>("open(_:)")
    let unchecked = Spy<Unchecked<Page>, Void, Never>("open(_:)")
    let existential = Spy<any AnyObject, Void, Never>("open(_:)")
    for page in [first, second, first] {
      plain(page)
      optional(page)
      unchecked(Unchecked(page))
      existential(page)
    }
    optional(nil)
    #expect(plain.calls(with: .identical(to: first)).count == 2)
    #expect(optional.calls(with: .identical(to: first)).count == 2)
    #expect(unchecked.calls(with: .identical(to: second)).count == 1)
    #expect(existential.calls(with: .identical(to: second)).count == 1)
    #expect(Spy<Int, Void, Never>("f(_:)").calls(with: .identical(to: first)).isEmpty)
  }

  @Test func `another object with an equal description is told as another one`() {
    let found = violations { _ in
      let opens = Spy<Page, Int, Never>("open(_:)", placeholder: 0)
      opens.when(.identical(to: Page())).returns(1).optional()
      _ = opens(Page())
    }
    let text = found.first ?? ""
    #expect(text.contains(": argument 1 is another object, which is described as "), "\(text)")
    #expect(text.contains("Page, too\n"), "\(text)")
  }

  @Test func `more than six arguments are called, matched and expected`() throws {
    let spy = Spy<(Int, Bool, String?, Int, Int, Int, String), Int, Never>("f(_:_:_:_:_:_:_:)")
    spy.returns(0)
    spy.when(.equal(1), .any, .any, .any, .any, .any, .prefix("x")).returns(1)
    spy.when(2, true, nil, 3, 4, 5, "y").returns(2)
    #expect(spy(1, false, "a", 1, 1, 1, "xy") == 1)
    #expect(spy(1, false, "a", 1, 1, 1, "y") == 0)
    #expect(spy(2, true, nil, 3, 4, 5, "y") == 2)
    #expect(spy.calls(with: 1, false, "a", 1, 1, 1, "y").count == 1)
    #expect(verifies { spy.called(with: 2, true, nil, 3, 4, 5, "y") })
  }

  @Test func `ranges of numbers with equal bounds choose the same calls`() {
    let found = violations { _ in
      let counts = Spy<Int, Int, Never>("count(_:)")
      counts.when(.in(1...3)).returns(1)
      counts.when(.in(1...3)).expects(.once)
      let weights = Spy<Double, Int, Never>("weigh(_:)")
      weights.when(.in(..<2)).returns(1)
      weights.when(.in(..<2)).returns(2)
      #expect(weights(1) == 2)
      // These ranges print alike.
      let names = Spy<String, Int, Never>("name(_:)")
      names.when(.in("a"..."b...c")).returns(1)
      names.when(.in("a...b"..."c")).expects(.once)
    }
    #expect(
      found.map(\.firstLine) == [
        "count(in 1...3) was expected once, and was never called.",
        "The stub of weigh(in ..<2.0) answered no call.",
        "name(in a...b...c) was expected once, and was never called.",
        "The stub of name(in a...b...c) answered no call.",
      ])
    #expect(found.map { $0.contains("Hidden by") } == [false, true, false, false], "\(found)")
  }

  private func verifies(_ step: () -> OrderStep) -> Bool {
    (try? verifyOrder { step() }) != nil
  }
}
