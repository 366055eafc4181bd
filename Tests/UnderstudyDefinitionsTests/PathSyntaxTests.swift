// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDefinitions

/// `PropertyPath` as tables: the paths that it reads and prints. Secrets are found by their path.
@Suite struct `The syntax of a path` {
  static let read: [(String, [PropertyPath.Step])] = [
    ("", []), (".", []), ("a", [.key("a")]), ("..a", [.key("a")]), ("a.", [.key("a")]),
    (" ", []), ("a. .b", [.key("a"), .key("b")]), ("a[0] .b", [.key("a"), .index(0), .key("b")]),
    ("a.b", [.key("a"), .key("b")]), ("\ta . b ", [.key("a"), .key("b")]), ("a b", [.key("a b")]),
    ("a[0]", [.key("a"), .index(0)]), ("a[0][1]", [.key("a"), .index(0), .index(1)]),
    ("a[0].b", [.key("a"), .index(0), .key("b")]), ("[\t0 ]", [.index(0)]), ("[-1]", [.index(-1)]),
    ("a[b]", [.key("a"), .key("b")]), ("[ b c\t]", [.key("b c")]), ("['0']", [.key("0")]),
    ("[ 'a.b' ]", [.key("a.b")]), ("[\"it's\"]", [.key("it's")]), ("['it\\'s']", [.key("it's")]),
    ("['a\\\\b']", [.key("a\\b")]), ("['a\\b']", [.key("ab")]), ("[' a ']", [.key(" a ")]),
    ("['']", [.key("")]), ("['[a]']", [.key("[a]")]), ("[\"a\\\"b\"]", [.key("a\"b")]),
  ]

  @Test(arguments: read.indices) func `is read as its steps`(index: Int) throws {
    let (text, steps) = Self.read[index]
    try #expect(PropertyPath(text).steps == steps)
  }

  static let malformed: [(String, PropertyPath.Malformed)] = [
    ("[", .bracketNotEnded), ("[ ", .bracketNotEnded), ("[0", .bracketNotEnded),
    ("['a'", .bracketNotEnded), ("['a' b]", .bracketNotEnded), ("['a' ", .bracketNotEnded),
    ("[a[0]]", .bracketNotEnded), ("]", .bracketNotStarted), ("a.b]", .bracketNotStarted),
    ("['a", .quoteMismatched), ("['a\"]", .quoteMismatched), ("['a\\']", .quoteMismatched),
    ("['a\\", .quoteMismatched), ("['a\\'", .quoteMismatched), ("['", .quoteMismatched),
    ("[]", .bracketEmpty),
    ("[ ]", .bracketEmpty), ("a[0]b", .dotMissing), ("a[0] b", .dotMissing),
    ("['a']b", .dotMissing),
  ]

  @Test(arguments: malformed.indices) func `is refused with the reason`(index: Int) {
    let (text, reason) = Self.malformed[index]
    #expect(throws: reason) { try PropertyPath(text) }
  }

  static let printed: [(String, String)] = [
    ("a", "a"), ("a b", "a b"), ("", "['']"), (" a", "[' a']"), ("a ", "['a ']"),
    ("\ta", "['\ta']"), ("a\t", "['a\t']"), ("a.b", "['a.b']"), ("a[b", "['a[b']"),
    ("a]b", "['a]b']"), ("a'b", "['a\\'b']"), ("a\"b", "['a\"b']"), ("a\\b", "['a\\\\b']"),
  ]

  @Test(arguments: printed.indices) func `quotes a key that needs it`(index: Int) throws {
    let (key, text) = Self.printed[index]
    let path = PropertyPath([.key(key)])
    #expect(path.description == text)
    try #expect(PropertyPath(text) == path)
    let deep = PropertyPath([.key("x"), .key(key), .index(3), .key("y")])
    #expect(deep.description == (text == key ? "x.\(text)[3].y" : "x\(text)[3].y"))
  }

  static let canonical: [(String, Bool)] = [
    ("a", true), ("a.b", true), ("ab.cd", true), ("", false), (".a", false), ("a.", false),
    ("a..b", false), ("a b", false), ("a\tb", false), ("a[0", false), ("a]", false), ("a'", false),
    ("a\"", false), ("a\\", false),
  ]

  @Test(arguments: canonical.indices) func `has one canonical spelling`(index: Int) {
    let (text, isCanonical) = Self.canonical[index]
    #expect(text.isCanonicalKeyPath == isCanonical)
  }

  @Test func `is cut at the first index`() {
    let path = PropertyPath([.key("a"), .key("b"), .index(0), .key("c"), .index(1)])
    #expect(path.splitAtIndex.keys == PropertyPath([.key("a"), .key("b")]))
    #expect(Array(path.splitAtIndex.rest) == [.index(0), .key("c"), .index(1)])
    #expect(PropertyPath([.key("a")]).splitAtIndex.keys == PropertyPath([.key("a")]))
    #expect(PropertyPath([.key("a")]).appending("b") == PropertyPath([.key("a"), .key("b")]))
  }
}
