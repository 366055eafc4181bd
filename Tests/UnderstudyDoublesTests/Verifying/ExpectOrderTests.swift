// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

@Suite(.strayViolationsKept) struct ExpectOrderTests {
  let mailer = MailerSpy()
  let saves = Spy<(Int, Bool), Void, Never>("save(_:hard:)")

  @Test func `calls in order pass, even with other calls between them`() throws {
    saves(1, true)
    try mailer.send("noise")
    try mailer.send("saved")
    saves(2, true)
    try verifyOrder {
      saves.called(with: 1, .any)
      mailer.sends.called(with: "saved")
      saves.called()
    }
    #expect(expectOrder { mailer.sends.called(with: "noise") } == [])
  }

  @Test func `a step that is listed twice must be called twice`() throws {
    try mailer.send("a")
    #expect(throws: VerificationError.self) {
      try verifyOrder {
        mailer.sends.called()
        mailer.sends.called()
      }
    }
  }

  private struct Described: Sendable, CustomStringConvertible {
    let descriptions: Lock<Int>
    var description: String {
      descriptions.withLock { $0 += 1 }
      return "text"
    }
  }

  @Test(arguments: [true, false])
  func `only the calls that a message shows are described`(isInOrder: Bool) {
    let descriptions = Lock(0)
    let spy = Spy<Described, Void, Never>("f(_:)")
    for _ in 1...1_000 { spy(Described(descriptions: descriptions)) }
    let found = expectOrder {
      spy.called()
      if !isInOrder { saves.called() }
    }
    #expect(found.count == (isInOrder ? 0 : 1))
    #expect(descriptions.withLock { $0 } == (isInOrder ? 0 : 100))
  }

  @Test func `a call that was forgotten after its step has no text`() {
    saves(1, true)
    let step = saves.called()
    saves.forgetCalls()
    let found = expectOrder {
      step
      step
    }
    #expect(found.first?.description.contains("  a forgotten call") == true, "\(found)")
  }

  @Test func `a call out of place shows expected and actual calls`() throws {
    try mailer.send("saved")
    saves(1, true)
    let line = #line
    let found = violations { _ in
      expectOrder {
        saves.called(with: 1, true)
        mailer.sends.called(with: "saved")
      }
    }
    #expect(
      found == [
        """
        send("saved") was not called after save(1, hard: true).
          Expected at  UnderstudyDoublesTests/ExpectOrderTests.swift:\(line + 2)
          Calls        - save(1, hard: true)
                         send("saved")
                       + save(1, hard: true)
        """
      ])
  }

  @Test func `a call out of place among many shows only the calls around the place`() {
    for number in 1...2_000 { saves(number, true) }
    let found = expectOrder {
      saves.called(with: 2, true)
      saves.called(with: 1_000, true)
      saves.called(with: 7, true)
    }
    let lines = found.first?.description.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count == 104)
    #expect(lines.first == "save(7, hard: true) was not called after save(1000, hard: true).")
    #expect(lines.contains("                 save(1000, hard: true)"))
    #expect(lines.filter { $0.contains("- ") } == ["               - save(7, hard: true)"])
    #expect(lines.last == "  Not shown    1900 calls")
  }

  @Test func `steps after the calls that a message shows are not shown either`() {
    for number in 1...150 { saves(number, true) }
    let steps = { (numbers: ClosedRange<Int>) in
      numbers.map { number in saves.called(with: number == 3 ? 0 : number, true) }
    }
    let dense = expectOrder { for step in steps(1...150) { step } }
    #expect(changes(in: dense) == ["- save(0, hard: true)", "+ save(3, hard: true)"])
    let sparse = expectOrder { for step in [1...1, 3...3, 140...140].flatMap(steps) { step } }
    #expect(changes(in: sparse).filter { $0.hasPrefix("-") } == ["- save(0, hard: true)"])
  }

  @Test func `a missing step after as many calls as a message shows is shown`() {
    for number in 1...100 { saves(number, true) }
    let found = expectCalls {
      for number in 1...101 { saves.called(with: number, true) }
    }
    #expect(changes(in: found) == ["- save(101, hard: true)"])
  }

  private func changes(in found: [Violation]) -> [String] {
    found.flatMap { $0.description.split(separator: "\n") }
      .compactMap { line in line.firstMatch(of: #/[-+] save\(.*/#).map { String($0.output) } }
  }

  @Test func `the calls of two doubles of one type are told apart`() throws {
    let (first, second) = (MailerSpy(), MailerSpy())
    try second.send("a")
    try first.send("a")
    let line = #line
    let found = expectOrder {
      first.sends.called(with: "a")
      second.sends.called(with: "a")
    }
    #expect(
      found.map(\.description) == [
        """
        send("a") of double 2 was not called after send("a") of double 1.
          Expected at  UnderstudyDoublesTests/ExpectOrderTests.swift:\(line + 1)
          Calls        - send("a") of double 1
                         send("a") of double 2
                       + send("a") of double 1
          Doubles      numbered as the steps first name them
        """
      ])
  }

  @Test func `exactly the expected calls pass`() throws {
    saves(1, true)
    try mailer.send("a")
    saves(2, false)
    try verifyCalls {
      saves.called(with: 1, true)
      saves.called()
    }
    #expect(
      expectCalls {
        saves.called()
        mailer.sends.called(with: "a")
        saves.called(with: 2, .any)
      } == [])
  }

  @Test func `a call more, a call less and another order are told with the difference`() throws {
    saves(1, true)
    saves(2, true)
    let line = #line
    let found = expectCalls { saves.called(with: 2, true) }
    #expect(
      found.map(\.description) == [
        """
        The calls are not exactly the expected ones.
          Expected at  UnderstudyDoublesTests/ExpectOrderTests.swift:\(line + 1)
          Calls        + save(1, hard: true)
                         save(2, hard: true)
        """
      ])
    #expect(throws: VerificationError.self) {
      try verifyCalls {
        saves.called(with: 2, true)
        saves.called(with: 1, true)
      }
    }
    #expect(throws: VerificationError.self) {
      try verifyCalls {
        saves.called()
        saves.called()
        saves.called()
      }
    }
    let kept = Spy<Int, Void, Never>("keep(_:)").keepsLast(1)
    kept(1)
    kept(2)
    #expect(throws: VerificationError.self) { try verifyCalls { kept.called(with: 2) } }
    #expect(
      expectCalls {}.map(\.description.firstLine) == ["No call is expected: there are no steps."])
  }

  @Test func `a difference among many exact calls is shown where it is`() {
    for number in 1...150 { saves(number, true) }
    let found = expectCalls {
      for number in 1...150 { saves.called(with: number == 140 ? 0 : number, true) }
    }
    let lines = found.first?.description.split(separator: "\n") ?? []
    #expect(lines.count == 104)
    #expect(lines.count { $0.contains("- ") || $0.contains("+ ") } == 2)
    #expect(lines.contains { $0.hasSuffix("- save(0, hard: true)") })
    #expect(lines.contains { $0.hasSuffix("+ save(140, hard: true)") })
  }

  @Test func `exact calls of a double that has not kept all of them are not exact`() {
    let kept = Spy<Int, Void, Never>("keep(_:)").keepsLast(1)
    saves(1, true)
    kept(1)
    kept(2)
    let found = expectCalls {
      saves.called()
      kept.called(with: 2)
    }
    #expect(found.first?.description.contains("Not kept     1 call") == true, "\(found)")
  }

  @Test func `a call that was never made is named`() {
    let found = expectOrder { saves.called(with: .any, false) }
    #expect(found.map(\.description.firstLine) == ["save(any, hard: false) was never called."])
  }

  @Test func `the violation is returned if there is no layer to report it to`() throws {
    let found = expectOrder { mailer.sends.called() }
    #expect(found.count == 1)
  }

  @Test func `a call that is no longer stored is not reported as never made`() {
    let kept = Spy<Int, Void, Never>("keep(_:)").keepsLast(1)
    kept(1)
    kept(2)
    let found = expectOrder { kept.called(with: 1) }.map(\.description)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("keep(1) is not among the calls that are kept.\n"))
    #expect(found[0].contains("Not kept     1 call"))
    kept.forgetCalls()
    #expect(
      expectOrder { kept.called(with: 1) }.map(\.description.firstLine) == [
        "keep(1) was never called."
      ])
  }
}
