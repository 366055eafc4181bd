// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import Understudy
import UnderstudyTesting
import XCTest

/// The production registrations of the fixtures.
let fixtureResolver: Resolver = {
  let resolver = Resolver(named: "fixtures")
  resolver.register { RealPostman() as any Postman }
  resolver.register { r in Clerk(postman: try r.resolve(line: 900)) }
  return resolver
}()

@Suite(.fixture) struct FixtureOfEscapes {
  @Test(.overrides(of: fixtureResolver) { $0.register { PostmanDouble() as any Postman } })
  func escapes() async throws {
    _ = try fixtureResolver.resolve((any Postman).self)
    let name = await Task.detached {
      (try? fixtureResolver.resolve((any Postman).self, line: 901).name) ?? "nobody"
    }.value
    #expect(name == "nobody")
  }

  @Test(
    .serialized,
    .overrides(of: fixtureResolver, adoptsEscapedWork: true) {
      $0.register { PostmanDouble() as any Postman }
    }, arguments: WayOut.allCases)
  func adopts(way: WayOut) async throws {
    let arrivals = await way.send {
      (try? fixtureResolver.resolve((any Postman).self).name) ?? "nobody"
    }
    #expect(arrivals.filter { $0.value != "double" }.isEmpty)
  }
}

/// The double of a static requirement that returns nothing.
private enum Bell {
  static var rings: Spy<Void, Void, Never> { .static(of: Self.self, "ring()", line: 902) }
}

@Suite(.fixture, .serialized, .overrides(of: fixtureResolver))
struct FixtureOfInnerEscapes {
  @Test(
    .overrides(of: fixtureResolver, adoptsEscapedWork: true) {
      $0.register { PostmanDouble() as any Postman }
    })
  func adopts() async throws {
    let name = await Task.detached {
      (try? fixtureResolver.resolve((any Postman).self).name) ?? "nobody"
    }.value
    #expect(name == "double")
  }

  @Test func rings() async {
    Bell.rings.expects(.once)
    Bell.rings()
    await Task.detached { Bell.rings() }.value
    #expect(Bell.rings.callCount == 1)
  }
}

@Suite(.fixture) struct FixtureOfLogs {
  @Test(.overrides(of: fixtureResolver))
  func shows() throws {
    _ = try? fixtureResolver.resolve(String.self)
    print(try #require(OverrideLayer.current).log.tree)
  }
}

@Suite(.fixture) struct FixtureOfGuards {
  @Test func asks() { _ = try? fixtureResolver.resolve((any Postman).self, line: 904) }
}

@Suite(.fixture) struct FixtureOfFailures {
  @Test(
    .overrides(of: fixtureResolver) { $0.register { PostmanDouble() as any Postman } },
    .overrides(of: fixtureResolver))
  func fails() throws {
    _ = try fixtureResolver.resolve(Clerk.self)
    Issue.record("the fixture fails")
  }

  @Test(.overrides(of: fixtureResolver) { $0.register { PostmanDouble() as any Postman } })
  func passes() throws {
    _ = try fixtureResolver.resolve(Clerk.self)
  }

  @Test(
    .overrides(of: fixtureResolver) {
      $0.register((any Postman).self, line: 911) { PostmanDouble() }
    })
  func warns() {}

  @Test(
    .overrides(.strict, of: fixtureResolver) {
      $0.register((any Postman).self, line: 912) { PostmanDouble() }
    })
  func violates() {}

  @Test(.overrides(of: fixtureResolver) { $0.register { PostmanDouble() as any Postman } })
  func cancels() throws {
    try Test.cancel("nothing is asked for")
  }
}

@Suite(.fixture) struct FixtureOfNames {
  @Test(
    "GET /users 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    .overrides(of: fixtureResolver))
  func fails() { Issue.record("the fixture fails") }
}

final class FixtureCase: OverridesTestCase {
  override var overriddenResolver: Resolver { fixtureResolver }

  override func setUpWithError() throws {
    try XCTSkipUnless(Performance.isFixture, "a fixture")
  }

  func testWarns() {
    overrides.register((any Postman).self, line: 921) { PostmanDouble() }
  }

