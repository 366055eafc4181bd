// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDoubles

/// A layer that a test pushes itself ends before the test does, so it does not own a cassette that
/// the test opened above it.
@Suite struct `A recording that was not played` {
  private let resolver = Resolver()

  /// Records the calls 1 and 2, plays the first one in `body`, and expects one warning, or none if
  /// `body` plays both.
  private func expectOneWarning(
    unless isPlayed: Bool = false,
    _ body: @escaping @Sendable (Spy<Int, Int, any Error>, () throws -> Cassette) throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let real = Spy<Int, Int, any Error>("f(_:)")
    // An empty environment, since `CI` in the environment of the process forbids recording.
    real.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { $0 }
    for number in 1...2 { _ = try real(number) }
    let text = """
      1 recording on the cassette '\((path as NSString).lastPathComponent)' was not played.
        Cassette    \(path)
        Opened at   UnderstudyTests/UnplayedRecordingTests.swift:40
        Not played  f(_:) [2]
      To fix, do one of these:
        • Give each test a cassette of its own.
        • If no other test plays them, delete them, or make their calls.
      """
    try await expect(issues: isPlayed ? [] : [.warning(text, line: 40)]) {
      try body(Spy("f(_:)")) { try Cassette(at: path, mode: .none, line: 40) }
    }
  }

  @Test(arguments: [true, false])
  func `is one warning of a cassette above the test's layer`(isSpyCreatedBelow: Bool) async throws {
    try await expectOneWarning { [resolver] above, open in
      let tape = try open()
      try withOverrides(of: resolver) { _ in
      } operation: {
        let spy = isSpyCreatedBelow ? Spy("f(_:)") : above
        spy.plays(tape) { $0 }
        try #expect(spy(1) == 1)
      }
    }
  }

  @Test func `is one warning of a cassette that the configuration of a layer opens`() async throws {
    try await expectOneWarning { [resolver] spy, open in
      try withOverrides(of: resolver) { _ in
        spy.plays(try open()) { $0 }
      } operation: {
        try #expect(spy(1) == 1)
      }
    }
  }

  @Test func `is one warning of a cassette that a layer owns`() async throws {
    try await expectOneWarning { [resolver] spy, open in
      try withOverrides(of: resolver) { _ in
      } operation: {
        spy.plays(try open()) { $0 }
        try #expect(spy(1) == 1)
      }
    }
  }

  /// The recording may be played until the layer ends, which is after its operation.
  @Test(arguments: [true, false])
  func `is one warning at the end of the test, if the layer of the cassette ends then`(
    isPlayedAfterwards: Bool
  ) async throws {
    try await expectOneWarning(unless: isPlayedAfterwards) { [resolver] spy, open in
      try withOverrides(of: resolver) { _ in
      } operation: {
        let played = try withOverrides(of: resolver, until: .endOfTest) { _ in
        } operation: {
          spy.plays(try open()) { $0 }
          return try spy(1)
        }
        #expect(played == 1)
        if isPlayedAfterwards { try #expect(spy(2) == 2) }
      }
    }
  }

  @Test func `is one warning without a layer`() async throws {
    try await expectOneWarning { spy, open in
      spy.plays(try open()) { $0 }
      try #expect(spy(1) == 1)
    }
  }

  /// XCTest keeps the properties of a case until the run ends.
  @Test func `is one warning at the end of a test that the cassette outlives`() async throws {
    let kept = Lock<Cassette?>(nil)
    try await expectOneWarning { spy, open in
      let result = RunIssues.endingTest {
        Result {
          let tape = try open()
          kept.withLock { $0 = tape }
          spy.plays(tape) { $0 }
          try #expect(spy(1) == 1)
        }
      }
      try result.get()
    }
    #expect(kept.withLock { $0 } != nil)
  }
}
