// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

@Suite struct `Paths of properties` {
  /// The data of the table: `{a:[{b:{"c.d":"dot",x:"1"}},["f"]],k:"v"}`.
  static let properties = Result {
    try Properties([
      .json(#"{"a":[{"b":{"c.d":"dot","x":"1"}},["f"]],"k":"v"}"#)
    ])
  }

  @Test(arguments: [
    ("k", "v"), ("k.", "v"), (".k", "v"), ("..k", "v"), ("['k']", "v"), ("[\"k\"]", "v"),
    (" k ", "v"), ("a[0].b.x", "1"), ("a[0]['b'].x", "1"), ("a[1][0]", "f"),
    ("a[0].b['c.d']", "dot"), ("a[ 0 ].b.x", "1"),
  ])
  func `DE-33 a path leads to its value`(path: String, value: String) throws {
    try #expect(Self.properties.get()[path] == .string(value))
  }

  @Test(arguments: ["a[2]", "a[-1]", "a['0']", "a[x]", "missing", "k.z", "a.0", "k[0]"])
  func `DE-33 a path that leads nowhere is nil`(path: String) throws {
    _ = try PropertyPath(path)
    try #expect(Self.properties.get()[path] == nil)
  }

  @Test(arguments: [
    ("a[0", PropertyPath.Malformed.bracketNotEnded), ("a[", .bracketNotEnded),
    ("a]", .bracketNotStarted), ("a['b\"]", .quoteMismatched), ("a['b'", .bracketNotEnded),
    ("a[]", .bracketEmpty), ("a[0]b", .dotMissing), ("a[[0]]", .bracketNotEnded),
  ])
  func `DE-33 a malformed path is nil, with the reason`(
    path: String, reason: PropertyPath.Malformed
  ) throws {
    let properties = try Self.properties.get()
    #expect(properties[path] == nil)
    #expect(throws: reason) { try PropertyPath(path) }
    let error = #expect(throws: DefinitionError.self) {
      try properties.value(path, as: String.self)
    }
    #expect(error?.findings.map(\.problem) == [.malformedPath(reason: reason.rawValue)])
  }

  @Test func `DE-33 the empty path is the whole tree`() throws {
    let whole = try Self.properties.get()[""]
    #expect(
      whole == [
        "a": [["b": ["c.d": "dot", "x": "1"]], ["f"]], "k": "v",
      ])
  }

  @Test(arguments: [
    "a[0]['c.d'].e", "['it\\'s']", "['a\\\\']", "[' ']", "['']", "a[-1]", "['\\'\u{301}']",
  ])
  func `a canonical path is read as itself`(path: String) throws {
    try #expect(PropertyPath(path).description == path)
  }
}
