// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

/// Secrets that are in the file of a cassette before they are known.
@Suite(.strayViolationsKept) struct LeakedSecretTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func message(_ end: String, members: String) -> String {
    """
    The cassette 'tape.json' contains a secret from an earlier recording\(end).
      File       \(folder.file)
      Secret     found as it is
      Recording  \(members)
    To fix:  Delete the recording of \(members) from the file, redact the place, and change the secret.
    """
  }

  @Test func `a secret that an earlier recording contains is reported as that recording's`()
    throws
  {
    let tape = try folder.cassette(redact: [.keys("password")])
    let whoami = Spy<Int, String, any Error>("whoami(_:)")
    whoami.plays(tape) { _ in "hunter2hunter2" }
    let login = Spy<(String, String), Int, any Error>("login(_:password:)")
    login.plays(tape) { _ in 1 }
    _ = try whoami(1)
    let before = folder.text
    try #expect(login("me", "hunter2hunter2") == 1)
    #expect(folder.text == before)
    #expect(
      login.finish().map(\.description)
        == [
          message(", and was not written", members: "whoami(_:)") + "\nThe file was left as it is."
        ])
  }

  /// Plays a cassette under a layer, and returns the violations of its end.
  private func played(
    _ redaction: Redaction, _ body: (Cassette) throws -> Void
  ) throws -> [Violation] {
    let layer = OverrideLayer(
      LayerTraits(of: Resolver(), named: "cassette", on: nil, at: CallSite()))
    try OverrideLayer.binding(layer) {
      try body(try Cassette(at: folder.file, mode: .none, redact: redaction))
    }
    return layer.end()
  }

  @Test func `a known secret in a cassette that is only played is a violation at the layer's end`()
    throws
  {
    let recording = Spy<Int, String, any Error>("token(_:)")
    recording.plays(try folder.cassette()) { _ in "a s3cret" }
    _ = try recording(1)
    for (secret, isThere) in [("s3cret", true), ("other", false)] {
      let found = try played(.text(secret)) { tape in
        let spy = Spy<Int, String, any Error>("token(_:)")
        spy.plays(tape) { _ in throw Bounced() }
        try #expect(spy(1) == "a s3cret")
      }
      #expect(found.map(\.severity) == (isThere ? [.error] : []))
      #expect(found.map(\.description) == (isThere ? [message("", members: "token(_:)")] : []))
    }
  }

  @Test func `a secret that a played call teaches is searched for at the layer's end`() throws {
    let redact = Redaction.keys("password")
    func doubles(
      _ tape: Cassette
    ) -> (Spy<Int, String, any Error>, Spy<(String, String), Int, any Error>) {
      let whoami = Spy<Int, String, any Error>("whoami(_:)")
      whoami.plays(tape) { _ in "hunter2hunter2" }
      let login = Spy<(String, String), Int, any Error>("login(_:password:)")
      login.plays(tape) { _ in 1 }
      return (whoami, login)
    }
    let recording = doubles(try folder.cassette(redact: [redact]))
    _ = try (recording.0(1), recording.1("me", "another secret"))
    let found = try played(.keys("password")) { tape in
      let playing = doubles(tape)
      _ = try (playing.0(1), playing.1("me", "hunter2hunter2"))
    }
    #expect(found.map(\.description) == [message("", members: "whoami(_:)")])
  }

  // MARK: Texts that are a secret by their key

  @Test(arguments: [
    ("login(_:password:)", "password"), ("login(_:password:)", "Password"),
    ("registered(_:password:)", "registered"), ("login(_:password:)", "interactions"),
  ])
  func `a blanked text may be a part of a member's name or a key`(name: String, password: String)
    throws
  {
    let spy = Spy<([String: Int], String), Int, any Error>(name)
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    try #expect(spy(["username": 1], password) == 1)
    #expect(spy.finish() == [])
    #expect(try CassetteFile(path: folder.file).read().count == 1)
  }
}
