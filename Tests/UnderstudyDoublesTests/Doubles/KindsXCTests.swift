// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Understudy
import UnderstudyDoubles
import XCTest

/// Every kind of double, and every way to stub it, under XCTest.
final class KindsXCTests: XCTestCase {
  private let repo = RepoDouble()

  func testAsynchronousStubsAnswerThrowAndSuspend() async throws {
    repo.fetches.returns(User(id: 1), then: User(id: 2))
    repo.fetches.when(404).throws(RepoError.missing)
    repo.fetches.when(9).does { id in
      await Task.yield()
      return User(id: id * 10)
    }
    var users: [User] = []
    for id in [7, 8, 9] { users.append(try await repo.fetch(id)) }
    XCTAssertEqual(users.map(\.id), [1, 2, 90])
    do {
      _ = try await repo.fetch(404)
      XCTFail("fetch(404) did not throw")
    } catch {
      XCTAssertEqual(error as? RepoError, .missing)
    }
    XCTAssertEqual(repo.fetches.calls, [7, 8, 9, 404])
    XCTAssertEqual(finish(repo), [])
  }

  func testArgumentsChooseTheNewestStubThatMatches() throws {
    repo.removes.returns(0)
    repo.removes.when(.any, true).throws(.missing)
    repo.removes.when(1, true).returns(1)
    repo.removes.when { $0 > 100 && !$1 }.returns(2)
    XCTAssertEqual(try repo.remove(5, hard: false), 0)
    XCTAssertEqual(try repo.remove(1, hard: true), 1)
    XCTAssertEqual(try repo.remove(101, hard: false), 2)
    XCTAssertThrowsError(try repo.remove(5, hard: true)) {
      XCTAssertEqual($0 as? RepoError, .missing)
    }
    XCTAssertEqual(repo.removes.calls(with: .any, true).map(\.0), [1, 5])
  }

  func testAStubThatIsLimitedLetsOlderOnesAnswer() throws {
    repo.removes.returns(1)
    repo.removes.returns(0, times: 2)
    XCTAssertEqual(try (0..<3).map { try repo.remove($0, hard: true) }, [0, 0, 1])
  }

  func testForwardingIsRecordedAndStubsWin() throws {
    repo.removes.when(1, .any).returns(-1)
    repo.removes.forwards { id, hard throws(RepoError) in hard ? id : 0 }
    XCTAssertEqual(try repo.remove(1, hard: true), -1)
    XCTAssertEqual(try repo.remove(2, hard: true), 2)
    XCTAssertEqual(repo.removes.callCount, 2)
  }

  func testTheTypeThatIsAskedForChoosesTheStub() throws {
    repo.decodes.returns(42)
    repo.decodes.returns("text")
    XCTAssertEqual(try repo.decode(Int.self, key: "x"), 42)
    XCTAssertEqual(try repo.decode(String.self, key: "y"), "text")
    XCTAssertEqual(repo.decodes.calls(as: Int.self), ["x"])
  }

  func testGetsAndSetsOfAPropertyAreRecorded() {
    repo.region = repo.region + "-1"
    XCTAssertEqual(repo.region, "eu-1")
    XCTAssertEqual(repo.regions.sets.calls, ["eu-1"])
    XCTAssertEqual(repo.regions.gets.callCount, 2)
  }

  func testStaticsBelongToTheLayer() {
    let found = violations { _ in
      RepoDouble.nows.returns(1)
      XCTAssertEqual(RepoDouble.now(), 1)
      XCTAssertEqual(
        violations { _ in
          RepoDouble.nows.returns(2)
          XCTAssertEqual(RepoDouble.now(), 2)
        }, [])
    }
    XCTAssertEqual(found, [])
  }

  func testResetForgetsCallsAndStubs() throws {
    repo.removes.returns(1)
    _ = try repo.remove(1, hard: true)
    repo.removes.reset()
    XCTAssertEqual(repo.removes.callCount, 0)
    repo.removes.returns(2)
    XCTAssertEqual(try repo.remove(1, hard: true), 2)
  }

  func testWhatIsKeptIsBoundedAndWhatIsCountedIsNot() {
    let pings = Spy<Int, Void, Never>("ping(_:)").keepsLast(10)
    for number in 0..<1_000 { pings(number) }
    XCTAssertEqual(pings.callCount, 1_000)
    XCTAssertEqual(pings.calls, Array(990..<1_000))
  }

  func testManyThreadsLoseNoCall() {
    let pings = Spy<Int, Void, Never>("ping(_:)")
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      for number in 0..<500 { pings(thread * 500 + number) }
    }
    XCTAssertEqual(pings.calls.sorted(), Array(0..<8_000))
  }

  func testExpectationsSayWhatIsMissingAndWhatIsTooMuch() {
    let found = violations { _ in
      let pings = Spy<Int, Void, Never>("ping(_:)")
      pings.when(1).expects(.once)
      pings.when(2).expects(.never)
      pings.when(3).expects(1...2)
      pings(2)
      pings(3)
    }
    XCTAssertEqual(
      found.map(\.firstLine),
      [
        "ping(2) was called once, and no call was expected.",
        "ping(1) was expected once, and was never called.",
      ])
  }

  func testCallsOfDetachedWorkAreTheOwners() async {
    let found = await asyncViolations { _ in
      let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
      await Task.detached { _ = pings(7) }.value
    }
    XCTAssertEqual(found.map(\.firstLine), ["No stub answers ping(7)."])
  }

  func testACallThatHasNotReturnedIsReported() async {
    let gate = Gate()
    let repo = repo
    let found = await asyncViolations { layer in
      repo.fetches.does { id in
        try await gate.wait()
        return User(id: id)
      }
      Task { _ = try? await repo.fetch(7) }
      await gate.waiters(reach: 1)
    }
    gate.open()
    XCTAssertEqual(
      found.map(\.firstLine),
      [
        "fetch(7) had not returned when its double was finished.",
        "1 task still waits for a gate at the end of the test.",
      ])
  }

  func testASpyOfALayerWrapsWhatLiesBelow() throws {
    let resolver = Resolver()
    let real = MailerSpy()
    resolver.register { real as any Mailer }
    let spy: MailerSpy = try withOverrides(of: resolver) { _ in
    } operation: {
      let layer = try XCTUnwrap(OverrideLayer.current)
      let spy = try layer.spy(on: (any Mailer).self) { below in
        let spy = MailerSpy()
        spy.sends.forwards { try below.send($0) }
        return spy
      }
      try resolver.resolve((any Mailer).self).send("hello")
      return spy
    }
    XCTAssertEqual(spy.sends.calls, ["hello"])
    XCTAssertEqual(real.sends.calls, ["hello"])
  }

  func testFakesWork() async throws {
    let date = ManualDate(Date(timeIntervalSince1970: 0))
    date.advance(by: .seconds(60))
    XCTAssertEqual(date.date, Date(timeIntervalSince1970: 60))
    XCTAssertEqual(
      UUIDSource.counting().nextText(), "00000000-0000-0000-0000-000000000001")
    XCTAssertEqual(RandomSource.seeded(7).next(), RandomSource.seeded(7).next())
    let store = KeyValueMemory<String, Int>()
    store.update { $0["a", default: 0] += 1 }
    XCTAssertEqual(store.values, ["a": 1])
    let sequence = ScriptedSequence<Int, Never>(1, 2)
    sequence.finish()
    var elements: [Int] = []
    for await element in sequence { elements.append(element) }
    XCTAssertEqual(elements, [1, 2])
  }
}