  func testUsesTheUnimplemented() {
    overrides.unimplemented((any Postman).self, line: 922)
    let isDone = expectation(description: "done")
    let context = OverrideContext.current
    DispatchQueue.global().async {
      context.run { _ = try? fixtureResolver.resolve((any Postman).self, line: 923) }
      isDone.fulfill()
    }
    wait(for: [isDone], timeout: 300)
  }

  func testLeavesDoublesUnfinished() async {
    let sends = Spy<String, Void, Never>("send(_:)")
    sends.when("bye").returns()
    sends.expects(.once)
    let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
    await Task.detached { _ = pings(7) }.value
  }

  func testLeavesWorkRunning() {
    let (hasBegun, gate) = (expectation(description: "begun"), DispatchSemaphore(value: 0))
    overrides.register { () -> Int in
      hasBegun.fulfill()
      gate.wait()
      return 1
    }
    let context = OverrideContext.current
    DispatchQueue.global().async { context.run { _ = try? fixtureResolver.resolve(Int.self) } }
    wait(for: [hasBegun], timeout: 300)
  }

  func testRegistersOnTheMainResolver() async {
    await elsewhere { _ = Resolver.main.register(Clerk(postman: RealPostman()), line: 925) }
  }

  func testAsksTooLate() async {
    overrides.register { PostmanDouble() as any Postman }
    let context = withOverrides(of: fixtureResolver, named: "ended") { _ in
    } operation: {
      OverrideContext.current
    }
    _ = try? fixtureResolver.resolve((any Postman).self)
    await elsewhere {
      context.run { _ = try? fixtureResolver.resolve((any Postman).self, line: 924) }
    }
  }
}

/// A case whose overrides throw.
final class UnmadeFixtureCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) throws {
    try XCTSkipUnless(Performance.isFixture, "a fixture")
    if name.contains("Missing") { _ = try Resolver().resolve(Int.self, line: 951) }
    throw Strike()
  }

  func testRuns() { XCTFail("It was run.") }
  func testMissing() { XCTFail("It was run.") }
}

/// A case whose overrides throw a skip too late.
final class UnskippedFixtureCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) throws {
    if Performance.isFixture { throw XCTSkip("there is no device") }
  }

  override func setUp() async throws {}
  override func setUpWithError() throws {
    try XCTSkipUnless(Performance.isFixture, "a fixture")
  }

  func testRuns() {}
}

/// A case with work that runs while no case runs.
final class LateFixtureCase: OverridesTestCase {
  nonisolated(unsafe) private static var cases: [LateFixtureCase] = []

  override func setUpWithError() throws {
    try XCTSkipUnless(Performance.isFixture, "a fixture")
  }

  override class func setUp() { ask(line: 941) }

  override class func tearDown() {
    ask(line: 942)
    for testCase in cases { testCase.overrides.register(line: 943) { 4 } }
  }

  private static func ask(line: Int) {
    guard Performance.isFixture else { return }
    let context = withOverrides(of: fixtureResolver, named: "ended") { _ in
    } operation: {
      OverrideContext.current
    }
    context.run { _ = try? fixtureResolver.resolve((any Postman).self, line: line) }
  }

  func testRuns() { LateFixtureCase.cases.append(self) }
}

/// A case that does not inherit `OverridesTestCase`.
final class PlainFixtureCase: XCTestCase {
  private let sends = Spy<String, Void, Never>("send(_:)")

  override func setUpWithError() throws {
    try XCTSkipUnless(Performance.isFixture, "a fixture")
  }

  func testWarns() {
    withOverrides(of: fixtureResolver, named: "plain") {
      $0.register((any Postman).self, line: 931) { PostmanDouble() }
    } operation: {
    }
  }

  func testViolates() {
    withOverrides(.strict, of: fixtureResolver, named: "plain") {
      $0.register((any Postman).self, line: 932) { PostmanDouble() }
    } operation: {
    }
  }

  /// XCTest retains the case, and so the double, until the run ends.
  func testExpectsOutsideALayer() { sends.when("bye").expects(.once) }
}
