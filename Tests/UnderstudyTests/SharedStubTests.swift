// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting
import XCTest

private protocol Prices: Sendable {
  func price(of item: String) -> Int
}

private final class PricesSpy: Prices {
  let prices = Spy<String, Int, Never>("price(of:)", placeholder: 0)

  init() {}
  init(stubbing item: String) { prices.when(item).returns(1) }

  func price(of item: String) -> Int { prices(item) }
}

private let resolver = Resolver()

private func unused(_ item: String, line: Int, isError: Bool = true) -> Caught {
  Caught(
    """
    The stub of price(of: "\(item)") answered no call.
      Stubbed at  UnderstudyTests/SharedStubTests.swift:\(line)
      Calls       none
    To fix, do one of these:
      • Remove it, or make the call that it is for.
      • Allow it:  .optional()
    """, isError: isError, line: line, file: "UnderstudyTests/SharedStubTests.swift")
}

/// Not every test has to use the stubs that its suite prepares.
@Suite(
  .catching(),
  .overrides(of: resolver) { layer in
    let spy = PricesSpy()
    spy.prices.when("tea").returns(3)
    spy.prices.when("milk").returns(2)
    layer.register(spy as any Prices)
    layer.register((any Prices).self, named: "block") {
      let spy = PricesSpy()
      spy.prices.when("rum").returns(4)
      spy.prices.when("gin").returns(5, times: 1)
      return spy
    }
  })
struct `A stub of a suite` {
  private let spy = PricesSpy()
  private let early = PricesSpy(stubbing: "cake")

  init() { spy.prices.when("cake").returns(5) }

  @Test func `answers a test`() throws {
    #expect(try resolver.resolve((any Prices).self).price(of: "tea") == 3)
    #expect(try resolver.resolve((any Prices).self, named: "block").price(of: "rum") == 4)
    #expect(spy.price(of: "cake") == 5)
  }

  @Test func `need not be used by another test`() throws {
    _ = try resolver.resolve((any Prices).self)
    _ = try resolver.resolve((any Prices).self, named: "block")
  }

  @Test func `need not be used by a test that uses another stub of the double`() throws {
    #expect(try resolver.resolve((any Prices).self).price(of: "milk") == 2)
    _ = try resolver.resolve((any Prices).self, named: "block")
  }

  @Test(.catching(unused("gin", line: 31)), .overrides(of: resolver))
  func `does not include a stub that a test makes`() throws {
    spy.prices.when("gin", line: 31).returns(6)
  }

  @Test(
    .catching(unused("gin", line: 32)),
    .overrides(of: resolver) {
      $0.register {
        let spy = PricesSpy()
        spy.prices.when("gin", line: 32).returns(6)
        return spy
      }
    })
  func `does not include a stub of a test's own override`() throws {
    _ = try resolver.resolve(PricesSpy.self)
  }
}

@Suite struct `An unused stub` {
  @Test(
    arguments: [.off, .warning, .error] as [OverrideOptions.Weight])
  func `has the weight that the layer sets`(weight: OverrideOptions.Weight) async throws {
    let issues = weight == .off ? [] : [unused("gin", line: 33, isError: weight == .error)]
    try await expect(issues: issues) {
      withOverrides(.check(.unusedStub, weight), of: resolver) { _ in
      } operation: {
        _ = PricesSpy().prices.when("gin", line: 33).returns(1)
      }
    }
  }

  @Test func `is not reported again if its expected call is missing`() async throws {
    let text = """
      price(of: "gin") was expected once, and was never called.
        Expected at  UnderstudyTests/SharedStubTests.swift:34
        Calls        - price(of: "gin")
      """
    try await expect(issues: [.error(text, line: 34)]) {
      withOverrides(of: resolver) { _ in
      } operation: {
        _ = PricesSpy().prices.when("gin", line: 34).expects(.once).returns(1)
      }
    }
  }
}

/// Stubs of `setUp` and `overrides(_:)` that only one method uses.
final class SharedStubCase: OverridesTestCase {
  private let spy = PricesSpy()

