// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

@Suite struct `The hash of a text` {
  @Test(arguments: [
    ("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("a\u{37E}b", "a;b"), ("\u{1FEF}", "`"),
    ("\u{212A}\u{E9}", "Ke\u{301}"), ("\u{1100}\u{1161}", "\u{AC00}"), ("\u{2126}", "\u{3A9}"),
  ])
  func `is the same for texts that are equal`(left: String, right: String) {
    #expect(left == right)
    #expect(TextHash.of(left) == TextHash.of(right))
  }

  /// What `TextHash.twins` says of three characters holds for no other.
  @Test func `knows all characters that are equal to one of ASCII`() {
    let ascii = Set((0..<0x80).compactMap { Unicode.Scalar($0) }.map { String($0) })
    let twins = (0x80...0x10FFFF).compactMap { Unicode.Scalar($0) }
      .filter { ascii.contains(String($0)) }
    #expect(Set(twins) == Set(TextHash.twins.keys))
    for twin in twins { #expect(TextHash.twins[twin].map { String($0) } == String(twin)) }
  }

  @Test func `does not depend on how a text is kept`() {
    let long = String(repeating: "name of a thing ", count: 9)
    for text in ["", "a", "sevenup", "eight888", "fifteen letters", "sixteen letters!", long] {
      let slice = "<\(text)>".dropFirst().dropLast()
      #expect(TextHash.of(String(slice)) == TextHash.of(text))
      var large = ""
      large.reserveCapacity(200)
      large += text
      #expect(TextHash.of(large) == TextHash.of(text))
    }
  }

  @Test func `tells texts of a suite apart`() {
    let texts = (0..<20_000).map { "double \($0)" } + (0..<20_000).map { "\($0)" }
    #expect(Set(texts.map { TextHash.of($0) }).count == texts.count)
  }
}
