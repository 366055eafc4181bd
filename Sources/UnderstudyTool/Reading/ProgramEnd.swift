// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The end of a program of the toolchain.
public struct ProgramEnd: Hashable, Sendable {
  /// The status, 0 for success. `nil` if the program cannot be run at all.
  var status: Int32?
  /// The text on the standard error, or the reason why the program cannot be run.
  var errors = ""

  /// Creates the end of a program that was run, or that cannot be run.
  public init(status: Int32?, errors: String = "") {
    self.status = status
    self.errors = errors
  }

  /// The reason of a failure, with the first line of the errors. Others may list modules.
  var reason: String {
    let first = errors.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
    return (status.map { "status \($0)" } ?? "it cannot be run") + first
  }

  /// Runs a program, and waits for its end.
  static func of(_ program: String, _ arguments: [String]) -> ProgramEnd {
    #if os(macOS) || os(Linux)
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.standardError = pipe
      do {
        try process.run()
      } catch {
        return ProgramEnd(status: nil, errors: error.localizedDescription)
      }
      let errors = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return ProgramEnd(
        status: process.terminationStatus, errors: String(decoding: errors, as: UTF8.self))
    #else
      return ProgramEnd(status: nil, errors: "this system runs no programs")
    #endif
  }
}
