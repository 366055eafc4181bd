// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The built program, started as a process.
struct `The built command` {
  private func run(_ words: [String], profile: String?, in folder: URL) throws -> (Int32, String) {
    let process = Process()
    let beside = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
    process.executableURL = try #require(
      beside.compactMap { $0?.appending(path: "print-tickets") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    process.arguments = words
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["UNDERSTUDY_PROFILE"] = profile
    process.environment = environment
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }

  @Test(
    arguments: [
      (nil, 0, "No. 1: Hamlet, seat A1.\n", true),
      ("dry-run", 0, "No. 0: Hamlet, seat A1.\n", false),
      (
        "wet-run", 1,
        """
        Error: No profile 'wet-run'.
          Asked for by  UNDERSTUDY_PROFILE
          Offered       dry-run
        To fix:  Choose an offered profile, or none.

        """, false
      ),
    ] as [(String?, Int32, String, Bool)])
  func `counts in its file, but not under a profile`(
    profile: String?, status: Int32, output: String, counts: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try run(["A1", "--play", "Hamlet"], profile: profile, in: folder)
    #expect(outcome.1 == output)
    #expect(outcome.0 == status)
    let counter = folder.appending(path: "tickets.count").path
    #expect(FileManager.default.fileExists(atPath: counter) == counts)
  }
}
