// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

/// A value whose description is that of unequal ones.
private struct Thing: Equatable, Sendable, CustomDebugStringConvertible {
  let id: Int
  var debugDescription: String { "thing" }
}

/// Expected and made calls that print alike.
@Suite(.strayViolationsKept) struct SimilarCallsTests {
  private let differs = "Differs      argument 1 is unequal, though both are described as thing"

  @Test func `a missing call tells why a call that prints alike is another one`() {
    let line = #line
    let found = violations { _ in
      let saves = Spy<Thing, Void, Never>("save(_:)")
      saves.when(.equal(Thing(id: 1))).expects(.once)
      saves(Thing(id: 2))
    }
    #expect(
      found == [
        """
        save(thing) was expected once, and was never called.
          Expected at  UnderstudyDoublesTests/SimilarCallsTests.swift:\(line + 3)
          Calls        - save(thing)
                       + save(thing)
          \(differs)
        """
      ])
  }

  @Test func `the difference of long texts is shown where it is`() {
    let same = String(repeating: "a", count: 2_000)
    let found = violations { _ in
      let saves = Spy<String, Void, Never>("save(_:)")
      saves.when("\(same)b\(same)").expects(.once)
      saves("\(same)c\(same)")
    }
    let shown = String(repeating: "a", count: 20)
    #expect(found.first?.contains("Differs      argument 1 is …\(shown)c") == true, "\(found)")
    #expect(found.first?.contains("not …\(shown)b") == true, "\(found)")
  }

  @Test func `a generic call that prints alike is another one, too`() {
    let found = violations { _ in
      let makes = GenericSpy<Thing>("make(_:)")
      makes.returns(0)
      makes.when(.equal(Thing(id: 1))).expects(.once)
      _ = makes.value(Thing(id: 2), as: Int.self)
    }
    #expect(found.count == 1)
    #expect(found.first?.contains(differs) == true, "\(found)")
  }

  @Test func `a call too many tells why it is not the missing one`() {
    let found = violations { _ in
      let saves = Spy<Thing, Void, Never>("save(_:)")
      saves.when(.equal(Thing(id: 1))).expects(.once)
      expectNoMoreCalls(saves)
      saves(Thing(id: 2))
    }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains(differs) }, "\(found)")
  }

  @Test func `a call of a strict double tells why it is not the expected one`() {
    let found = violations { _ in
      let saves = Spy<Thing, Void, Never>("save(_:)").strict()
      saves.when(.equal(Thing(id: 1))).expects(0...1)
      saves.when(.equal(Thing(id: 3))).expects(.once)
      saves(Thing(id: 2))
      saves(Thing(id: 3))
    }
    #expect(found.map(\.firstLine) == ["save(thing) is unexpected: the double is strict."])
    #expect(found.first?.contains("Differs    argument 1 is unequal") == true, "\(found)")
  }

  @Test func `the difference is shown once, and for the missing call alone`() {
    let found = violations { _ in
      let saves = Spy<Thing, Void, Never>("save(_:)")
      saves.when(.equal(Thing(id: 1))).expects(.once)
      saves.when(.equal(Thing(id: 3))).expects(.once)
      for _ in 1...2 { saves(Thing(id: 1)) }
    }
    let reasons = found.map { $0.split(separator: "\n").count { $0.contains("argument 1 is") } }
    #expect(reasons == [1, 1])
  }

  @Test func `steps tell why calls that print alike do not match`() {
    let saves = Spy<Thing, Void, Never>("save(_:)")
    saves(Thing(id: 2))
    let step = saves.called(with: .equal(Thing(id: 1)))
    let found = expectOrder { step } + expectCalls { step }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.description.contains(differs) }, "\(found)")
    let pairs = Spy<(Thing, Int), Void, Never>("pair(_:_:)")
    pairs(Thing(id: 2), 7)
    let pair = expectOrder { pairs.called(with: .equal(Thing(id: 1)), 7) }
    #expect(
      pair.first?.description.contains(
        "an argument is unequal to the expected one, though both print alike")
        == true, "\(pair)")
    let other = expectOrder {
      saves.called(with: .equal(Thing(id: 2)))
      saves.called(with: .equal(Thing(id: 2)))
    }
    #expect(other.first?.description.contains("Differs") == false, "\(other)")
    let pings = Spy<Void, Void, Never>("ping()")
    pings()
    let all = expectCalls {
      pings.called()
      saves.called(with: .equal(Thing(id: 1)))
    }
    #expect(all.first?.description.contains(differs) == true, "\(all)")
    saves(Thing(id: 3))
    let between = expectOrder {
      saves.called(with: .equal(Thing(id: 2)))
      pairs.called(with: .any, 8)
      saves.called(with: .equal(Thing(id: 3)))
    }
    #expect(between.first?.description.contains("Differs") == false, "\(between)")
  }
}
