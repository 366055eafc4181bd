// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct RepeatedKeyTests {
  @Test(
    arguments: [
      (#"{"a": 1, "a": 2}"#, "a in line 1"),
      ("{\"a\": {\"b\": 1},\n\"c\": [{\"b\": 2},\n{\"d\": 1, \"d\": 2}]}", "d in line 3"),
      ("{\"a\": {\"x\": 1}, \"b\": [\"x\", \"}\"],\n\"a\": 2}", "a in line 2"),
      (#"{"a": 1, "\u0061": 2}"#, "a in line 1"),
      (#"{"a\"": 1, "a\\": 2, "a\"": 3}"#, "a\" in line 1"),
      // The line is that of the key, and its colon may be in a later one.
      ("{\"a\": 1,\n\"a\"\n:\n2}", "a in line 2"),
      (#"{"": 1, "": 2}"#, " in line 1"),
    ])
  func `the second place of a key is found`(document: String, place: String) throws {
    let (key, line) = try #require(RepeatedKey.first(in: Data(document.utf8)))
    #expect("\(key) in line \(line)" == place)
  }

  @Test(
    arguments: [
      "{}", "[]", "1", #""a""#, #"[{"a": 1}, {"a": 2}]"#, #"{"a": {"a": {"a": "a"}}}"#,
      #"{"a": "a\": 1, \"a", "b": "\\"}"#, #"["a:", "a:", {"b": [":", ":"]}]"#,
    ])
  func `keys of different objects and texts that are no keys are not repeated`(document: String) {
    #expect(RepeatedKey.first(in: Data(document.utf8)) == nil)
  }

  @Test(arguments: [#"{"a"#, #""a":1"#, #"{"a\"#, #"":"#, "}:{", #"{"a"::"a":"#, "\u{FEFF}{"])
  func `an invalid document is read to its end`(document: String) {
    for count in 0...document.utf8.count {
      _ = RepeatedKey.first(in: Data(document.utf8.prefix(count)))
    }
  }
}
