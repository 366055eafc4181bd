// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

private enum Broken: Error, Codable, Hashable { case lost, torn(Int) }

/// Errors of private or local types. The compiler's name of such a type contains an address that
/// differs in each run.
@Suite(.strayViolationsKept) struct NamedErrorsTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func `a cassette has no text that differs from run to run`() throws {
    enum Local: Error, Codable { case lost }
    let spy = Spy<Int, Int, any Error>("find(_:)")
    spy.plays(try folder.cassette()) { id in
      if id == 1 { throw Local.lost }
      throw Broken.torn(id)
    }
    #expect(throws: Local.lost) { try spy(1) }
    #expect(throws: Broken.torn(2)) { try spy(2) }
    let text = try #require(folder.text)
    #expect(text.contains("UnderstudyDoublesTests.Broken"))
    #expect(!text.contains("unknown context"))
    #expect(spy.finish() == [])
  }

  @Test func `a private type that another run recorded is played as that type`() throws {
    let file = """
      {"format": "understudy-cassette", "version": 1, "interactions": [
        {"member": "find(_:)", "arguments": [1], "error": {"description": "torn(1)",
          "type": "UnderstudyDoublesTests.(unknown context at $1020).Broken", "value": {"torn": {"_0": 1}}}},
        {"member": "find(_:)", "arguments": [2], "error": {"description": "lost",
          "type": "UnderstudyDoublesTests.Broken", "value": {"lost": {}}}}]}
      """
    try folder.write(file)
    let spy = Spy<Int, Int, Broken>("find(_:)", placeholder: 0)
    spy.plays(try folder.cassette(Cassette.Mode.none)) { $0 }
    #expect(throws: Broken.torn(1)) { try spy(1) }
    #expect(throws: Broken.lost) { try spy(2) }
    #expect(spy.finish() == [])
  }

  @Test func `with two private types of one name, neither is played for the other`() throws {
    struct Torn: Error, Codable {}
    func other() -> any (Error & Decodable).Type {
      struct Torn: Error, Codable {}
      return Torn.self
    }
    let file = """
      {"format": "understudy-cassette", "version": 1, "interactions": [
        {"member": "find(_:)", "arguments": [1], "error": {"description": "Torn()",
          "type": "\(CallName.text(of: Torn.self))", "value": {}}}]}
      """
    try folder.write(file)
    #expect(CallName.text(of: other()) == CallName.text(of: Torn.self))
    let spy = Spy<Int, Int, any Error>("find(_:)")
    spy.plays(try folder.cassette(Cassette.Mode.none), errors: other(), Torn.self) { $0 }
    #expect(throws: CassetteError.self) { try spy(1) }
    let said = spy.finish().map(\.description)
    #expect(said.count == 1)
    #expect(said[0].hasPrefix("A recording of find(_:) cannot be played.\n"))
    #expect(said[0].contains("is the name of several types of its errors"))
    #expect(said[0].contains("To fix:  Give one of these types another name."))
  }

  @Test func `a private type has no address in a message`() {
    #expect(CallName.text(of: [Broken.torn(1)]) == "[UnderstudyDoublesTests.Broken.torn(1)]")
    #expect(CallName.text(of: "a (b) $c (unknown") == "\"a (b) $c (unknown\"")
  }

  @Test func `an optional that holds nil is an issue, and is not played as nil`() throws {
    let spy = Spy<Int??, Int??, Never>("level(_:)")
    spy.plays(try folder.cassette()) { $0 }
    #expect(spy(nil) == .none)
    #expect(spy(3) == 3)
    #expect(spy.finish() == [])
    let other = Spy<Int, Int??, any Error>("other(_:)")
    other.plays(try folder.cassette()) { _ in .some(nil) }
    #expect(try other(1) == .some(nil))
    #expect("\(other.finish())".contains("Optional<Optional<Int>> holds a nil"))
    #expect(folder.text?.contains("other") != true)
  }

  @Test func `a recording of another type is reported as one that cannot be played`() throws {
    let file = """
      {"format": "understudy-cassette", "version": 1, "interactions": [
        {"member": "find(_:)", "arguments": [1], "value": "text"},
        {"member": "find(_:)", "arguments": [2], "error": {"description": "x", "type": "Gone"}}]}
      """
    try folder.write(file)
    let spy = Spy<Int, Int, RepoError>("find(_:)", placeholder: 0)
    spy.plays(try folder.cassette(Cassette.Mode.none)) { $0 }
    #expect(try spy(1) == 0)
    #expect(try spy(2) == 0)
    let said = spy.finish().map(\.description)
    #expect(said.count == 2)
    for text in said {
      #expect(text.hasPrefix("A recording of find(_:) cannot be played.\n"))
      #expect(
        text.contains("Record it anew:  delete it from the cassette, and run once without CI set"))
      #expect(!text.contains("Codable."))
    }
    #expect(said[0].contains("Reason    \"text\" is not Int"))
    #expect(said[1].contains("Reason    Gone was thrown, and no RepoError can be made of it"))
  }
}
