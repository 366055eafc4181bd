// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallSite {
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
