// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy
import UnderstudyTesting

/// The visible result of a test run: its output and its status. Each run is a process of its own.
@Suite(.enabled(if: Performance.isPossible)) struct `A run of tests` {
  @Test func `fails when work escapes, even if its test passes`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfEscapes/escapes")
    #expect(review.status != 0)
    let text = """
      'any Postman' was asked for by work that belongs to no test, and a running test overrides it.
          At             UnderstudyTests/Fixtures.swift:901
          Resolver       'fixtures'
          Overridden by  'escapes()'
        To fix, do one of these:
          • Carry the context:  let context = OverrideContext.current … context.run { … }
          • Resolve before the work is sent off, and hand it the value.
      """
    #expect(review.output.contains(text), "\(review.output)")
    #expect(review.output.contains("Fixtures.swift:901:"))
    // Once, although the live test has it as well. (`.serialized` makes the framework show it
    // again.)
    #expect(review.output.ranges(of: "asked for by work that belongs to no test").count == 1)
  }

  @Test func `passes when the only running test adopts escaped work`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfEscapes/adopts")
    #expect(review.status == 0, "\(review.output)")
  }

  @Test(arguments: [
    ("forbidden", "Guarded by  UNDERSTUDY_LIVE=forbidden\n"),
    (
      "forbiden",
      "Guarded by  UNDERSTUDY_LIVE=forbiden, which should read 'forbidden' or 'allowed'\n"
    ),
    ("allowed", nil), ("", nil),
  ])
  func `fails when the environment forbids an answer of production`(
    value: String, guardian: String?
  ) async throws {
    let review = try await Performance.ofSwiftTesting(
      "FixtureOfGuards", environment: ["UNDERSTUDY_LIVE": value])
    #expect((review.status == 0) == (guardian == nil), "\(review.output)")
    #expect(
      review.output.contains("'any Postman' must be overridden in tests") == (guardian != nil))
    if let guardian { #expect(review.output.contains(guardian), "\(review.output)") }
  }

  @Test func `attaches the log of a failed test, and of no other`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let review = try await Performance.ofSwiftTesting("FixtureOfFailures", attachments: folder)
    #expect(review.status != 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(
      files == ["Resolutions under 'fails()'.txt", "Resolutions under 'violates()'.txt"],
      "\(review.output)")
    let log = try String(
      contentsOf: folder.appendingPathComponent("Resolutions under 'fails()'.txt"), encoding: .utf8)
    #expect(
      log == """
        Clerk  made by production
        └─ any Postman  made by layer 'fails()'
        """)
  }

  /// The name of a file has no slash, and at most 255 bytes.
  @Test func `attaches the log of a test under the start of its name`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let review = try await Performance.ofSwiftTesting("FixtureOfNames", attachments: folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == 1, "\(review.output)")
    #expect(files.first?.hasPrefix("Resolutions under 'GET :users 👩‍👩‍👧‍👦") == true, "\(files)")
    #expect(files.first?.hasSuffix("👩‍👩‍👧‍👦'.txt") == true, "\(files)")
  }

  /// An empty `NO_COLOR` counts as unset (no-color.org).
  @Test(arguments: [(String?.none, true), ("", true), ("1", false)])
  func `shows a log in colours on a terminal, unless NO_COLOR is set`(
    noColor: String?, isColored: Bool
  ) async throws {
    let text = try await Performance.onTerminal(
      "FixtureOfLogs/shows", environment: noColor.map { ["NO_COLOR": $0] } ?? [:])
    let line = isColored ? "\u{1B}[31mString  missed\u{1B}[0m" : "String  missed"
    #expect(
      text.split(whereSeparator: \.isNewline).contains { $0 == line }, "\(text.debugDescription)")
  }

  @Test func `shows a log without colours in a file`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfLogs/shows")
    #expect(review.output.split(separator: "\n").contains("String  missed"))
  }

  @Test func `passes when an override is unused, and says so`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfFailures/warns")
    #expect(review.status == 0)
    #expect(review.output.contains("Fixtures.swift:911:"), "\(review.output)")
    #expect(review.output.contains("The override of 'any Postman' was never resolved."))
  }

  @Test func `fails when an override is unused under a strict layer`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfFailures/violates")
    #expect(review.status != 0)
    #expect(review.output.contains("Fixtures.swift:912:"), "\(review.output)")
    #expect(review.output.contains("The override of 'any Postman' was never resolved."))
  }

  @Test func `fails for escaped work of a suite unless a test adopts it`() async throws {
    let review = try await Performance.ofSwiftTesting("FixtureOfInnerEscapes/adopts")
    #expect(review.status == 0, "\(review.output)")
  }

  @Test func `fails when escaped work calls the process's double of a static requirement`()
    async throws
  {
    let review = try await Performance.ofSwiftTesting("FixtureOfInnerEscapes/rings")
    #expect(review.status != 0)
    for line in [
      "Fixtures.swift:902:",
      "Bell.ring() was used by work that belongs to no test, and a running test has",
      "Used by  'rings()'",
    ] {
      #expect(review.output.contains(line), "\(review.output)")
    }
  }

  // MARK: XCTest

  @Test(arguments: [
    (
      "FixtureCase", 921, "FixtureCase.testWarns",
      "override var overrideOptions: OverrideOptions { .check(.unusedOverride, .off) }"
    ),
    (
      "PlainFixtureCase", 931, "plain",
      "withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }"
    ),
  ])
  func `of XCTest passes when an override is unused, and prints it`(
    name: String, line: Int, layer: String, advice: String
  ) async throws {
    let review = try await Performance.ofXCTest("\(name)/testWarns")
    #expect(review.status == 0, "\(review.output)")
    let text = """
      Fixtures.swift:\(line): warning: The override of 'any Postman' was never resolved.
        Overridden  UnderstudyTests/Fixtures.swift:\(line)
        Layer       '\(layer)' of the resolver 'fixtures'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  \(advice)
      """
    #expect(review.output.contains(text), "\(review.output)")
  }

  @Test func `of XCTest fails at the place of a violation from any thread`() async throws {
    let review = try await Performance.ofXCTest("FixtureCase/testUsesTheUnimplemented")
    #expect(review.status != 0)
    let text = """
      Fixtures.swift:923: error: FixtureCase.testUsesTheUnimplemented : failed - 'any Postman' was used, \
      though the test says that it is unimplemented.
        At          UnderstudyTests/Fixtures.swift:923
        Resolver    'fixtures'
        Registered  UnderstudyTests/Fixtures.swift:922
      To fix, do one of these:
        • Override it with a double:  overrides.register { … as any Postman }
        • Find out why the code under test asks for it.
      """
    #expect(review.output.contains(text), "\(review.output)")
  }

  @Test func `of XCTest fails for violations of doubles, also from detached work`() async throws {
    let review = try await Performance.ofXCTest("FixtureCase/testLeavesDoublesUnfinished")
    #expect(review.status != 0)
    for text in [
      "No stub answers ping(7).", "The stub of send(\"bye\") answered no call.",
      "send(any arguments) was expected once, and was never called.",
    ] {
      let line = "error: FixtureCase.testLeavesDoublesUnfinished : failed - \(text)"
      #expect(review.output.ranges(of: line).count == 1, "\(review.output)")
    }
  }

  @Test func `of XCTest fails for a missing expected call of a double outside a layer`()
    async throws
  {
    let review = try await Performance.ofXCTest("PlainFixtureCase/testExpectsOutsideALayer")
    #expect(review.status != 0)
    let line =
      "error: PlainFixtureCase.testExpectsOutsideALayer : failed - send(\"bye\") was expected once, "
      + "and was never called."
    #expect(review.output.ranges(of: line).count == 1, "\(review.output)")
  }

  @Test func `of XCTest names the case if no place is known`() async throws {
    let review = try await Performance.ofXCTest("FixtureCase/testLeavesWorkRunning")
    #expect(review.status != 0)
    let text = """
      FixtureCase:0: error: FixtureCase.testLeavesWorkRunning : failed - Work that was started under the \
      layer was still running when it ended.
        Layer  'FixtureCase.testLeavesWorkRunning'
      """
    #expect(review.output.contains(text), "\(review.output)")
  }

  @Test(arguments: [
    (
      "UnmadeFixtureCase/testRuns",
      """
      UnmadeFixtureCase:0: error: UnmadeFixtureCase.testRuns : failed - The overrides of \
      UnmadeFixtureCase.testRuns could not be made.
        Error  on strike
      """
    ),
    (
      "UnmadeFixtureCase/testMissing",
      """
      Fixtures.swift:951: error: UnmadeFixtureCase.testMissing : failed - The overrides of \
      UnmadeFixtureCase.testMissing could not be made.
        Error  No registration for 'Int'.
                 At         UnderstudyTests/Fixtures.swift:951
                 Consulted  production of an unnamed resolver (0 registrations)
               To fix, do one of these:
                 • Register it:  resolver.register { … as Int }
                 • Override it:  withOverrides(of: …) { $0.register { … as Int } } operation: { … }
      """
    ),
    (
      "UnskippedFixtureCase/testRuns",
      """
      UnskippedFixtureCase:0: error: UnskippedFixtureCase.testRuns : failed - UnskippedFixtureCase.testRuns \
      could not be skipped by its overrides.
      """
    ),
  ])
  func `of XCTest names the case if its overrides fail, and the place if it is known`(
    name: String, text: String
  ) async throws {
    let review = try await Performance.ofXCTest(name)
    #expect(review.status != 0)
    #expect(review.output.contains(text), "\(review.output)")
    #expect(!review.output.contains("It was run."))
  }

  @Test func `of XCTest fails when a thread makes a request under a layer that has ended`()
    async throws
  {
    let review = try await Performance.ofXCTest("FixtureCase/testAsksTooLate")
    #expect(review.status != 0)
    let text = """
      Fixtures.swift:924: error: FixtureCase.testAsksTooLate : failed - 'any Postman' was asked for under \
      the ended layer 'ended' of the test 'FixtureCase.testAsksTooLate'.
        At        UnderstudyTests/Fixtures.swift:924
        Resolver  'fixtures'
      """
    #expect(review.output.contains(text), "\(review.output)")
  }

  @Test func `of XCTest reports a thread's registration on the main resolver`() async throws {
    let review = try await Performance.ofXCTest("FixtureCase/testRegistersOnTheMainResolver")
    #expect(review.status == 0)
    let text = """
      Fixtures.swift:925: warning: 'Clerk' was registered on 'Resolver.main' while a test runs: \
      other tests see it, too.
      """
    #expect(review.output.contains(text), "\(review.output)")
  }

  @Test func `of XCTest fails for a plain case's strict scope`() async throws {
    let review = try await Performance.ofXCTest("PlainFixtureCase/testViolates")
    #expect(review.status != 0)
    #expect(
      review.output.contains(
        "Fixtures.swift:932: error: PlainFixtureCase.testViolates : failed - The override of"),
      "\(review.output)")
  }

  @Test func `of XCTest fails for a violation while no case runs`() async throws {
    let review = try await Performance.ofXCTest("LateFixtureCase/testRuns")
    #expect(review.status != 0)
    for text in [
      "Fixtures.swift:941: error: LateFixtureCase.testRuns : failed - 'any Postman' was asked for under",
      "Fixtures.swift:942: error: 'any Postman' was asked for under",
      "Fixtures.swift:943: error: 'Int' was registered on a layer that has ended",
    ] {
      #expect(review.output.ranges(of: text).count == 1, "\(review.output)")
    }
    // The first one is of its own class.
    let late = review.output.ranges(of: "after the cases of 'LateFixtureCase'")
    #expect(late.count == 2, "\(review.output)")
  }
}
