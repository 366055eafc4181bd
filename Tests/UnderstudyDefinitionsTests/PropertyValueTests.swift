// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDefinitions

@Suite struct `A value of a property` {
  @Test func `is an integer that is signed if it can be`() {
    #expect(PropertyValue(exactly: 5 as UInt8)?.isSigned == true)
    #expect(PropertyValue(exactly: UInt64(Int64.max))?.isSigned == true)
    #expect(PropertyValue(exactly: UInt64.max)?.isSigned == false)
    #expect(PropertyValue(exactly: -1 as Int8) == -1)
  }

  @Test func `is written as JSON, whatever its texts and keys contain`() throws {
    let value: PropertyValue = [
      "a\"b\n": "x\"y\nz\u{1}\r", "n": 1.5, "t": ["\t\\", .null, true, "ü/\u{1b}"],
    ]
    #expect(
      value.description
        == #"{"a\"b\n": "x\"y\nz\u0001\r", "n": 1.5, "t": ["\t\\", null, true, "ü/\u001b"]}"#)
    #expect(
      try JSONReader.read(Array(value.description.utf8), from: SourceName("text")).value == value)
    let properties = try Properties([.values(["k": "two\nlines"], named: "a")])
    #expect(properties.description == #"k = "two\nlines"  (a)"#)
  }

  @Test(arguments: ["0x10", "0X1p4", "-0xA", "nan", "inf", "1e999", " 1", "1 ", ""])
  func `is a number in decimal digits only`(text: String) throws {
    let properties = try Properties([.values(["n": .string(text)])])
    #expect(properties["n", as: Double.self] == nil)
    #expect(properties["n", as: Float.self] == nil)
    #expect(properties["n", as: Int.self] == nil)
    let list = "<plist><dict><key>n</key><real>0x10</real></dict></plist>"
    #expect(throws: DefinitionError.self) {
      try DocumentReader.read(Array(list.utf8), from: SourceName("f"))
    }
  }
}

extension PropertyValue {
  /// Whether it is an integer with a sign.
  fileprivate var isSigned: Bool? {
    switch self {
    case .integer: true
    case .unsigned: false
    default: nil
    }
  }
}
