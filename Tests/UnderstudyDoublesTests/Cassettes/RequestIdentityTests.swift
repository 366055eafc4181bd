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
