// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

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
}
