// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

@Suite struct ExpectationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let count: CallCount
    let calls: Int
    let isMet: Bool
    var testDescription: String { "\(count), called \(calls) times" }
  }

  static let cases: [Case] = [
    Case(count: .once, calls: 0, isMet: false),
    Case(count: .once, calls: 1, isMet: true),
    Case(count: .once, calls: 2, isMet: false),
    Case(count: .never, calls: 0, isMet: true),
    Case(count: .never, calls: 1, isMet: false),
    Case(count: 3, calls: 2, isMet: false),
    Case(count: 3, calls: 3, isMet: true),
    Case(count: .exactly(3), calls: 4, isMet: false),
    Case(count: .between(2...), calls: 1, isMet: false),
    Case(count: .between(2...), calls: 2, isMet: true),
    Case(count: .between(2...), calls: 9, isMet: true),
    Case(count: .between(1...3), calls: 0, isMet: false),
    Case(count: .between(1...3), calls: 3, isMet: true),
    Case(count: .between(1...3), calls: 4, isMet: false),
    Case(count: .between(...2), calls: 0, isMet: true),
    Case(count: .between(...2), calls: 3, isMet: false),
    Case(count: .between(..<2), calls: 1, isMet: true),
    Case(count: .between(..<2), calls: 2, isMet: false),
    Case(count: .between(0...0), calls: 1, isMet: false),
    Case(count: .between(2...Int.max), calls: 1, isMet: false),
    Case(count: .between(2...Int.max), calls: 2, isMet: true),
    Case(count: .between(...Int.max), calls: 2, isMet: true),
    Case(count: .between(..<(-1)), calls: 0, isMet: false),
    Case(count: .between(...(-2)), calls: 0, isMet: false),
    Case(count: .between(Int.min..<Int.min), calls: 0, isMet: false),
    Case(count: .between(3..<3), calls: 1, isMet: false),
    Case(count: .exactly(.min), calls: 1, isMet: false),
  ]

  @Test(arguments: cases) func `an expectation is met by its number of calls`(_ row: Case) {
    let found = violations { _ in
      let pings = Spy<Void, Void, Never>("ping()")
      pings.expects(row.count)
      for _ in 0..<row.calls { pings() }
    }
    #expect(found.isEmpty == row.isMet, "\(found)")
    #expect(row.count.allows(row.calls) == row.isMet)
  }

  @Test func `an expected call that is missing is one violation, even if it is stubbed`() throws {
    let missing = ["price(of: \"tea\") was expected once, and was never called."]
    let chains: [@Sendable (Spy<String, Int, Never>) -> Void] = [
      { $0.when("tea").expects(.once).returns(3) },
      { $0.when("tea").returns(3).expects(.once) },
      {
        $0.when("tea").returns(3)
        $0.when("tea").expects(.once)
      },
    ]
    for chain in chains {
      let found = violations { _ in chain(Spy("price(of:)")) }
      #expect(found.map(\.firstLine) == missing)
    }
    // It is verified in the middle of the test, and finished at the end.
    let found = violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.when("tea").expects(.once).returns(3)
      let error = #expect(throws: VerificationError.self) { try prices.verify() }
      #expect(error?.violations.map { $0.description.firstLine } == missing)
    }
    #expect(found == [])
  }

  @Test func `a missing expected call does not affect another stub`() {
    let found = violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.when("gin").expects(.once)
      prices.when("tea").returns(3)
    }
    #expect(
      found.map(\.firstLine) == [
        "price(of: \"gin\") was expected once, and was never called.",
        "The stub of price(of: \"tea\") answered no call.",
      ])
  }

  @Test func `an unmet expectation shows expected and actual calls`() throws {
    let line = #line
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("hello").expects(.once)
      mailer.sends.when("bye").expects(2...)
      try mailer.send("bye")
      try mailer.send("what?")
    }
    #expect(
      found == [
        """
        send("hello") was expected once, and was never called.
          Expected at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 3)
          Calls          send("bye")
                       - send("hello")
                       - send("bye")
                       + send("what?")
        """,
        """
        send("bye") was expected at least twice, and was called once.
          Expected at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 4)
          Calls          send("bye")
                       - send("hello")
                       - send("bye")
                       + send("what?")
        """,
      ])
  }

  @Test func `a call beyond the expected number is additional in the difference`() {
    let found = violations { _ in
      let sends = Spy<Int, Void, Never>("send(_:)")
      sends.when(1).expects(.between(1...2))
      sends.when(2).expects(.once)
      for _ in 1...3 { sends(1) }
    }
    let lines = found.last?.split(separator: "\n").suffix(4).map { $0.suffix(9) }
    #expect(lines == ["  send(1)", "  send(1)", "- send(2)", "+ send(1)"])
  }

  @Test func `a call beyond a number that no difference can show is additional, too`() {
    let found = violations { _ in
      let sends = Spy<Int, Void, Never>("send(_:)")
      sends.expects(120)
      for number in 1...121 { sends(number) }
    }
    let lines = found.last?.split(separator: "\n").suffix(2).map { $0.suffix(11) }
    #expect(lines == ["  send(120)", "+ send(121)"])
  }

  @Test func `one call too many exceeds the newest expectation`() {
    let found = violations { _ in
      let sends = Spy<Int, Void, Never>("send(_:)")
      sends.expects(.between(1...2))
      sends.when(1).expects(.once)
      for _ in 1...4 { sends(1) }
    }
    #expect(
      found.map(\.firstLine) == [
        "send(1) was called twice beyond the calls of other expectations, "
          + "and send(1) was expected once."
      ])
  }

  @Test func `one call too many is reported at the call`() throws {
    let line = #line
    let found = violations { layer in
      let sends = Spy<String, Void, Never>("send(_:)")
      sends.when("hello").expects(.once)
      sends("hello")
      #expect(sends.finish() == [])
      let more = Spy<String, Void, Never>("send(_:)")
      more.expects(.never)
      more("hello")
    }
    #expect(
      found == [
        """
        send("hello") is one call too many: send(any arguments) was not expected, and was called once.
          Called at    UnderstudyDoublesTests/ExpectationTests.swift:\(line + 8)
          Expected at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 7)
          Calls        + send("hello")
        """
      ])
  }

  @Test func `an expectation may stub as well`() throws {
    let found = try violations { _ in
      let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
      removes.when(7, .any).expects(.once).returns(3)
      try #expect(removes(7, true) == 3)
    }
    #expect(found == [])
  }

  @Test func `calls before the expectation do not count, and that is reported`() {
    let line = #line
    let found = violations { _ in
      let pings = Spy<Void, Void, Never>("ping()")
      pings()
      pings.expects(.once)
      pings()
    }
    #expect(
      found == [
        """
        The expectation of ping() once cannot be met: it was called once before, and only later \
        calls count.
          Expected at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 4)
        To fix:  Expect calls before they are made, or check them afterwards:  expectCalled(…)
        """
      ])
  }

  @Test func `an expectation that comes too late is reported once`() {
    let found = violations { _ in
      let (pings, pongs) = (Spy<Void, Void, Never>("ping()"), Spy<Void, Void, Never>("pong()"))
      let order = ExpectedOrder()
      pings()
      pings.expects(.once, in: order)
      pongs.expects(.once, in: order)
      pongs()
    }
    #expect(
      found.map(\.firstLine) == [
        "The expectation of ping() once cannot be met: it was called once before, "
          + "and only later calls count."
      ])
  }

  @Test func `calls before the expectation are noticed even if none are stored`() {
    let found = violations { _ in
      let pings = Spy<Int, Void, Never>("ping(_:)").keepsLast(0)
      pings(1)
      pings.expects(.never)
    }
    #expect(
      found.map(\.firstLine) == [
        "The expectation of ping(any arguments) never cannot be met: it was called once before, "
          + "and only later calls count."
      ])
  }

  @Test func `a call that is expected any number of times may be expected after it was made`() {
    let found = violations { _ in
      let pings = Spy<Void, Void, Never>("ping()")
      pings()
      pings.expects(0...)
    }
    #expect(found == [])
  }

  @Test func `an expectation that can never be met is reported`() {
    let found = violations { _ in
      let waits = Spy<Double, Void, Never>("wait(_:)")
      waits.expects(.exactly(-1))
      waits.when(.equal(.nan)).expects(.never)
    }
    #expect(
      found.map(\.firstLine) == [
        "The expectation of wait(any arguments) -1 times cannot be met: "
          + "no number of calls satisfies it.",
        "The expectation of wait(nan) never cannot be met: "
          + "argument 1: nan is not equal to itself.",
      ])
  }

  @Test func `expectations in order are met in order, across doubles`() throws {
    let found = try violations { _ in
      let (mailer, saves, order) = ordered()
      saves("draft")
      try mailer.send("saved")
      _ = order
    }
    #expect(found == [])
  }

  @Test func `a call that comes too early or too late is reported`() throws {
    let early = try violations { _ in
      let (mailer, saves, _) = ordered()
      try mailer.send("saved")
      saves("draft")
    }
    // The second call is late only because the first one was early.
    #expect(
      early.map(\.firstLine) == [
        "send(\"saved\") was called out of order: it was expected after save(\"draft\")."
      ])
    let line = #line
    let late = violations { _ in
      let (first, second) = (Spy<Void, Void, Never>("first()"), Spy<Void, Void, Never>("second()"))
      let order = ExpectedOrder()
      first.expects(1..., in: order)
      second.expects(1..., in: order)
      first()
      second()
      first()
    }
    #expect(
      late.map(\.firstLine) == ["first() was called out of order: it was expected before second()."]
    )
    #expect(late.last?.contains("ExpectationTests.swift:\(line + 8)") == true)
    #expect(
      late.last?.contains(
        "Expected at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 4)") == true)
  }

  @Test func `a call that a side effect makes comes after the call of the side effect`() {
    let found = violations { _ in
      let (first, second) = (Spy<Void, Void, Never>("first()"), Spy<Void, Void, Never>("second()"))
      let order = ExpectedOrder()
      first.expects(.once, in: order)
      second.expects(.once, in: order)
      first.onCall { second() }
      first()
    }
    #expect(found == [])
  }

  @Test func `an expectation in an order leaves the order at a reset`() throws {
    let found = try violations { _ in
      let (mailer, saves, order) = ordered()
      saves.reset()
      try mailer.send("saved")
      // The call that was already made in the order has left it, too.
      let last = Spy<Void, Void, Never>("last()")
      last.expects(.once, in: order)
      last()
      last.reset()
      mailer.sends.when("more").expects(.once, in: order)
      try mailer.send("more")
    }
    #expect(found == [])
  }

  @Test func `an unmet expectation that verify has reported holds back no later one`() {
    var told = 0
    let found = violations { _ in
      let (first, second) = (Spy<Void, Void, Never>("first()"), Spy<Void, Void, Never>("second()"))
      let order = ExpectedOrder()
      first.expects(2, in: order)
      second.expects(.once, in: order)
      first()
      do throws(VerificationError) { try verify(first) } catch { told = error.violations.count }
      second()
    }
    #expect(told == 1)
    #expect(found == [])
  }

  @Test func `an unmet expectation that the end of its double has reported holds back no other`() {
    let found = violations { _ in
      let (first, second) = (Spy<Void, Void, Never>("first()"), Spy<Void, Void, Never>("second()"))
      let order = ExpectedOrder()
      first.expects(.once, in: order)
      second.expects(.once, in: order)
      #expect(first.finish().count == 1)
      second()
    }
    #expect(found == [])
  }

  @Test func `a met expectation keeps its place in an order after verify`() throws {
    let found = try violations { _ in
      let (first, second) = (Spy<Void, Void, Never>("first()"), Spy<Void, Void, Never>("second()"))
      let order = ExpectedOrder()
      first.expects(1..., in: order)
      second.expects(.once, in: order)
      first()
      second()
      try verify(second)
      first()
    }
    #expect(
      found.map(\.firstLine) == [
        "first() was called out of order: it was expected before second()."
      ])
  }

  @Test func `one call too many is not reported as made as often as others`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      sends.expects(.once)
      sends("a")
      sends("b")
    }
    #expect(
      found.map(\.firstLine) == [
        "send(\"b\") is one call too many: send(any arguments) was expected once, and was called twice."
      ])
  }

  private func ordered() -> (MailerSpy, Spy<String, Void, Never>, ExpectedOrder) {
    let mailer = MailerSpy()
    let saves = Spy<String, Void, Never>("save(_:)")
    let order = ExpectedOrder()
    saves.when("draft").expects(.once, in: order)
    mailer.sends.when("saved").expects(.once, in: order)
    return (mailer, saves, order)
  }

  @Test func `a strict double reports an unexpected call that is not stubbed, at the call`() {
    let line = #line
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)").strict()
      sends.when("hello").expects(.once)
      sends.when("stubbed").returns()
      sends("hello")
      sends("stubbed")
      sends("what?")
    }
    #expect(
      found == [
        """
        send("what?") is unexpected: the double is strict.
          Called at  UnderstudyDoublesTests/ExpectationTests.swift:\(line + 7)
          Expected   send("hello") once
          Stubs      send("stubbed"), made at UnderstudyDoublesTests/ExpectationTests.swift:\
        \(line + 4): argument 1 is "what?", not "stubbed"
          Calls        send("hello")
                     + send("stubbed")
                     + send("what?")
        To fix, do one of these:
          • Expect it:  .when(…).expects(.once)
          • Stub it:    .when(…).returns()
        """
      ])
  }

  @Test func `a strict property names its gets and sets`() {
    let found = violations { _ in
      let regions = SpyProperty<String>("region", "eu")
      regions.gets.strict()
      regions.sets.strict()
      regions.value += "us"
    }
    #expect(
      found.map { $0.split(separator: "\n").suffix(2).map(String.init) } == [
        ["  • Expect it:  .gets.expects(.once)", "  • Stub it:    .gets.returns(…)"],
        [
          "  • Expect it:  .sets.when(…).expects(.once)", "  • Stub it:    .sets.when(…).returns()",
        ],
      ])
  }

  @Test func `a double may become strict after it was called`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      for _ in 0..<3 { sends("free") }
      sends.strict()
      sends("strict")
    }
    #expect(found.map(\.firstLine) == ["send(\"strict\") is unexpected: the double is strict."])
  }

  @Test func `a strict double that forwards reports each call without a stub`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)").strict()
      sends.forwards { _ in }
      sends.when("stubbed").returns()
      for text in ["a", "b", "stubbed", "c"] { sends(text) }
    }
    #expect(
      found.map(\.firstLine)
        == ["a", "b", "c"].map {
          "send(\"\($0)\") is unexpected: the double is strict."
        })
  }

  @Test func `without a layer, verify throws each unmet expectation once`() throws {
    let pings = Spy<Void, Void, Never>("ping()")
    pings.expects(.once)
    let error = #expect(throws: VerificationError.self) { try pings.verify() }
    #expect(error?.description.firstLine == "ping() was expected once, and was never called.")
    try pings.verify()
    #expect(pings.finish() == [])
  }

  @Test func `without a layer, verify passes if all expectations are met`() throws {
    let pings = Spy<Void, Void, Never>("ping()")
    pings.expects(2...3)
    pings()
    pings()
    try verify(pings)
  }

  @Test func `a value without a spy cannot be verified`() {
    struct Handwritten { var count = 0 }
    let line = #line + 1
    let error = #expect(throws: VerificationError.self) { try verify(Handwritten(), 7) }
    #expect(
      error?.violations.map(\.description) == [
        """
        'Handwritten' has no spy.
          At  UnderstudyDoublesTests/ExpectationTests.swift:\(line)
        To fix:  Pass the spies themselves, or the double that has them.
        """,
        """
        'Int' has no spy.
          At  UnderstudyDoublesTests/ExpectationTests.swift:\(line)
        To fix:  Pass the spies themselves, or the double that has them.
        """,
      ])
    #expect(finish(Handwritten()).count == 1)
  }

  @Test func `a double whose spy is created lazily can be verified`() throws {
    final class Late { lazy var pings = Spy<Void, Void, Never>("ping()") }
    let late = Late()
    try verify(late)
    #expect(finish(late) == [])
    late.pings.expects(.once)
    #expect(throws: VerificationError.self) { try verify(late) }
  }

  @Test func `a call counts for an expectation of its arguments before one of any arguments`() {
    let found = violations { _ in
      let saves = Spy<Int, Void, Never>("save(_:)")
      saves.expects(2)
      saves.when(7).expects(.once)
      for number in [7, 8, 9] { saves(number) }
    }
    #expect(found == [])
  }

  @Test func `an unmet expectation says how many matching calls counted for another one`() {
    let found = violations { _ in
      let saves = Spy<Int, Void, Never>("save(_:)")
      saves.expects(2)
      saves.when(7).expects(.once)
      for number in [7, 8] { saves(number) }
      let sends = Spy<Int, Void, Never>("send(_:)")
      sends.when { $0 < 9 }.expects(.once)
      sends.when(7).expects(.once)
      sends(7)
    }
    #expect(
      found.map(\.firstLine) == [
        "save(any arguments) was expected twice, and 1 of 2 matching calls counted for it.",
        "send(7) was expected once, and 0 of 1 matching calls counted for it.",
      ])
  }

  @Test func `a call counts for the oldest expectation that has room`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      sends.when("hello").expects(.once)
      sends.when(.any).expects(.once)
      sends("hello")
      sends("hello")
    }
    #expect(found == [])
  }

  @Test(arguments: [true, false])
  func `a call with forbidden arguments is one too many, though others are expected`(
    isForbiddenFirst: Bool
  ) throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      if isForbiddenFirst { mailer.sends.when("spam").expects(.never) }
      mailer.sends.expects(1...)
      mailer.sends.when(.prefix("s")).expects(1...)
      if !isForbiddenFirst { mailer.sends.when("spam").expects(.never) }
      for text in ["hello", "spam", "salt"] { try mailer.send(text) }
    }
    #expect(
      found.map(\.firstLine) == ["send(\"spam\") was called once, and no call was expected."])
  }

  @Test func `an expectation of no call at all allows the calls that are expected otherwise`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      sends.expects(.never)
      sends.when("hello").expects(.once)
      for text in ["hello", "spam"] { sends(text) }
    }
    #expect(
      found.map(\.firstLine) == [
        "send(\"spam\") is one call too many: send(any arguments) was not expected, and was "
          + "called once beyond the calls of other expectations."
      ])
  }

  @Test func `a missing expected call does not hide an unused stub with another predicate`() {
    let found = violations { _ in
      let saves = Spy<Int, Void, Never>("save(_:)")
      saves.when { $0 > 9 }.expects(.once)
      saves.when { $0 < 0 }.returns()
      saves.when { $0 == 5 }.expects(.once).returns()
    }
    #expect(
      found.map(\.firstLine) == [
        "save(matching { … }) was expected once, and was never called.",
        "save(matching { … }) was expected once, and was never called.",
        "The stub of save(matching { … }) answered no call.",
      ])
  }
}
