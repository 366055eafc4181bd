// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// The number of certain calls, checked afterwards.
@Suite(.strayViolationsKept) struct ExpectCalledTests {
  private let mailer = MailerSpy()
  private let removes = Spy<(Int, Bool), Int, Never>("remove(_:hard:)")

  init() { removes.returns(0) }

  private func marked(in found: [Violation]) -> [String] {
    found.flatMap { $0.description.split(separator: "\n") }
      .compactMap { line in line.firstMatch(of: #/[-+] \w+.*/#).map { String($0.output) } }
  }

  @Test(arguments: [.once, 1, .exactly(1), .between(0...1), .between(1...)] as [CallCount])
  func `the expected number of calls passes`(count: CallCount) throws {
    _ = removes(7, true)
    _ = removes(8, true)
    #expect(expectCalled(removes.called(with: 7, .any), count) == [])
    try verifyCalled(removes.called(with: 7, .any), count)
  }

  @Test func `ranges and the default are counts, too`() throws {
    _ = removes(7, true)
    _ = removes(7, false)
    #expect(expectCalled(removes.called(with: 7, .any), 2...) == [])
    #expect(expectCalled(removes.called(with: 7, .any), ...2) == [])
    try verifyCalled(removes.called(with: 7, .any), 1..<3)
    try verifyCalled(removes.called(with: 7, true))
    try verifyCalled(removes.called(with: 8, .any), .never)
    #expect(throws: VerificationError.self) { try verifyCalled(removes.called(with: 7, .any)) }
    #expect(throws: VerificationError.self) {
      try verifyCalled(removes.called(with: 7, .any), 3...)
    }
  }

  @Test func `a call too few shows the expected call, the count and all calls of the double`() {
    let line = #line
    let found = violations { _ in
      let removes = Spy<(Int, Bool), Int, Never>("remove(_:hard:)")
      removes.returns(0)
      _ = removes(7, true)
      _ = removes(8, true)
      expectCalled(removes.called(with: 7, .any), 2)
    }
    #expect(
      found == [
        """
        remove(7, hard: any) was expected twice, and was called once.
          Expected at  UnderstudyDoublesTests/ExpectCalledTests.swift:\(line + 6)
          Double       remove(_:hard:), made at \
        UnderstudyDoublesTests/ExpectCalledTests.swift:\(line + 2)
          Calls          remove(7, hard: true)
                       - remove(7, hard: any)
                       + remove(8, hard: true)
        """
      ])
  }

  @Test func `calls too many are marked`() {
    for _ in 1...3 { _ = removes(7, true) }
    let found = expectCalled(removes.called(with: 7, .any), 1...2)
    #expect(
      found.map(\.description.firstLine) == [
        "remove(7, hard: any) was expected 1 to 2 times, and was called 3 times."
      ])
    #expect(marked(in: found) == ["+ remove(7, hard: true)"])
  }

  private struct Draft: Equatable, CustomStringConvertible {
    let number: Int
    var description: String { "Draft" }
  }

  @Test func `a call that prints like the expected one is told apart`() {
    let saves = Spy<Draft, Void, Never>("save(_:)")
    saves(Draft(number: 1))
    let found = expectCalled(saves.called(with: .equal(Draft(number: 2))))
    #expect(
      found.map(\.description.firstLine) == ["save(Draft) was expected once, and was never called."]
    )
    #expect(
      found.first?.description.contains(
        "Differs      argument 1 is unequal, though both are described as Draft") == true,
      "\(found)")
  }

  @Test func `of many calls those around the last matching one are shown`() {
    for number in 1...1_000 { _ = removes(number, true) }
    let found = expectCalled(removes.called(with: 500, .any), 2)
    let lines = found.first?.description.split(separator: "\n") ?? []
    #expect(lines.contains("                 remove(500, hard: true)"))
    #expect(lines.last == "  Not shown    900 calls")
    #expect(lines.count == 105)
  }

  @Test func `calls that a spy has not kept count if any arguments are expected`() throws {
    let kept = Spy<Int, Void, Never>("keep(_:)").keepsLast(1)
    for number in 1...3 { kept(number) }
    try verifyCalled(kept.called(), 3)
    try verifyCalled(kept.called(with: 3), 1...)
    let found = expectCalled(kept.called(with: 3), .once)
    #expect(
      found.map(\.description.firstLine) == [
        "keep(3) was expected once, and was called once among the calls that are kept."
      ])
    #expect(found.first?.description.contains("Not kept     2 calls") == true)
  }

  @Test func `a generic call is counted for all types`() throws {
    let decodes = GenericSpy<String>("decode(key:)")
    decodes.returns(1)
    decodes.returns("one")
    _ = try decodes("a", as: Int.self)
    _ = try decodes("a", as: String.self)
    try verifyCalled(decodes.called(with: "a"), 2)
  }

  @Test(
    arguments: [-1, .exactly(-2), .between(..<0), .between(...(-1)), .between(5..<5)] as [CallCount]
  )
  func `a number of calls that is impossible is reported as such`(count: CallCount) {
    _ = removes(7, true)
    let found = expectCalled(removes.called(), count).map(\.description)
    #expect(found.count == 1)
    let start = "The expectation of remove(any arguments) \(count) cannot be met: "
    #expect(found.first?.hasPrefix("\(start)no number of calls satisfies it.") == true, "\(found)")
    #expect(found.first?.hasSuffix("Expect a count from 0: .never, .once, 2...") == true)
  }

  @Test func `a variable is a count`() throws {
    let count = 2
    for _ in 1...count { _ = removes(7, true) }
    #expect(expectCalled(removes.called(with: 7, .any), count) == [])
    try verifyCalled(removes.called(with: 7, .any), count)
    #expect(expectCalled(removes.called(with: 7, .any), count + 1).count == 1)
    #expect(throws: VerificationError.self) {
      try verifyCalled(removes.called(with: 7, .any), count + 1)
    }
  }

  @Test func `an expectation may take its number from a variable`() {
    let count = 2
    let found = violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.returns(4).expects(count)
      #expect(prices("tea") == 4)
      let decodes = GenericSpy<String>("decode(key:)")
      decodes.returns(4).expects(count)
      decodes.when("age").expects(count)
    }
    #expect(
      found.map(\.firstLine) == [
        "price(of: any arguments) was expected twice, and was called once.",
        "decode(key: any arguments) was expected twice, and was never called.",
        "decode(key: \"age\") was expected twice, and was never called.",
      ])
  }

  @Test func `a call that is not expected is told in these words`() {
    _ = removes(7, true)
    #expect(
      expectCalled(removes.called(with: 7, .any), .never).map(\.description.firstLine) == [
        "remove(7, hard: any) was not expected, and was called once."
      ])
  }

  @Test func `a call that can never match is reported, whatever is expected of it`() {
    let line = #line + 1
    let waits = Spy<Double, Void, Never>("wait(_:)")
    waits(.nan)
    let found =
      expectCalled(waits.called(with: .equal(.nan)), .never)
      + expectOrder { waits.called(with: .equal(.nan)) }
      + expectCalls { waits.called(with: .equal(.nan)) }
      + expectCalls(of: waits) { waits.called(with: .equal(.nan)) }
    let place = "UnderstudyDoublesTests/ExpectCalledTests.swift"
    #expect(
      found.map(\.description)
        == [line + 3, line + 4, line + 5, line + 6].map { expected in
          """
          No call can match wait(nan): argument 1: nan is not equal to itself.
            Expected at  \(place):\(expected)
            Double       wait(_:), made at \(place):\(line)
          To fix:  Match it with a predicate: .matching { … }
          """
        })
  }
}
