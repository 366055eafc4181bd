// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyDoubles
import XCTest

/// The same doubles under XCTest. They depend on no test framework.
final class SpyXCTests: XCTestCase {
  private let mailer = MailerSpy()

  func testCallsArePlainValues() throws {
    try mailer.send("hello")
    XCTAssertEqual(mailer.sends.calls, ["hello"])
  }

  func testStubsThrow() {
    mailer.sends.throws(Bounced())
    mailer.sends.when("hello").returns(())
    XCTAssertNoThrow(try mailer.send("hello"))
    XCTAssertThrowsError(try mailer.send("bye")) { XCTAssertEqual($0 as? Bounced, Bounced()) }
    XCTAssertEqual(finish(mailer), [])
  }

  func testVerifyThrowsTheMessage() {
    mailer.sends.expects(.once)
    XCTAssertThrowsError(try verify(mailer)) { error in
      XCTAssertEqual(
        "\(error)".firstLine, "send(any arguments) was expected once, and was never called.")
    }
  }

  func testVerifyLooksIntoAStructureOfSpies() {
    struct Spies { let pings = Spy<Void, Void, Never>("ping()") }
    final class Generated { let spy = Spies() }
    let double = Generated()
    double.spy.pings.expects(.once)
    XCTAssertThrowsError(try verify(double))
    double.spy.pings()
    XCTAssertNoThrow(try verify(double))
  }

  func testOrderIsVerified() throws {
    let saves = Spy<Int, Void, Never>("save(_:)")
    saves(1)
    try mailer.send("saved")
    try verifyOrder {
      saves.called(with: 1)
      mailer.sends.called()
    }
    XCTAssertEqual(
      StrayViolations.$areKept.withValue(true) {
        expectOrder {
          mailer.sends.called()
          saves.called()
        }
      }.map(\.description.firstLine),
      ["save(any arguments) was not called after send(any arguments)."])
  }

  func testLayersFinishDoubles() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("bye").returns()
      try mailer.send("bye")
      mailer.sends.expects(.once)
    }
    XCTAssertEqual(
      found.map(\.firstLine),
      [
        "The expectation of send(any arguments) once cannot be met: it was called once before, "
          + "and only later calls count."
      ])
  }

  func testUnstubbedCallsAreExplained() throws {
    let found = violations { _ in
      let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
      XCTAssertTrue(pings(7))
    }
    XCTAssertEqual(found.map(\.firstLine), ["No stub answers ping(7)."])
  }

  func testStrictDoublesReportTheUnexpected() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.strict()
      try mailer.send("hello")
    }
    XCTAssertEqual(found.map(\.firstLine), ["send(\"hello\") is unexpected: the double is strict."])
  }

  func testCassettesPlayWhatWasRecorded() async throws {
    let folder = try Folder()
    for mode in [Cassette.Mode.once, .none] {
      let repo = RepoDouble()
      repo.fetches.plays(try folder.cassette(mode)) { id in
        if mode == .none { throw Bounced() }
        return User(id: id)
      }
      let user = try await repo.fetch(7)
      XCTAssertEqual(user, User(id: 7))
    }
  }

  func testClocksStandStill() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(60))
    try await task.value
    XCTAssertEqual(clock.now.offset, .seconds(60))
  }

  func testCallsAreAwaited() async throws {
    let mailer = mailer
    Task.detached { try mailer.send("hello") }
    let isReached = await mailer.sends.calls(reach: 1, within: .seconds(600))
    XCTAssertTrue(isReached)
  }
}
