// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

/// Which calls share their recordings.
@Suite(.strayViolationsKept) struct RequestIdentityTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  @Test func `texts of different bytes have recordings of their own`() throws {
    func arguments(_ text: String) -> [[[String: [String]]]] {
      [[["a": [text]]], [[text: ["a"]]]]
    }
    let texts = ["\u{e9}", "e\u{301}"]
    for index in 0..<2 {
      let recording = Spy<[[String: [String]]], String, any Error>("f\(index)(_:)")
      recording.plays(try folder.cassette()) { $0.description.unicodeScalars.count.description }
      for text in texts { _ = try recording(arguments(text)[index]) }
      #expect(recording.finish().map(\.severity) == [])
      let playing = Spy<[[String: [String]]], String, any Error>("f\(index)(_:)")
      playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
      for text in texts.reversed() {
        let call = arguments(text)[index]
        try #expect(playing(call) == call.description.unicodeScalars.count.description)
      }
      #expect(playing.finish() == [])
    }
  }

  @Test func `a text that only differs in its bytes is shown by its scalars`() throws {
    let recording = Spy<String, Int, any Error>("f(_:)")
    recording.plays(try folder.cassette()) { _ in 1 }
    _ = try recording("\u{e9}")
    let playing = Spy<String, Int, any Error>("f(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    let error = #expect(throws: CassetteError.self) { try playing("e\u{301}") }
    #expect(
      error?.description.contains(#"arguments[0]: "\u{E9}" → "e\u{301}""#) == true,
      "\(String(describing: error))")
    #expect(playing.finish().count == 1)
  }

  @Test(arguments: [#"{ "b": [1, 2.50], "a": "x" }"#, #"{"a":"x","b":[1.0,2.5]}"#])
  func `documents that differ in the order of keys and in spaces are one request`(document: String)
    async throws
  {
    let other = #"{"b":[2.5,1],"a":"x"}"#
    func text() -> Spy<String, Int, any Error> { Spy("send(_:)") }
    func data() -> Spy<Data, Int, any Error> { Spy("post(_:)") }
    let tape = try folder.cassette()
    let (sends, posts) = (text(), data())
    sends.plays(tape) { _ in 1 }
    posts.plays(tape) { _ in 2 }
    _ = try (sends(other), sends(document), posts(Data(other.utf8)), posts(Data(document.utf8)))
    let playing = (text(), data())
    let played = try folder.cassette(Cassette.Mode.none, .repeatingArguments)
    playing.0.plays(played) { _ in throw Bounced() }
    playing.1.plays(played) { _ in throw Bounced() }
    for same in ["\n{\"a\": \"x\", \"b\": [1, 2.5]}", #"{"b":[1,2.5],"a":"x"}"#] {
      try #expect(playing.0(same) == 1 && playing.1(Data(same.utf8)) == 2)
    }
    #expect(throws: CassetteError.self) { try playing.0(#"{"a":"x","b":[1,"2.5"]}"#) }
    #expect(playing.0.finish().count == 1)
  }

  @Test func `a document of a cassette that was written by hand is found in any form`() throws {
    try folder.write(
      """
      {"format": "understudy-cassette", "version": 1, "interactions": [
        {"member": "send(_:)", "arguments": ["{ \\"b\\": 1, \\"a\\": 2 }"], "value": 7}
      ]}
      """)
    let playing = Spy<String, Int, any Error>("send(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    try #expect(playing(#"{"a":2,"b":1}"#) == 7)
  }

  /// A `Double` would hold both numbers as one.
  @Test func `documents with numbers that would lose digits have recordings of their own`() throws {
    let documents = ["1", "2"].map { #"{"n": 0.1234567890123456789012\#($0)}"# }
    let recording = Spy<String, Int, any Error>("send(_:)")
    recording.plays(try folder.cassette()) { _ in 1 }
    _ = try recording(documents[0])
    let playing = Spy<String, Int, any Error>("send(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    let error = #expect(throws: CassetteError.self) { try playing(documents[1]) }
    #expect(
      error?.description.contains(#"21}" → "{\"n\": 0.1"#) == true,
      "\(String(describing: error))")
    _ = playing.finish()
  }

  // MARK: Doubles that share a cassette

  private func user() -> Spy<Int, String, any Error> { Spy("fetch(_:)", line: 70) }
  private func order() -> Spy<Int, String, any Error> { Spy("fetch(_:)", line: 80) }

  @Test func `two doubles that make the same call of one cassette are a warning`() throws {
    let tape = try folder.cassette()
    let (user, order) = (user(), order())
    user.plays(tape) { "user \($0)" }
    order.plays(tape) { "order \($0)" }
    try #expect(user(1) == "user 1" && order(2) == "order 2")
    #expect(order.calls == [2])
    try #expect(order(1) == "order 1" && order(1) == "order 1")
    #expect(user.finish() == [])
    let found = order.finish()
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.map(\.description) == [
        """
        Two doubles make the call fetch(1) on the cassette 'tape.json', and share its recordings.
          Cassette  \(folder.file)
          Doubles   UnderstudyDoublesTests/RequestIdentityTests.swift:70
                    UnderstudyDoublesTests/RequestIdentityTests.swift:80
        To fix, do one of these:
          • Give each double a cassette of its own.
          • If both are doubles of one object, create them in one function.
          • Give each spy a name of its own, as in Spy("Users.fetch(_:)").
        """
      ])
  }

  @Test func `two doubles of one type may share their recordings`() throws {
    for mode in [Cassette.Mode.once, .live] {
      let tape = try folder.cassette(mode)
      for _ in 0..<2 {
        let spy = user()
        spy.plays(tape) { "user \($0)" }
        try #expect(spy(1) == "user 1")
        #expect(spy.finish() == [])
      }
    }
  }
}
