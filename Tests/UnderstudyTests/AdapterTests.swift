// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

private protocol Speaker: Sendable { var text: String { get } }
private struct Voice: Speaker { let text: String }

extension Dependencies {
  fileprivate static let speaker = Dependency<any Speaker>(lifecycle: .cached) {
    Voice(text: "production")
  }
}

/// Types that all tests of this file use in parallel. Their layers must keep them apart.
private enum Shared {
  static let resolver: Resolver = {
    let resolver = Resolver(named: "adapters")
    resolver.register(lifecycle: .cached) { Coin(made.next()) }
    resolver.register { "production" }
    return resolver
  }()
  static let made = Tally()
  static let cells = Box<[ObjectIdentifier: Witness]>([:])
}

@Suite(
  .overrides(.check(.unusedOverride, .off), of: Shared.resolver) {
    $0.register { "suite" }
    $0.register(named: "suite only") { "suite" }
  })
struct `The trait for Swift Testing` {
  let resolver = Shared.resolver

  @Test func `pushes the suite's layer for each test`() throws {
    try #expect(resolver.resolve(String.self) == "suite")
    #expect(OverrideLayer.current?.resolver === resolver)
  }

  @Test(.overrides(of: Shared.resolver) { $0.register { "test" } })
  func `pushes the test's layer on top of the suite's`() throws {
    try #expect(resolver.resolve(String.self) == "test")
    try #expect(resolver.resolve(String.self, named: "suite only") == "suite")
    let layer = try #require(OverrideLayer.current)
    #expect(layer.stack.map(\.store.isBoundary) == [false, true])
  }

  @Test(
    .overrides(of: Shared.resolver) { $0.register(named: "first") { "first" } },
    .overrides(of: Shared.resolver) { $0.register(named: "second") { "second" } })
  func `stacks several traits of a test`() throws {
    try #expect(resolver.resolve(String.self, named: "first") == "first")
    try #expect(resolver.resolve(String.self, named: "second") == "second")
    #expect(OverrideLayer.current?.stack.map(\.store.isBoundary) == [false, false, true])
  }

  @Suite(.overrides(of: Shared.resolver) { $0.register { "inner suite" } })
  struct `of an inner suite` {
    @Test func `stacks on top of the outer suite's`() throws {
      try #expect(Shared.resolver.resolve(String.self) == "inner suite")
      try #expect(Shared.resolver.resolve(String.self, named: "suite only") == "suite")
      #expect(OverrideLayer.current?.stack.map(\.store.isBoundary) == [false, true])
    }
  }

  @Test(arguments: 0..<16)
  func `gives each argument a fresh layer and fresh production instances`(index: Int) throws {
    let layer = try #require(OverrideLayer.current)
    #expect(layer.stack.map(\.store.isBoundary) == [true])
    let cell: Coin = try resolver.resolve()
    try #expect(resolver.resolve(Coin.self) === cell)
    #expect(layer.log.count(of: Coin.self) == 2)
    layer.register { "argument \(index)" }
    try #expect(resolver.resolve(String.self) == "argument \(index)")
    let others = Shared.cells.update { cells in
      defer { cells[ObjectIdentifier(cell)] = Witness(cell) }
      return cells[ObjectIdentifier(cell)]
    }
    #expect(others?.isGone != false, "no other case has this object")
  }

  @Test(.overrides(of: Shared.resolver) { $0.override(\.speaker) { Voice(text: "double") } })
  func `counts types and declared dependencies, with names, containers and ranges`() throws {
    _ = try resolver.resolve(String.self)
    _ = try resolver.resolve(String.self, named: "suite only")
    for _ in 0..<3 { _ = try resolver.resolve(Coin.self) }
    _ = resolver.resolve(\.speaker)
    assertResolved(String.self)
    assertResolved(String.self, count: 1)
    assertResolved(String.self, named: "suite only", count: 1...2)
    assertResolved(Coin.self, count: 3)
    assertResolved(Coin.self, count: 2...)
    assertResolved(Coin.self, count: ...3)
    assertResolved(Coin.self, count: ..<4)
    assertResolved(Coin.self, count: 1..<4)
    assertCreated(Coin.self, count: 1)
    assertResolved(\.speaker, count: 1)
    assertCreated(\.speaker, count: 1)
    assertNeverResolved(Int.self)
    assertNeverResolved(String.self, named: "other")
    assertNeverResolved(String.self, in: "other")
  }

