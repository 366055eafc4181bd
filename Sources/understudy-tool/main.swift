// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import UnderstudyTool

let standardError = FileHandle.standardError
// Only a terminal can show a line in the place of another.
let isWatched = isatty(standardError.fileDescriptor) == 1
let tool = Tool(
  write: { print($0) },
  writeError: { standardError.write(Data("\($0)\n".utf8)) },
  showProgress: isWatched ? { standardError.write(Data("\r\u{1B}[K\($0)".utf8)) } : nil)
exit(tool.run(Array(CommandLine.arguments.dropFirst())))
