// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDefinitions

@Suite struct `A value of a property` {
  @Test func `is written as JSON writes it, whatever is in its texts and keys`() throws {
    let value: PropertyValue = [
      "a\"b\n": "x\"y\nz\u{1}\r", "n": 1.5, "t": ["\t\\", .null, true, "ü/"],
    ]
    #expect(
      value.description
        == #"{"a\"b\n": "x\"y\nz\u0001\r", "n": 1.5, "t": ["\t\\", null, true, "ü/"]}"#)
    #expect(
      try JSONReader.read(Array(value.description.utf8), from: SourceName("text")).value == value)
    let properties = try Properties([.values(["k": "two\nlines"], named: "a")])
    #expect(properties.description == #"k = "two\nlines"  (a)"#)
  }
}