  @Test func `fails with the whole log at the place of the assertion`() async throws {
    _ = try resolver.resolve(Coin.self)
    let line = Box(0)
    withKnownIssue {
      line.value = #line + 1
      assertResolved(Coin.self, count: 2...3)
    } matching: { issue in
      issue.sourceLocation?.line == line.value
        && issue.sourceLocation?.fileID == "UnderstudyTests/AdapterTests.swift"
        && issue.comments.map(\.rawValue) == [
          """
          'Coin' was resolved once, not 2 to 3 times.
            Layer   'fails with the whole log at the place of the assertion' of the resolver 'adapters'
            Counts  made 1, reused 0, missed 0, failed 0
            Log     Coin  made by production
          """
        ]
    }
    withKnownIssue {
      assertNeverResolved(Coin.self)
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("'Coin' was resolved once, not never.") == true
    }
    withKnownIssue {
      assertCreated(Coin.self, count: 0)
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("'Coin' was created once, not never.") == true
    }
    withKnownIssue {
      assertResolved(\.speaker)
    } matching: { issue in
      issue.comments.first?.rawValue.contains("was resolved 0 times, not at least once.") == true
    }
  }

  @Test func `lets child tasks fail their test`() async throws {
    await withKnownIssue {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { assertResolved(Int.self, count: 1) }
      }
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("'Int' was resolved 0 times, not once.") == true
    }
  }
}

@Suite struct `A count assertion in work that carries the context of a test` {
  @Test func `fails that test`() async throws {
    let layer = OverrideLayer.unscoped(of: Resolver(named: "carried"), ofTest: "a test")
    let context = OverrideLayer.binding(layer) { OverrideContext.current }
    await elsewhere { context.run { assertResolved(Int.self, count: 9, line: 970) } }
    #expect(layer.end().map(\.callSite.line) == [970])
  }
}

/// An XCTest case has no place for its layer.
@Suite struct `A violation` {
  @Test func `without a known place is an issue at the test, or of the run`() async throws {
    let test = try #require(Test.current).sourceLocation
    @Sendable func report(_ text: String) {
      TestHosts.current?.report(Violation(Message(text), at: .unknown))
    }
    try await expect(issues: [.error("of the test", line: test.line)]) { report("of the test") }
    await #expect(processExitsWith: .success) {
      withKnownIssue { TestHosts.current?.report(Violation(Message("of none"), at: .unknown)) }
    }
  }
}

