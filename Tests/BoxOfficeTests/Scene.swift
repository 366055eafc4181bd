// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A temporary directory for one test, and the built program to run in it.
struct Scene {
  /// True if the thread sanitizer is linked.
  static let isSanitized = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

  let directory: URL

  /// The outcome of a process.
  struct Outcome: Hashable, Sendable {
    let status: Int32
    let output: String
    let complaint: String
  }

  /// Creates an empty directory, and deletes it after `body`.
  static func play<Result>(_ body: (Scene) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: "box-office-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(Scene(directory: directory))
  }

  func file(_ name: String) -> URL { directory.appending(path: name) }

  func write(_ text: String, to name: String) throws {
    let file = file(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The contents of every file of a directory.
  func contents(of name: String) throws -> [String: Data] {
    try FileManager.default.subpathsOfDirectory(atPath: file(name).path).reduce(into: [:]) {
      $0[$1] = FileManager.default.contents(atPath: file(name).appending(path: $1).path)
    }
  }

  /// Runs the program to its end.
  func run(_ words: String...) throws -> Outcome { try start(words).outcome() }

  /// Starts the program. Its files may have at most `fileSizeLimit` blocks of 512 bytes. Writing
  /// more fails, as on a full disk.
  func start(
    _ words: [String], profile: String? = nil, fileSizeLimit limit: Int? = nil
  ) throws -> Running {
    let process = Process()
    var environment = ProcessInfo.processInfo.environment
    environment["UNDERSTUDY_PROFILE"] = profile
    environment["TMPDIR"] = profile == nil ? environment["TMPDIR"] : directory.path
    process.environment = environment
    process.executableURL = try Scene.executable
    process.arguments = words
    if let limit {
      process.arguments =
        ["-c", "trap '' XFSZ; ulimit -f \(limit); exec \"$0\" \"$@\"", try Scene.executable.path]
        + words
      process.executableURL = URL(filePath: "/bin/sh")
    }
    process.currentDirectoryURL = directory
    let running = Running(process: process, directory: file("process-\(UUID())"))
    try FileManager.default.createDirectory(
      at: running.directory, withIntermediateDirectories: true)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try running.open("output")
    process.standardError = try running.open("complaint")
    running.end.enter()
    process.terminationHandler = { [end = running.end] _ in end.leave() }
    do {
      try process.run()
    } catch {
      running.end.leave()
      throw error
    }
    return running
  }

  /// A process that may still run. Its output goes to files, since a pipe could fill up.
  struct Running {
    let process: Process
    let directory: URL
    /// The group is empty once the process has ended. On Linux, `waitUntilExit` can release the run
    /// loop of the process while another thread of Foundation wakes it.
    let end = DispatchGroup()

    func outcome() throws -> Outcome {
      end.wait()
      defer { try? FileManager.default.removeItem(at: directory) }
      return Outcome(
        status: process.terminationStatus, output: try text("output"),
        complaint: try text("complaint"))
    }

    fileprivate func open(_ name: String) throws -> FileHandle {
      let file = directory.appending(path: name)
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }

    private func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: directory.appending(path: name)), as: UTF8.self)
    }
  }

  /// The program. The build puts it beside the test bundle, or beside the running executable if
  /// there is no bundle.
  static var executable: URL {
    get throws {
      let bundle = Bundle(for: Marker.self)
      let places = [
        bundle.bundleURL.deletingLastPathComponent(), bundle.bundleURL,
        Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent(),
      ].compactMap(\.self)
      let found = places.map { $0.appending(path: "box-office") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
      guard let found else { throw CocoaError(.fileNoSuchFile) }
      return found
    }
  }
}

private final class Marker {}
