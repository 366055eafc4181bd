// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDoubles

@Suite struct `A whole file` {
  private func kind(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o170000 : 0
  }

  @Test func `that is a device is written in its place`() throws {
    let file = try #require(WholeFile("/dev/null"))
    #expect(file.replace(with: Data("text".utf8), draft: ".draft") == nil)
    #expect(kind(of: "/dev/null") == 0o020000)
  }

  #if os(Linux)
    @Test func `that is a full device gives the reason of the system`() throws {
      let file = try #require(WholeFile("/dev/full"))
      let reason = file.replace(with: Data("text".utf8), draft: ".draft")
      #expect(reason == "No space left on device")
    }
  #endif

  @Test func `that is a pipe is refused, and stays`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    let file = try #require(WholeFile(path))
    let reason = file.replace(with: Data("text".utf8), draft: ".draft")
    #expect(reason == "It is neither a file nor a device")
    #expect(kind(of: path) == 0o010000)
  }
}
