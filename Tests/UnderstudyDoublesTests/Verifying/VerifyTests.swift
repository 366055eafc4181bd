// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// Doubles that a test checks in its middle, or finishes itself.
@Suite struct VerifyTests {
  @Test func `a spy that was only stubbed before verify can be expected after it`() throws {
    let found = try violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.returns(3)
      #expect(prices("tea") == 3)
      try verify(prices)
      prices.when("tea").expects(.once)
      #expect(prices("tea") == 3)
    }
    #expect(found == [])
  }

  @Test func `what was forbidden before verify is allowed after it`() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("spam").expects(.never)
      expectNoMoreCalls(mailer)
      try verify(mailer)
      try mailer.send("spam")
    }
    #expect(found == [])
  }

  @Test func `a call after finish names no layer, and proposes verify`() {
    let line = #line
    let found = violations { _ in
      let pings = Spy<Void, Void, Never>("ping()")
      pings()
      #expect(pings.finish() == [])
      pings()
    }
    #expect(
      found == [
        """
        ping() was called after its double was finished.
          Called at  UnderstudyDoublesTests/VerifyTests.swift:\(line + 5)
          Double     ping(), made at UnderstudyDoublesTests/VerifyTests.swift:\(line + 2)
        To fix, do one of these:
          • To check it and go on using it:  try verify(double)
          • Make a new double for each test.
        """
      ])
  }
}