  override var overriddenResolver: Resolver { resolver }

  override func overrides(_ layer: OverrideLayer) {
    let spy = PricesSpy()
    spy.prices.when("tea").returns(3)
    layer.register(spy as any Prices)
  }

  override func setUp() { spy.prices.when("cake").returns(5) }

  func testUsesThem() throws {
    XCTAssertEqual(try resolver.resolve((any Prices).self).price(of: "tea"), 3)
    XCTAssertEqual(spy.price(of: "cake"), 5)
  }

  override func setUpWithError() throws { spy.prices.when("rum").returns(6) }

  override func setUp() async throws { spy.prices.when("gin").returns(7) }

  func testUsesNone() throws {
    _ = try resolver.resolve((any Prices).self)
  }
}

private let missed = """
  price(of: "gin") was expected once, and was never called.
    Expected at  UnderstudyTests/SharedStubTests.swift:35
    Calls        - price(of: "gin")
  """

@Suite struct `A shared set-up` {
  @Test func `is recognised by the name of its function`() {
    for name in ["init()", "init(store:)", "setUp()", "setUpWithError()"] as [StaticString] {
      #expect(SharedSetUp.isName(name))
    }
    for name in ["initialise()", "setUp(_:)", "testUses()", "prices"] as [StaticString] {
      #expect(!SharedSetUp.isName(name))
    }
  }
}

