// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite struct CallNameTests {
  @Test(arguments: [
    ("ping()", [], "ping()"),
    ("send(_:)", ["1"], "send(1)"),
    ("remove(_:hard:)", ["7", "true"], "remove(7, hard: true)"),
    ("remove(_:hard:)", ["any arguments"], "remove(any arguments)"),
    ("region", [], "region"),
    ("region", ["1"], "region(1)"),
    ("decode(key:)", ["\"a\"", "as Int"], "decode(key: \"a\") as Int"),
    ("make()", ["as Int"], "make() as Int"),
  ])
  func `a call is printed as it is written`(name: String, texts: [String], call: String) {
    #expect(CallName(name).call(texts: texts) == call)
  }

  @Test func `a long argument is shortened`() {
    let long = String(repeating: "x", count: 1_200)
    let shown = long.prefix(500) + "…" + long.prefix(250) + " (1200 characters)"
    #expect(CallName("f(_:b:)").call(texts: [long, "2"]) == "f(\(shown), b: 2)")
    #expect(CallName("f(_:)").call(texts: [String(long.prefix(1_000))]).count == 1_003)
  }

  @Test func `a text of the maximal length is printed whole, however many bytes it has`() {
    let text = String(repeating: "é", count: 1_000)
    #expect(CallName.shortened(text) == text)
    #expect(CallName.shortened(text + "é").hasSuffix("(1001 characters)"))
  }

  @Test func `two long arguments are shortened to the parts that differ`() {
    let long = String(repeating: "x", count: 1_200)
    let spy = Spy<String, Int, Never>("f(_:)", placeholder: 0, unstubbed: .report)
    spy.when(.equal(long + "a")).returns(1)
    let found = StrayViolations.$areKept.withValue(true) {
      _ = spy(long + "b")
      return spy.finish().map(\.description)
    }
    let common = "…" + long.prefix(20)
    #expect(
      found.first?.contains("argument 1 is \(common)b\", not \(common)a\"") == true, "\(found)")
  }

  @Test func `arguments are printed as in the source`() {
    #expect(CallName.texts(of: ()) == [])
    #expect(CallName.texts(of: "a") == ["\"a\""])
    #expect(CallName.texts(of: ("a", 1, Int?.none)) == ["\"a\"", "1", "nil"])
    #expect(CallName.texts(of: [1, 2]) == ["[1, 2]"])
    #expect(CallName.texts(of: Unchecked("a")) == ["\"a\""])
  }
}

@Suite struct CallDiffTests {
  @Test(arguments: [
    ([], [], "none"),
    (["a"], ["a"], "  a"),
    (["a"], [], "- a"),
    ([], ["a"], "+ a"),
    (["a", "b"], ["b", "c"], "- a\n  b\n+ c"),
    (["a", "b", "c"], ["a", "x", "c"], "  a\n- b\n+ x\n  c"),
    (["a\nb"], ["c\n\nd"], "- a\n  b\n+ c\n  \n  d"),
  ])
  func `it shows the expected and the actual calls`(
    expected: [String], actual: [String], text: String
  ) {
    func lines(_ texts: [String]) -> [CallDiff.Line] {
      texts.map { CallDiff.Line(token: $0, text: $0) }
    }
    #expect(CallDiff(expected: lines(expected), actual: lines(actual)).description == text)
  }
}

extension CallNameTests {
  @Test(arguments: [(10, false), (250, false), (251, true), (5_000, true)])
  func `long texts that begin alike are shown where they differ`(same: Int, isCut: Bool) {
    let start = String(repeating: "a", count: same)
    let (one, other) = CallName.shortened(
      start + String(repeating: "b", count: 1_000),
      and: start + String(repeating: "c", count: 1_000))
    #expect(one.hasPrefix(isCut ? "…" + String(repeating: "a", count: 20) + "b" : "aaaaaaaaaa"))
    #expect(one.first == other.first && one != other)
  }
}

@Suite struct CallHistoryTests {
  @Test(arguments: 0...5) func `it returns the calls that make room, oldest first`(limit: Int) {
    var history = CallHistory<Int>()
    #expect(history.keepLast(limit).isEmpty)
    let evicted = (0..<12).compactMap { history.append($0)?.arguments }
    #expect(evicted == Array(0..<12 - limit))
    #expect(history.calls.map(\.arguments) == Array(12 - limit..<12))
    #expect(history.calls.map(\.tick) == history.calls.map(\.tick).sorted())
    #expect(history.keepLast(2).count == limit)
    #expect(history.calls.map(\.arguments) == Array(12 - min(limit, 2)..<12))
    #expect(history.removeAll().count == min(limit, 2))
    #expect(history.count == 0)
  }

  @Test(arguments: 0...5) func `an object is found in up to four levels`(levels: Int) {
    let object = Shelf()
    var value: Any = object
    for _ in 0..<levels { value = [value] }
    #expect(isHeld(object, in: value) == (levels <= 4))
    #expect(!isHeld(Shelf(), in: value))
  }

  private final class Shelf {}

  enum Change: CaseIterable { case keepsAsMany, releasesNone, releasesOne, forgetsAll }

  @Test(arguments: Change.allCases)
  func `it stays in order when it was full and is changed`(change: Change) {
    var history = CallHistory<Int>()
    _ = history.keepLast(3)
    for call in 0..<7 { _ = history.append(call) }
    let before: [Int]
    switch change {
    case .keepsAsMany:
      _ = history.keepLast(3)
      before = [4, 5, 6]
    case .releasesNone:
      _ = history.release([])
      before = [4, 5, 6]
    case .releasesOne:
      _ = history.release([history.calls[1].tick])
      before = [4, 6]
    case .forgetsAll:
      _ = history.removeAll()
      before = []
    }
    #expect(history.calls.map(\.arguments) == before)
    for call in 7..<9 {
      _ = history.append(call)
      let calls = history.calls.map(\.arguments)
      #expect(calls == Array((before + Array(7...call)).suffix(3)))
    }
  }
}

@Suite struct ExpectedOrderTests {
  @Test(
    arguments: [
      ([0, 1, 2], [nil, nil, nil]),
      ([0, 0, 2], [nil, nil, "it was expected after b"]),
      ([1, 0, 1, 0], ["it was expected after a", nil, nil, "it was expected before b"]),
      ([0, 1, 0], [nil, nil, "it was expected before b"]),
    ] as [([Int], [String?])])
  func `a step has its place`(entered: [Int], problems: [String?]) {
    var steps = ExpectedOrder.Steps()
    for name in ["a", "b", "c"] { _ = steps.add(name, least: 1) }
    #expect(entered.map { steps.enter($0) } == problems)
  }

  @Test func `a step that left an order has no place in it`() {
    var steps = ExpectedOrder.Steps()
    let (first, second) = (steps.add("first()", least: 1), steps.add("second()", least: 1))
    #expect(steps.enter(second) == "it was expected after first()")
    #expect(steps.enter(first) == nil && steps.enter(second) == nil)
    #expect(steps.enter(first) == "it was expected before second()")
    steps.leave(second)
    #expect(steps.enter(first) == nil)
  }

  @Test func `an optional step may be left out`() {
    var steps = ExpectedOrder.Steps()
    _ = steps.add("a", least: 0)
    _ = steps.add("b", least: 1)
    #expect(steps.enter(1) == nil)
  }
}
