// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

/// A test stubs one double, and the code under test calls another that the same line has made.
@Suite(.strayViolationsKept) struct `A double that was made twice` {
  private final class Box: Sendable {
    static let line = #line + 1
    let sends = Spy<String, Int, any Error>("send(_:)")
  }

  private let doubles =
    "Doubles      2 made at UnderstudyDoublesTests/TwinTests.swift:\(Box.line): another"

  private let place = "2 made at UnderstudyDoublesTests/TwinTests.swift:\(Box.line)"

  @Test func `is named where the stubs of one are missing in the other`() {
    let found = violations { _ in
      let (stubbed, called) = (Box(), Box())
      stubbed.sends.returns(1)
      _ = try? called.sends("a")
    }
    #expect(
      found.map(\.firstLine) == [
        "No stub answers send(\"a\").", "The stub of send(any arguments) answered no call.",
      ])
    let remedy =
      "  • The code under test has another double: look where its key is overridden, and when.\n"
    #expect(found.allSatisfy { $0.contains(remedy) && !$0.contains("lifecycle") })
    #expect(found.first?.contains("Doubles    \(place): another has stubs\n") == true)
    #expect(found.last?.contains("Doubles     \(place): another was called\n") == true)
  }

  @Test(arguments: [true, false])
  func `has another remedy if one block has made both`(isOneBlock: Bool) throws {
    let resolver = Resolver()
    let found = try violations { _ in
      resolver.register { Box() }
      let stubbed = try resolver.resolve(Box.self)
      if !isOneBlock { resolver.register { Box() } }
      let called = try resolver.resolve(Box.self)
      stubbed.sends.returns(1)
      _ = try? called.sends("a")
    }
    #expect(found.count == 2 && found.allSatisfy { $0.contains(place) })
    let remedy = "  • One block made both, so share one double:  lifecycle: .cached\n"
    #expect(found.allSatisfy { $0.contains(remedy) == isOneBlock })
  }

  @Test func `is named where the expected call of one reaches the other`() throws {
    let found = violations { _ in
      let (expecting, called) = (Box(), Box())
      expecting.sends.expects(.once)
      called.sends.returns(1)
      _ = try? called.sends("a")
    }
    #expect(found.count == 1)
    try #expect(#require(found.first).contains("\n  \(doubles) was called\n"))
  }

  @Test func `is not named if it is of another requirement`() {
    let found = violations { _ in
      let spies = ["save(_:)", "send(_:)"].map { Spy<String, Int, any Error>($0) }
      spies[0].returns(1)
      _ = try? spies[1]("a")
    }
    #expect(found.count == 2 && found.allSatisfy { !$0.contains(": another ") })
  }

  @Test func `is named only where it has what this one lacks`() {
    let found = violations { _ in
      let (first, second) = (Box(), Box())
      first.sends.when("b").returns(1)
      for box in [first, second] { _ = try? box.sends("a") }
      _ = Spy<Int, Int, any Error>("other(_:)").returns(1)
    }
    #expect(found.filter { $0.contains(": another ") }.count == 1)
  }
}
