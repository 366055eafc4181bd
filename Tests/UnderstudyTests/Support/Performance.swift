// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// This test program, run again as a process of its own: what a person sees, and how it ends.
enum Performance {
  struct Review: Sendable {
    let status: Int32
    let output: String
  }

  /// True in a process that a test started: fixtures are played there alone.
  static let isFixture = ProcessInfo.processInfo.environment["UNDERSTUDY_FIXTURE"] != nil

  /// Where the program can run itself.
  static var isPossible: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Plays fixtures of Swift Testing.
  static func ofSwiftTesting(_ filter: String, attachments: URL? = nil) async throws -> Review {
    try await play(
      ["--testing-library", "swift-testing", "--filter", filter]
        + (attachments.map { ["--attachments-path", $0.path] } ?? []))
  }

  /// Plays a fixture of XCTest.
  static func ofXCTest(_ name: String) async throws -> Review {
    try await play(["UnderstudyTests." + name])
  }

  private static func play(_ arguments: [String]) async throws -> Review {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["UNDERSTUDY_FIXTURE": "1", "NO_COLOR": "1"]) { $1 }
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
  /// Only in a process that a test started.
  static var fixture: ConditionTrait { .enabled(if: Performance.isFixture, "a fixture") }
}
