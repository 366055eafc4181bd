// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension Tool {
  /// Runs the program with its arguments, and ends it.
  package static func runProgram(library: (any WiringLibrary)?) -> Never {
    let standardError = FileHandle.standardError
    // Only a terminal can overwrite a line.
    let isWatched = isatty(standardError.fileDescriptor) == 1
    let tool = Tool(
      library: library, write: { print($0) },
      writeError: { standardError.write(Data("\($0)\n".utf8)) },
      showProgress: isWatched ? { standardError.write(Data("\r\u{1B}[K\($0)".utf8)) } : nil,
      launch: ProgramEnd.of)
    exit(tool.run(Array(CommandLine.arguments.dropFirst())))
  }
}
