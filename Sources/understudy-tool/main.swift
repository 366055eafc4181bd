// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import UnderstudyTool

let tool = Tool(
  write: { print($0) },
  writeError: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
exit(tool.run(Array(CommandLine.arguments.dropFirst())))