@Suite struct `An assertion without a layer` {
  @Test func `fails, and says how to get one`() {
    withKnownIssue {
      assertResolved(Coin.self)
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        'Coin' cannot be counted: no layer is live here.
        To fix, do one of these:
          • Give the test a layer:  @Test(.overrides())
          • Carry the context:  let context = OverrideContext.current … context.run { … }
        """
      ]
    }
  }

  @Test(
    arguments: [
      (0 as any ResolutionCountRequirement, "never", [0], [1]),
      (1, "once", [1], [0, 2]), (2, "twice", [2], [1, 3]),
      (1...2, "1 to 2 times", [1, 2], [0, 3]), (1..<3, "1 to 2 times", [1, 2], [0, 3]),
      (1..., "at least once", [1, 9], [0]), (...2, "at most twice", [0, 2], [3]),
      (..<2, "at most once", [0, 1], [2]), (.never, "never", [0], [1]),
      (.exactly(3), "3 times", [3], [2, 4]), (.between(0..<3), "at most twice", [0, 2], [3]),
      (1..<1, "an impossible number of times", [], [0, 1]),
      (Int.min..<Int.min, "an impossible number of times", [], [0]),
    ] as [(any ResolutionCountRequirement, String, [Int], [Int])])
  func `says what it requires`(
    requirement: any ResolutionCountRequirement, text: String, met: [Int], unmet: [Int]
  ) {
    let count = requirement.expectedCount
    #expect(count.description == text)
    #expect(met.allSatisfy { count.allows($0) })
    #expect(unmet.allSatisfy { !count.allows($0) })
  }
}

/// Each method has a new layer, which `setUp`, the method and `tearDown` see.
final class AdapterCase: OverridesTestCase {
  private static let cells = Box<[ObjectIdentifier: Witness]>([:])
  private var cellOfSetUp: Coin?

  override var overriddenResolver: Resolver { Shared.resolver }
  override var overrideOptions: OverrideOptions { .check(.unusedOverride, .off) }

  override func overrides(_ layer: OverrideLayer) throws {
    layer.register { "case" }
  }

  override func setUp() async throws {
    XCTAssertTrue(OverrideLayer.current === overrides)
    XCTAssertEqual(try Shared.resolver.resolve(String.self), "case")
    cellOfSetUp = try Shared.resolver.resolve()
  }

  override func tearDownWithError() throws {
    XCTAssertTrue(OverrideLayer.current === overrides)
    XCTAssertTrue(try Shared.resolver.resolve(Coin.self) === cellOfSetUp)
    assertResolved(Coin.self, count: 2...)
    cellOfSetUp = nil
  }

  private func checkFresh() throws {
    let cell: Coin = try Shared.resolver.resolve()
    XCTAssertTrue(cell === cellOfSetUp)
    let others = AdapterCase.cells.update { cells in
      defer { cells[ObjectIdentifier(cell)] = Witness(cell) }
      return cells[ObjectIdentifier(cell)]
    }
    XCTAssertNotEqual(others?.isGone, false)
    XCTAssertEqual(overrides.stack.map(\.store.isBoundary), [true])
  }

  func testSynchronously() throws {
    try checkFresh()
    overrides.register { "in the middle" }
    XCTAssertEqual(try Shared.resolver.resolve(String.self), "in the middle")
  }

  func testAsynchronously() async throws {
    try checkFresh()
    await Task.yield()
    XCTAssertTrue(OverrideLayer.current === overrides)
    XCTAssertEqual(try Shared.resolver.resolve(String.self), "case")
    async let child = Shared.resolver.resolve(String.self)
    let value = try await child
    XCTAssertEqual(value, "case")
  }

  func testFailsWithTheWholeLog() throws {
    try checkFresh()
    caught = []
    let line = #line + 1
    assertResolved(Int.self, count: 1)
    let expected = """
      'Int' was resolved 0 times, not once.
        Layer   '\(name)' of the resolver 'adapters'
        Counts  made 0, reused 0, missed 0, failed 0
        Log     String  made by layer '\(name)'
                Coin  made by production
                Coin  reused from production
      """
    let failures = caught
    caught = nil
    XCTAssertEqual(failures?.count, 1)
    XCTAssertTrue(failures?.first?.hasSuffix(expected) == true, failures?.first ?? "none")
    XCTAssertEqual(lines, [line])
  }

  /// The case can wait, also for asynchronous disposers that another disposer adds.
  func testWaitsForWhatADisposerAsksFor() {
    let (layer, disposed) = (overrides, disposed)
    layer.onDispose { disposed.say("the oldest") }
    layer.onDispose {
      disposed.say("the newest")
      layer.onDispose { () async in
        await Task.yield()
        disposed.say("what was asked for")
      }
    }
    expected = ["the newest", "what was asked for", "the oldest"]
  }

  private let disposed = Transcript<String>()
  private var expected: [String] = []

  override func invokeTest() {
    super.invokeTest()
    XCTAssertEqual(disposed.all, expected)
  }

  /// Failures that the test compares instead of reporting.
  private var caught: [String]?
  private var lines: [Int] = []

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      guard caught != nil else { return super.record(issue) }
      caught?.append(issue.compactDescription)
      lines.append(issue.sourceCodeContext.location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      guard caught != nil else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      caught?.append(description)
      lines.append(lineNumber)
    }
  #endif
}

/// A skipped case has no unused overrides and no missing calls.
final class SkippedCase: OverridesTestCase {
  override var overrideOptions: OverrideOptions { .strict }

  override func overrides(_ layer: OverrideLayer) { layer.register { 1 } }

  func testIsNotToldWhatItDidNotUse() throws {
    let spy = Spy<Int, Void, Never>("skipped(_:)")
    spy.expects(.once)
    try withOverrides {
      $0.register { "inner" }
    } operation: {
      throw XCTSkip("nothing is asked for")
    }
  }
}

/// A case whose `overrides(_:)` fails still waits for the disposers that it added.
final class FailingOverridesCase: OverridesTestCase {
  private struct Failure: Error {}
  private let disposed = Transcript<String>()
  /// The failures while the case runs; `nil` when they count.
  private var failures: [String]? = []

  override func overrides(_ layer: OverrideLayer) throws {
    let disposed = disposed
    layer.onDispose { () async in
      await Task.yield()
      disposed.say("stopped")
    }
    throw Failure()
  }

  func testIsNotRun() { XCTFail("It was run.") }

  override func invokeTest() {
    super.invokeTest()
    let texts = failures ?? []
    failures = nil
    XCTAssertEqual(disposed.all, ["stopped"])
    XCTAssertEqual(texts.count, 1)
    XCTAssertEqual(texts.first?.contains("could not be made"), true, texts.first ?? "none")
  }

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      if failures == nil { super.record(issue) }
      failures?.append(issue.compactDescription)
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      if failures == nil {
        super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      failures?.append(description)
    }
  #endif
}

/// A case whose `overrides(_:)` skips it, with subclasses whose `setUp` does not call `super`.
class UnableCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) throws {
    layer.register(named: "unable") { 1 }
    throw XCTSkip("there is no device")
  }

  func testIsSkipped() { XCTFail("It was run.") }
}

final class UnableCaseThatSetsUp: UnableCase {
  override func setUpWithError() throws {}
  override func testIsSkipped() { XCTFail("It was run.") }
}

final class UnableCaseThatWaits: UnableCase {
  override func setUp() async throws {}
  override func testIsSkipped() { XCTFail("It was run.") }
}

/// The same for a case without its own layer.
final class SkippedPlainCase: XCTestCase {
  func testIsNotToldWhatItDidNotUse() throws {
    try withOverrides(.strict) {
      $0.register { "unused" }
    } operation: {
      let spy = Spy<Int, Void, Never>("skipped(_:)")
      spy.expects(.once)
      throw XCTSkip("nothing is asked for")
    }
  }
}

@Suite struct `A cancelled test` {
  @Test(.overrides(.strict) { $0.register { "unused" } })
  func `has no findings about unused overrides or missing calls`() throws {
    let spy = Spy<Int, Void, Never>("skipped(_:)")
    spy.expects(.once)
    try withOverrides(.strict) {
      $0.register { 1 }
    } operation: {
      try Test.cancel("nothing is asked for")
    }
  }

  @Test func `has no such findings in a layer without a trait`() throws {
    try withOverrides(.strict) {
      $0.register { "unused" }
    } operation: {
      let spy = Spy<Int, Void, Never>("skipped(_:)")
      spy.expects(.once)
      try Test.cancel("nothing is asked for")
    }
  }
}

@Suite struct `A cancelled task` {
  /// As under a trait. The operation may end without an error, as a loop over a stream does.
  @Test func `has no findings about unused overrides`() async {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      withOverrides(.strict) {
        $0.register { "unused" }
      } operation: {
      }
      await withOverrides(.strict) {
        $0.register { "unused" }
      } operation: {
        await Task.yield()
      }
    }.value
  }

  /// The test has failed, and is not cancelled.
  @Test func `excuses no missing call if a requirement fails`() async {
    let spy = Spy<Int, Void, Never>("skipped(_:)")
    await withKnownIssue {
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try? withOverrides { _ in
        } operation: {
          spy.expects(.once)
          try #require(Bool(false))
        }
      }.value
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      if text.contains("was never called") { told.withLock { $0 = true } }
      return true
    }
    #expect(told.withLock { $0 })
  }

  private let told = Lock(false)
}
