// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDoubles

/// Data that is a text, such as the body of an HTTP message, in the file and in messages.
@Suite(.strayViolationsKept) struct ReadableDataTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  struct Message: Codable, Hashable, Sendable {
    var body: Data
    init(_ body: Data) { self.body = body }
    init(_ text: String) { body = Data(text.utf8) }
  }

  private func posts(
    _ cassette: Cassette, _ real: @escaping @Sendable (Message) throws -> Message
  ) -> Spy<Message, Message, any Error> {
    let posts = Spy<Message, Message, any Error>("post(_:)")
    posts.plays(cassette, recording: real)
    return posts
  }

  @Test(arguments: [
    Data(), Data("seat=é\r\n\"A1\"\0".utf8), Data([0xEF, 0xBB, 0xBF, 0x61]), Data([0xFF, 0x00]),
    Data("e\u{301}".utf8),
  ])
  func `data is played back as it was recorded`(data: Data) throws {
    let recording = posts(try folder.cassette()) { $0 }
    _ = try recording(Message(data))
    #expect(recording.finish() == [])
    let playing = posts(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    try #expect(playing(Message(data)) == Message(data))
  }

  @Test func `data that is a text is one in the file, and other data is in base64`() throws {
    let recording = posts(try folder.cassette()) { _ in Message(Data([0xFF, 0x00])) }
    _ = try recording(Message("seat=A1"))
    let recorded = try #require(try CassetteFile(path: folder.file).read().first)
    let body = JSON.object(["utf8": .string("seat=A1")])
    #expect(recorded.request.arguments == [.object(["body": body])])
    #expect(recorded.outcome == .value(.object(["body": .string("/wA=")])))
  }

  @Test func `a played text of a cassette that was written by hand may be in base64`() throws {
    try folder.write(
      """
      {"format": "understudy-cassette", "version": 1, "interactions": [
        {"member": "post(_:)", "arguments": [{"body": {"utf8": "1"}}],
         "value": {"body": "c29sZA=="}},
        {"member": "post(_:)", "arguments": [{"body": {"utf8": "2"}}],
         "value": {"body": "is sold"}}
      ]}
      """)
    let playing = posts(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    try #expect(playing(Message("1")) == Message("sold"))
    let error = #expect(throws: CassetteError.self) { try playing(Message("2")) }
    #expect(
      error?.description.contains(#"{"body":"is sold"} is not Message: "#) == true,
      "\(String(describing: error))")
    _ = playing.finish()
  }

  private func miss(of body: String, recorded: String) throws -> String {
    _ = try posts(try folder.cassette()) { $0 }(Message(recorded))
    let playing = posts(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    let error = #expect(throws: CassetteError.self) { try playing(Message(body)) }
    _ = playing.finish()
    return error?.description ?? ""
  }

  @Test func `a miss shows the difference of two texts`() throws {
    let miss = try miss(of: "seat=A2", recorded: "seat=A1")
    #expect(
      miss.contains(
        """
          Asked     [{"body":{"utf8":"seat=A2"}}]
          Nearest   [{"body":{"utf8":"seat=A1"}}]
          Differs   arguments[0].body.utf8: "seat=A1" → "seat=A2"
        """), "\(miss)")
  }

  @Test func `a miss shows the difference of two long texts from its place`() throws {
    let long = String(repeating: "lorem ipsum ", count: 2_000)
    let miss = try miss(of: "\(long)A2", recorded: "\(long)A1")
    let difference = #"arguments[0].body.utf8: … ipsum lorem ipsum A1" → … ipsum lorem ipsum A2""#
    #expect(miss.contains("Differs   \(difference)"), "\(miss)")
    #expect(miss.utf8.count < 5_000)
  }

  @Test func `a miss shows the place in a document in which it differs`() throws {
    let miss = try miss(
      of: #"{"user": {"name": "bob"}, "seats": [1, 2]}"#,
      recorded: #"{"seats": [1], "user": {"name": "ada"}}"#)
    #expect(
      miss.contains(
        """
          Differs   arguments[0].body.utf8.seats[1]: nothing → 2
                    arguments[0].body.utf8.user.name: "ada" → "bob"
        """), "\(miss)")
  }

  @Test(arguments: [false, true])
  func `a miss shortens a long text that only one document has`(isRecorded: Bool) throws {
    let long = #"{"a": 1, "b": "\#(String(repeating: "lorem ipsum ", count: 2_000))"}"#
    let short = #"{"a": 1}"#
    let miss = try miss(of: isRecorded ? short : long, recorded: isRecorded ? long : short)
    let start = "Differs   arguments[0].body.utf8.b: "
    #expect(miss.contains(start + (isRecorded ? #""lorem"# : #"nothing → "lorem"#)), "\(miss)")
    #expect(miss.contains("(24002 characters)"), "\(miss)")
    #expect(miss.utf8.count < 5_000)
  }

  @Test func `a miss shows the first twenty differences, and the number of the others`() throws {
    let miss = try miss(
      of: "\(Array(1...10_000))", recorded: "\(Array(0..<10_000))")
    #expect(
      miss.contains(
        """
                    arguments[0].body.utf8[19]: 19 → 20
                    and 9980 more

        """), "\(miss)")
  }
}
