// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Compares generated text with a committed file, or writes the file if `UNDERSTUDY_RECORD` is set.
func expectSnapshot(
  _ text: String, named name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots").appending(path: name)
  if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
  let committed = try String(contentsOf: file, encoding: .utf8)
  #expect(text == committed, sourceLocation: location)
}
