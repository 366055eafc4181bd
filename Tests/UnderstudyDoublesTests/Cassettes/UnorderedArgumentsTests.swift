// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDoubles

/// The order of sets and dictionaries differs in each run. A call with them must still find its
/// recording.
@Suite(.strayViolationsKept) struct UnorderedArgumentsTests {
  struct Word: Hashable, Codable, Sendable { var text: String }

  static let letters = ["e", "b", "g", "a", "f", "c", "d", "h"]

  /// The same elements in an order that depends on `room`.
  private func set<Element>(_ elements: [Element], room: Int) -> Set<Element> {
    var set = Set<Element>(minimumCapacity: room)
    set.formUnion(elements)
    return set
  }

  private func dictionary<Key>(_ keys: [Key], room: Int) -> [Key: Set<String>] {
    var dictionary = [Key: Set<String>](minimumCapacity: room)
    for key in keys { dictionary[key] = set(Self.letters, room: room) }
    return dictionary
  }

  /// Records a call, and plays it with equal arguments.
  private func expectPlayed<Arguments: Sendable>(_ recorded: Arguments, _ equal: Arguments) throws {
    let folder = try Folder()
    let recording = Spy<Arguments, Int, any Error>("count(_:)")
    recording.plays(try folder.cassette(), errors: []) { _ in 7 }
    try #expect(recording(recorded) == 7)
    let playing = Spy<Arguments, Int, any Error>("count(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none), errors: []) { _ in 0 }
    try #expect(playing(equal) == 7)
    #expect(playing.finish() == [])
  }

  @Test(arguments: [20, 500, 9000]) func `sets and dictionaries are found`(room: Int) throws {
    let words = Self.letters.map(Word.init)
    try expectPlayed(set(Self.letters, room: 0), set(Self.letters, room: room))
    try expectPlayed(set(words, room: 0), set(words, room: room))
    try expectPlayed(dictionary(Self.letters, room: 0), dictionary(Self.letters, room: room))
    try expectPlayed(dictionary(words, room: 0), dictionary(words, room: room))
    try expectPlayed(dictionary([1, 2, 3], room: 0), dictionary([1, 2, 3], room: room))
  }

  @Test(arguments: [20, 500, 9000]) func `sets in arrays, optionals and sets are found`(room: Int)
    throws
  {
    func nested(_ room: Int) -> [Set<Set<String>>?] {
      let parts = ["a", "b", "c", "d"].map { letter in
        set(Self.letters.map { letter + $0 }, room: room)
      }
      return [nil, set(parts, room: room)]
    }
    try expectPlayed(nested(0), nested(room))
  }

  @Test func `they are recorded in the order of their elements`() throws {
    let folder = try Folder()
    let spy = Spy<(Set<String>, [String]), Int, any Error>("count(_:in:)")
    spy.plays(try folder.cassette()) { _ in 7 }
    try #expect(spy(["b", "a", "d", "c"], ["z", "y"]) == 7)
    let text = try #require(folder.text).filter { !$0.isWhitespace }
    // An array keeps its order.
    #expect(text.contains(#"[["a","b","c","d"],["z","y"]]"#), "\(text)")
  }
}
