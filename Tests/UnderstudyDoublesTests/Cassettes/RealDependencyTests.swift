// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Cassettes in front of real dependencies: files on a disk, and a server on a socket.
@Suite struct RealDependencyTests {
  protocol Files: Sendable {
    func read(_ path: String) throws -> String
    func write(_ text: String, to path: String) throws
  }

  struct Disk: Files {
    let folder: String
    func read(_ path: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
        throw RepoError.missing
      }
      return String(decoding: data, as: UTF8.self)
    }
    func write(_ text: String, to path: String) throws {
      try text.write(toFile: "\(folder)/\(path)", atomically: true, encoding: .utf8)
    }
  }

  final class FilesDouble: Files {
    let reads = Spy<String, String, any Error>("read(_:)")
    let writes = Spy<(String, String), Void, any Error>("write(_:to:)")
    func read(_ path: String) throws -> String { try reads(path) }
    func write(_ text: String, to path: String) throws { try writes(text, path) }

    init(_ tape: Cassette, real: any Files) {
      reads.plays(tape, errors: RepoError.self) { try real.read($0) }
      writes.plays(tape) { try real.write($0, to: $1) }
    }
  }

  /// Works with files so that every answer depends on the calls before it.
  private func story(_ files: any Files) throws -> [String] {
    var story: [String] = []
    story.append((try? files.read("a.txt")) ?? "nothing")
    try files.write("one", to: "a.txt")
    story.append(try files.read("a.txt"))
    try files.write("two", to: "a.txt")
    story.append(try files.read("a.txt"))
    return story
  }

  @Test func `files are played without the disk`() throws {
    let folder = try Folder()
    let disk = try Folder()
    let recorded = try story(FilesDouble(try folder.cassette(), real: Disk(folder: disk.path)))
    try FileManager.default.removeItem(atPath: disk.path)
    let gone = Disk(folder: disk.path)
    #expect(throws: RepoError.missing) { try gone.read("a.txt") }
    let played = try story(FilesDouble(try folder.cassette(Cassette.Mode.none), real: gone))
    #expect(played == recorded)
    #expect(played == ["nothing", "one", "two"])
  }

  protocol Client: Sendable {
    func get(_ path: String) async throws -> String
  }

  struct Web: Client {
    let port: UInt16
    func get(_ path: String) async throws -> String {
      guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
        throw RepoError.missing
      }
      let (data, response) = try await URLSession.shared.data(from: url)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw RepoError.missing }
      return String(decoding: data, as: UTF8.self)
    }
  }

  final class ClientDouble: Client {
    let gets = AsyncSpy<String, String, any Error>("get(_:)")
    func get(_ path: String) async throws -> String { try await gets(path) }

    init(_ tape: Cassette, real: any Client) {
      gets.plays(tape, errors: RepoError.self) { try await real.get($0) }
    }
  }

  @Test func `a server on a socket is played without the server`() async throws {
    let folder = try Folder()
    let server = try LoopbackServer()
    let recording = ClientDouble(try folder.cassette(), real: Web(port: server.port))
    let first = try await recording.get("/hello")
    let second = try await recording.get("/hello")
    await #expect(throws: RepoError.missing) { try await recording.get("/missing") }
    #expect([first, second] == ["request 1 of /hello", "request 2 of /hello"])
    server.stop()
    await #expect(throws: (any Error).self) { try await Web(port: server.port).get("/hello") }

    let playing = ClientDouble(
      try folder.cassette(Cassette.Mode.none), real: Web(port: server.port))
    try await #expect(playing.get("/hello") == first)
    try await #expect(playing.get("/hello") == second)
    await #expect(throws: RepoError.missing) { try await playing.get("/missing") }
    #expect(server.requests == 3)
  }
}

/// A server that answers one request for each connection, and numbers its answers.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let socket: Int32
  private let count: SpyProperty<Int>
  var requests: Int { count.value }

  init() throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = Foundation.socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 8) == 0 else {
          return false
        }
        return getsockname(descriptor, address, &length) == 0
      }
    }
    guard descriptor >= 0, bound else { throw RepoError.busy }
    port = UInt16(bigEndian: address.sin_port)
    socket = descriptor
    let count = SpyProperty<Int>("requests", 0)
    self.count = count
    Thread { Self.serve(descriptor, count) }.start()
  }

  func stop() {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private static func serve(_ socket: Int32, _ count: SpyProperty<Int>) {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else { return }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let length = max(read(connection, &bytes, bytes.count), 0)
      let request = String(decoding: bytes.prefix(length), as: UTF8.self)
      let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
      count.value += 1
      let body = "request \(count.value) of \(path)"
      let status = path == "/missing" ? "404 Not Found" : "200 OK"
      let answer =
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
      _ = Array(answer.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      close(connection)
    }
  }
}