/// A spy that no layer has seen: no call reached it.
@Suite struct `An unused stub of a spy without a layer` {
  @Test func `is told where the double is registered on a layer, and no call comes`() async throws {
    try await expect(issues: [unused("fig", line: #line + 2)]) {
      let spy = PricesSpy()
      spy.prices.when("fig").returns(1)
      try withOverrides(of: resolver) {
        $0.register(spy as any Prices)
      } operation: {
        _ = try resolver.resolve((any Prices).self)
      }
    }
  }

  @Test func `is told once, and not if it is optional`() async throws {
    try await expect(issues: [unused("fig", line: #line + 3)]) {
      let spy = PricesSpy()
      spy.prices.when("rum").returns(2).optional()
      spy.prices.when("fig").returns(3)
    }
  }

  @Test func `is told at the end of a test that the double outlives`() async throws {
    let (spy, called) = (PricesSpy(), PricesSpy())
    try await expect(issues: [unused("fig", line: #line + 2)]) {
      RunIssues.endingTest {
        spy.prices.when("fig").returns(1)
        called.prices.when("fig").returns(1)
        called.prices.when("tea").returns(3)
        #expect(called.price(of: "tea") == 3)
      }
    }
  }

  @Test func `is not told at the end of a test if a layer tells it`() async throws {
    try await expect(issues: [unused("fig", line: #line + 4)]) {
      let spy = PricesSpy()
      RunIssues.endingTest {
        withOverrides(of: resolver) { _ in
          spy.prices.when("fig").returns(1)
        } operation: {
        }
      }
    }
  }

  @Test func `is not told of a spy that was called, whose stubs finish(_:) tells`() {
    let spy = PricesSpy()
    spy.prices.when("fig").returns(3)
    spy.prices.when("tea").returns(1)
    #expect(spy.price(of: "tea") == 1)
  }

  @Test func `is not told beside the missing call that it is for`() async throws {
    try await expect(issues: [.error(missed, line: 35)]) {
      let spy = PricesSpy()
      spy.prices.when("gin").returns(1)
      spy.prices.when("gin", line: 35).expects(.once)
    }
  }
}

/// Two spies in one object that a test registers.
private final class Pair: Sendable {
  let used = Spy<Int, Int, Never>("used(_:)", placeholder: 0)
  let idle = Spy<Int, Int, Never>("idle(_:)", placeholder: 0)
}

/// A test that makes none of the calls that it stubs or expects.
@Suite struct `A double that no call reaches` {
  @Test(arguments: ["above", "configuring", "instance", "sibling"], [true, false])
  func `is one issue, wherever the test stubs or expects its call`(shape: String, isStub: Bool)
    throws
  {
    let caught = Transcript<Caught>()
    try withKnownIssue {
      let pair = Pair()
      func tell() {
        if isStub { pair.idle.when(1).returns(2) } else { pair.idle.when(1).expects(.once) }
      }
      if shape != "configuring" { tell() }
      try withOverrides(.check(.unusedOverride, .off), of: resolver) {
        if shape == "configuring" { tell() }
        if shape == "instance" { $0.register(instance: pair) } else { $0.register { pair } }
      } operation: {
        let found = try resolver.resolve(Pair.self)
        if shape == "sibling" {
          pair.used.returns(1)
          #expect(found.used(1) == 1)
        }
      }
    } matching: {
      caught.say(Caught($0))
      return true
    }
    #expect(caught.all.count == 1, "\(caught.all)")
  }
}

/// A test that ends early still reports a missing expected call.
@Suite struct `An expected call that is missing` {
  private func expectGin(_ spy: PricesSpy = PricesSpy()) {
    spy.prices.when("gin", line: 35).expects(.once)
  }

  @Test(.catching(.error(missed, line: 35)), .overrides())
  func `is reported if the task is cancelled`() async {
    expectGin()
    withUnsafeCurrentTask { $0?.cancel() }
  }

  @Test(.overrides())
  func `is reported if a cancelled task under test throws`() async throws {
    try await expect(issues: [.error(missed, line: 35)]) {
      let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try withOverrides(of: resolver) {
          $0.register(1)
        } operation: {
          expectGin()
          try Task.checkCancellation()
        }
      }
      await #expect(throws: CancellationError.self) { try await work.value }
    }
  }

  @Test(.catching(.error(missed, line: 35)), .overrides())
  func `is reported if the test returns early`() {
    expectGin()
    guard missed.isEmpty else { return }
    Issue.record("the test goes on")
  }

  @Test func `is reported if the operation throws`() async throws {
    try await expect(issues: [.error(missed, line: 35)]) {
      #expect(throws: Strike.self) {
        try withOverrides(of: resolver) { _ in
        } operation: {
          expectGin()
          throw Strike()
        }
      }
    }
  }

  @Test func `is reported for a double outside every layer, in a cancelled task, too`() async throws
  {
    try await expect(issues: [.error(missed, line: 35)]) {
      withUnsafeCurrentTask { $0?.cancel() }
      expectGin()
    }
  }

  @Test(.overrides())
  func `is not reported if the test is cancelled itself`() throws {
    expectGin()
    try Test.cancel("it is not for this system")
  }

  #if os(Linux) || os(macOS)
    private static let spyOfFile = PricesSpy()

    @Test func `is reported when the process ends, for a double that nothing releases`()
      async throws
    {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      defer { try? FileManager.default.removeItem(at: file) }
      // The result of an exit test does not contain output that comes after the body.
      await #expect(processExitsWith: .failure) { [path = file.path as String] in
        dup2(open(path, O_WRONLY | O_CREAT, 0o600), STDERR_FILENO)
        Self.spyOfFile.prices.when("gin", line: 35).expects(.once)
      }
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(text.hasSuffix("\(#filePath):35: error: \(missed)\n"), "\(text)")
      #expect(text.matches(of: /was never called/).count == 1, "\(text)")
    }

    private static let stubbedInFile = PricesSpy()

    @Test func `is reported when the process ends, and so is a stub of a call that never came`()
      async throws
    {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      defer { try? FileManager.default.removeItem(at: file) }
      await #expect(processExitsWith: .failure) { [path = file.path as String] in
        dup2(open(path, O_WRONLY | O_CREAT, 0o600), STDERR_FILENO)
        let spy = Self.stubbedInFile.prices
        // The handler keeps its own double alive.
        spy.when("fig", line: 36).does { [spy] _ in spy.callCount }
        spy.when("rum").returns(1).optional()
      }
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(
        text.hasSuffix("\(#filePath):36: error: \(unused("fig", line: 36).text)\n"), "\(text)")
    }
  #endif
}
