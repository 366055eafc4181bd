// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDoubles

@Suite(.strayViolationsKept) struct RedactionTests {
  @Test(arguments: ["login(_:)", "login(id:secret:)"])
  func `an element of a tuple is blanked by its own label`(name: String) throws {
    let folder = try Folder()
    let redact = Redaction.keys("password")
    let recording = Spy<(id: Int, password: String), Int, any Error>(name)
    recording.plays(try folder.cassette(redact: [redact])) { $0.id }
    try #expect(recording((id: 7, password: "s3cret")) == 7)
    #expect(try #require(folder.text).contains("s3cret") == false)
    // Another secret finds the same recording.
    let playing = Spy<(id: Int, password: String), Int, any Error>(name)
    playing.plays(try folder.cassette(Cassette.Mode.none, redact: [redact])) { _ in
      throw Bounced()
    }
    try #expect(playing((id: 7, password: "other")) == 7)
  }

  @Test func `an argument whose label is none of the keys is recorded as it is`() throws {
    let folder = try Folder()
    let spy = Spy<(String, String), Int, any Error>("login(user:password:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    try #expect(spy("ada", "s3cret") == 1)
    #expect(try #require(folder.text).contains("\"ada\""))
    #expect(try #require(folder.text).contains("s3cret") == false)
  }

  /// A completion that is not kept leaves its label in the name.
  @Test func `what may have the label is blanked where labels and arguments are not as many`()
    throws
  {
    let folder = try Folder()
    let spy = Spy<(String, String), Int, any Error>("login(user:password:completion:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    try #expect(spy("ada", "s3cret") == 1)
    #expect(try #require(folder.text).contains("s3cret") == false)
    let whole = Spy<[String: String], Int, any Error>("enter(user:password:)")
    whole.plays(try folder.cassette(redact: [.keys("password")])) { _ in 2 }
    try #expect(whole(["user": "ada", "password": "s3cret"]) == 2)
    #expect(try #require(folder.text).contains("s3cret") == false)
    #expect(try #require(folder.text).contains("\"ada\""))
  }

  struct Refused: Error {
    var headers: [String: [String: String]]
  }
  struct Silent: Error, Codable {
    var code = 1
    var password = "s3cret"
    enum CodingKeys: String, CodingKey { case code }
  }

  class Denied: Error, CustomStringConvertible, @unchecked Sendable {
    let password = "s3cret"
    var description: String { "denied to \(password)" }
  }
  final class Banned: Denied, @unchecked Sendable { let until = 7 }

  static let errors: [any Error] = [
    NSError(domain: "d", code: 1, userInfo: ["password": "s3cret"]),
    NSError(
      domain: "d", code: 1,
      userInfo: [
        NSUnderlyingErrorKey: NSError(domain: "e", code: 2, userInfo: ["password": "s3cret"])
      ]),
    CocoaError(.fileNoSuchFile, userInfo: ["password": "s3cret"]),
    URLError(.timedOut, userInfo: ["password": "s3cret"]),
    Refused(headers: ["a": ["password": "s3cret"]]), Silent(), Banned(),
  ]

  @Test(arguments: errors.indices)
  func `what an error holds in a dictionary, or does not encode, is blanked by its key`(index: Int)
    throws
  {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in throw Self.errors[index] }
    #expect(throws: (any Error).self) { try spy(1) }
    #expect(spy.finish() == [])
    let text = try #require(folder.text)
    #expect(!text.contains("s3cret"), "\(text)")
    #expect(text.contains("\"error\""))
  }

  @Test func `what an error says stays where there is nothing to blank`() throws {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("token")])) { _ in throw Silent() }
    #expect(throws: Silent.self) { try spy(1) }
    #expect(try #require(folder.text).contains("Silent(code: 1, password: \\\"s3cret\\\")"))
  }
}
