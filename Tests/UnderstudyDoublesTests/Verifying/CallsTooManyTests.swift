// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// Calls beyond the expected ones.
@Suite struct CallsTooManyTests {
  @Test func `each call after the expected ones is too many if no more are expected`() {
    let found = violations { _ in
      let pings = Spy<Void, Void, Never>("ping()")
      pings.expects(.once)
      expectNoMoreCalls(pings)
      for _ in 1...3 { pings() }
    }
    let tooMany = "ping() is one call too many: no more calls were expected."
    #expect(found.map(\.firstLine) == [tooMany, tooMany])
  }

  @Test func `calls too many are counted beyond the calls of other expectations`() {
    let found = violations { _ in
      let saves = Spy<Int, Void, Never>("save(_:)")
      saves.when(1).expects(.once)
      saves.expects(.never)
      for number in 1...3 { saves(number) }
      let pings = Spy<Void, Void, Never>("ping()")
      pings.expects(.once)
      pings.expects(.never)
      for _ in 1...2 { pings() }
    }
    let beyond = "beyond the calls of other expectations"
    #expect(
      found.map(\.firstLine) == [
        "save(2) is one call too many: save(any arguments) was not expected, and was called once "
          + "\(beyond).",
        "save(3) is one call too many: save(any arguments) was not expected, and was called "
          + "twice \(beyond).",
        "ping() was called once \(beyond), and no call was expected.",
      ])
  }
  enum Judge: CaseIterable { case strictness, noMoreCalls, forbidden }

  @Test(arguments: Judge.allCases)
  func `a late call is reported as late alone, whatever else judges it`(judge: Judge) {
    let found = violations { _ in
      let saves = Spy<Int, Int, Never>("save(_:)", placeholder: 0)
      if judge == .strictness { saves.strict() }
      #expect(saves.finish() == [])
      switch judge {
      case .strictness: break
      case .noMoreCalls: expectNoMoreCalls(saves)
      case .forbidden: saves.when(1).expects(.never)
      }
      #expect(saves(1) == 0)
    }
    #expect(found.last?.firstLine == "save(1) was called after its double was finished.")
    #expect(found.count == (judge == .forbidden ? 2 : 1), "\(found)")
  }
}
