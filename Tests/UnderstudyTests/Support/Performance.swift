// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Runs this test program again in a process of its own, to see its output and its status.
enum Performance {
  struct Review: Sendable {
    let status: Int32
    let output: String
  }

  /// True in a process that a test has started. Fixtures are enabled only there.
  static let isFixture = ProcessInfo.processInfo.environment["UNDERSTUDY_FIXTURE"] != nil

  /// True if the program can run itself on this system.
  static var isPossible: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Runs fixtures of Swift Testing.
  static func ofSwiftTesting(
    _ filter: String, attachments: URL? = nil, environment: [String: String] = [:]
  ) async throws -> Review {
    try await play(
      ["--testing-library", "swift-testing", "--filter", filter]
        + (attachments.map { ["--attachments-path", $0.path] } ?? []),
      environment: environment.merging(["NO_COLOR": "1"]) { $1 })
  }

  /// Runs a fixture of XCTest.
  static func ofXCTest(_ name: String) async throws -> Review {
    try await play(["UnderstudyTests." + name])
  }

  /// Runs a fixture of Swift Testing on a terminal that `script` provides, and returns the shown
  /// text.
  static func onTerminal(
    _ filter: String, environment: [String: String] = [:]
  ) async throws -> String {
    let program = CommandLine.arguments[0]
    let review = try await play(
      [
        "--quiet", "--return", "--command",
        "'\(program)' --testing-library swift-testing --filter '\(filter)'", "/dev/null",
      ], of: "/usr/bin/script", environment: environment)
    #expect(review.status == 0, "\(review.output)")
    return review.output
  }

  private static func play(
    _ arguments: [String], of program: String = CommandLine.arguments[0],
    environment: [String: String] = ["NO_COLOR": "1"]
  ) async throws -> Review {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    var inherited = ProcessInfo.processInfo.environment
    inherited["NO_COLOR"] = nil
    process.environment = inherited.merging(environment) { $1 }
      .merging(["UNDERSTUDY_FIXTURE": "1"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = process.standardOutput
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    return Review(
      status: process.terminationStatus, output: try String(contentsOf: file, encoding: .utf8))
  }
}

extension Trait where Self == ConditionTrait {
  /// Enabled only in a process that a test has started.
  static var fixture: ConditionTrait { .enabled(if: Performance.isFixture, "a fixture") }
}
