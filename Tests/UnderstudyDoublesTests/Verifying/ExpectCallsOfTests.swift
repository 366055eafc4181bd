// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// The exact calls of whole doubles.
@Suite(.strayViolationsKept) struct ExpectCallsOfTests {
  private let mailer = MailerSpy()
  private let repo = RepoDouble()

  init() {
    repo.removes.returns(1)
    repo.decodes.returns(42)
  }

  private func marked(in found: [Violation]) -> [String] {
    found.flatMap { $0.description.split(separator: "\n") }
      .compactMap { line in line.firstMatch(of: #/[-+] \w+.*/#).map { String($0.output) } }
  }

  @Test func `the calls of all spies of the doubles pass in their order`() throws {
    try mailer.send("a")
    _ = try repo.remove(1, hard: true)
    _ = try repo.decode(Int.self, key: "age")
    repo.region = "us"
    _ = repo.region
    try verifyCalls(of: repo, mailer) {
      mailer.sends.called(with: "a")
      repo.removes.called(with: 1, .any)
      repo.decodes.called(with: "age")
      repo.regions.sets.called(with: "us")
      repo.regions.gets.called()
    }
    try verifyCalls(of: mailer) { mailer.sends.called() }
  }

  @Test func `a call of a spy that no step names is one too many`() throws {
    _ = try repo.remove(1, hard: true)
    try mailer.send("surprise")
    let line = #line
    let found = violations { _ in
      expectCalls(of: repo, mailer) { repo.removes.called(with: 1, true) }
    }
    #expect(
      found == [
        """
        The calls are not exactly the expected ones.
          Expected at  UnderstudyDoublesTests/ExpectCallsOfTests.swift:\(line + 2)
          Calls          remove(1, hard: true)
                       + send("surprise")
        """
      ])
  }

  @Test func `calls of generic requirements and of properties are too many, too`() async throws {
    repo.fetches.returns(User(id: 7))
    _ = try repo.decode(Int.self, key: "age")
    repo.region = "us"
    _ = repo.region
    _ = try await repo.fetch(7)
    let found = expectCalls(of: repo) {}
    #expect(
      marked(in: found) == [
        #"+ decode(key: "age") as Int"#, #"+ region = "us""#, "+ region", "+ fetch(7)",
      ])
  }

  @Test func `without a step no call is expected`() throws {
    try verifyCalls(of: repo, mailer) {}
    try mailer.send("a")
    #expect(throws: VerificationError.self) { try verifyCalls(of: repo, mailer) {} }
    #expect(marked(in: expectCalls(of: repo, mailer) {}) == [#"+ send("a")"#])
    #expect(expectCalls(of: repo) {} == [])
  }

  @Test func `a missing call and a wrong order are told with the difference`() throws {
    try mailer.send("b")
    try mailer.send("a")
    let found = expectCalls(of: mailer) {
      mailer.sends.called(with: "a")
      mailer.sends.called(with: "b")
    }
    #expect(marked(in: found) == [#"- send("a")"#, #"+ send("a")"#])
    #expect(
      marked(in: expectCalls(of: repo) { repo.removes.called(with: 2, .any) })
        == ["- remove(2, hard: any)"])
  }

  @Test func `the calls of two doubles of one type are numbered as they are passed`() throws {
    let second = MailerSpy()
    try second.send("a")
    let found = expectCalls(of: mailer, second) { mailer.sends.called(with: "a") }
    #expect(marked(in: found) == [#"- send("a") of double 1"#, #"+ send("a") of double 2"#])
    #expect(
      found.first?.description.contains("Doubles      numbered in the order of the arguments")
        == true, "\(found)")
  }

  @Test func `a spy of another double counts if a step names it`() throws {
    try mailer.send("a")
    try mailer.send("b")
    let found = expectCalls(of: repo) { mailer.sends.called(with: "a") }
    #expect(marked(in: found) == [#"+ send("b")"#])
  }

  @Test func `calls that a spy has not kept are not exact`() {
    let kept = Spy<Int, Void, Never>("keep(_:)").keepsLast(0)
    kept(1)
    let found = expectCalls(of: kept) {}
    #expect(found.first?.description.contains("Not kept     1 call") == true, "\(found)")
  }

  @Test func `an object without a spy is a violation`() {
    let found = expectCalls(of: 7) {}
    #expect(found.map(\.description.firstLine) == ["'Int' has no spy."])
    #expect(throws: VerificationError.self) { try verifyCalls(of: 7) {} }
  }
}
