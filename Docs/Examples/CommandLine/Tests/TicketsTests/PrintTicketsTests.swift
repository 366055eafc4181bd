// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing
import Tickets
import UnderstudyTesting

/// Records the printed lines.
private final class PaperSpy: Paper {
  let puts = Spy<String, Void, Never>("put(_:)")

  func put(_ line: String) { puts(line) }
}

/// Counts from a given number.
private final class CounterStub: Counter {
  let nexts = Spy<Void, Int, any Error>("next()")

  func next() throws -> Int { try nexts() }
}

/// The parser and the command's `run` are real, and their dependencies are doubles. Each test has a
/// resolver of its own, since `run` registers the values of the options.
struct `The command` {
  private let paper = PaperSpy()
  private let counter = CounterStub()

  private func run(_ words: String...) throws {
    try withResolver(Resolver()) {
      try withOverrides {
        $0.register { paper as any Paper }
        $0.register { counter as any Counter }
      } operation: {
        var command = try PrintTickets.parseAsRoot(words)
        try command.run()
        assertResolved((any Counter).self, count: 1)
      }
    }
  }

  @Test func `prints a numbered ticket for each seat`() throws {
    counter.nexts.returns(7, then: 8)
    try run("A1", "A2", "--play", "Hamlet")
    #expect(
      paper.puts.calls == ["No. 7: Hamlet, seat A1.", "No. 8: Hamlet, seat A2."])
  }

  @Test func `greets once`() throws {
    counter.nexts.returns(1)
    try run("A1", "A2", "--play", "Hamlet", "--greeting", "Enjoy!")
    #expect(
      paper.puts.calls == ["No. 1: Hamlet, seat A1. Enjoy!", "No. 1: Hamlet, seat A2."])
  }

  @Test func `stops when it cannot count`() {
    struct Jam: Error {}
    counter.nexts.throws(Jam())
    #expect(throws: Jam.self) { try run("A1", "--play", "Hamlet") }
    #expect(paper.puts.calls == [])
  }

  @Test func `without a play is refused by the parser`() {
    let error = #expect(throws: (any Error).self) { try PrintTickets.parseAsRoot(["A1"]) }
    #expect(
      error.map { PrintTickets.message(for: $0) } == "Missing expected argument '--play <play>'")
  }
}
