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

  /// The device is a terminal, in whose folder nothing can be created: a mistake does no harm.
  @Test func `that is a device is written in its place`() throws {
    var (reader, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&reader, &terminal, nil, nil, nil) == 0)
    defer {
      close(reader)
      close(terminal)
    }
    let path = try String(cString: #require(ttyname(terminal)))
    let file = try #require(WholeFile(path))
    try #require(file.replace(with: Data("text".utf8), draft: ".draft") == nil)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, 8) == 4)
    #expect(bytes.prefix(4).elementsEqual("text".utf8))
    #expect(kind(of: path) == 0o020000)
  }

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
