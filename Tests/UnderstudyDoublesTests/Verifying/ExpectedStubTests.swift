// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// Expectations of any arguments.
@Suite struct ExpectedStubTests {
  @Test func `an expectation of any arguments may stub as well`() {
    let found = violations { _ in
      let loads = Spy<Int, Int, Never>("load(_:)")
      loads.expects(.once).returns(3)
      #expect(loads(1) == 3)
      let makes = GenericSpy<Int>("make(_:)")
      makes.expects(1...).returns("a")
      #expect(makes.value(1, as: String.self) == "a")
      let saves = Spy<Void, Void, RepoError>("save()")
      saves.expects().throws(.missing)
      #expect(throws: RepoError.missing) { try saves() }
    }
    #expect(found == [])
  }

  @Test func `a missing call of any arguments is one violation, even if it is stubbed`() {
    let found = violations { _ in
      Spy<Int, Int, Never>("load(_:)").expects(2...).returns(3)
      GenericSpy<Int>("make(_:)").expects(.once).returns(3)
    }
    #expect(
      found.map(\.firstLine) == [
        "load(any arguments) was expected at least twice, and was never called.",
        "make(any arguments) was expected once, and was never called.",
      ])
  }

  @Test func `an expectation alone stubs nothing`() {
    let found = violations { _ in
      let loads = Spy<Int, Int, Never>("load(_:)", placeholder: 0)
      loads.expects(0...)
      #expect(loads(1) == 0)
      Spy<Int, Int, Never>("idle(_:)").expects(.never)
    }
    #expect(found.map(\.firstLine) == ["No stub answers load(1)."])
    #expect(found.first?.contains("Stubs      none") == true, "\(found)")
  }

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
        "save(2) is one call too many: save(any arguments) was expected never, and was called once "
          + "\(beyond).",
        "save(3) is one call too many: save(any arguments) was expected never, and was called "
          + "twice \(beyond).",
        "ping() was called once \(beyond), and no call was expected.",
      ])
  }
}
