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

  @Test func `forbidden arguments stay forbidden after verify`() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("spam").expects(.never)
      mailer.sends.when("hello").expects(.once)
      try mailer.send("hello")
      try verify(mailer)
      for text in ["hello", "spam"] { try mailer.send(text) }
    }
    #expect(
      found.map(\.firstLine) == ["send(\"spam\") was called once, and no call was expected."])
  }

  @Test func `verify keeps that no more calls are expected`() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      expectNoMoreCalls(mailer)
      mailer.sends.when("spam").expects(.never)
      try mailer.send("spam")
      try verify(mailer)
      try mailer.send("spam")
      try verify(mailer)
      mailer.sends.when("hello").expects(.once)
      for text in ["hello", "more"] { try mailer.send(text) }
    }
    #expect(
      found.map(\.firstLine) == [
        "send(\"spam\") was called once, and no call was expected.",
        "send(\"spam\") was called twice, and no call was expected.",
        "send(\"more\") is one call too many: no more calls were expected.",
      ])
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
          • Wait for the work that calls it before the test ends.
          • Make a new double for each test.
          • To check it and go on using it:  try verify(double)
        """
      ])
  }
}
