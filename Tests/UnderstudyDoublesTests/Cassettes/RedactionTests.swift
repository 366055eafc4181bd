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
}
