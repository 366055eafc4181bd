// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

@Suite struct `The JSON reader` {
  func read(_ text: String, _ limits: ReadingLimits = ReadingLimits()) throws -> Node {
    try JSONReader.read(Array(text.utf8), from: SourceName("f.json"), limits: limits)
  }

  func finding(_ text: String, _ limits: ReadingLimits = ReadingLimits()) -> Finding? {
    finding(Array(text.utf8), limits)
  }

  func finding(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) -> Finding? {
    let error = #expect(throws: DefinitionError.self) {
      try JSONReader.read(bytes, from: SourceName("f.json"), limits: limits)
    }
    return error?.findings.first
  }

  @Test func `every value has its line and column`() throws {
    let node = try read("{\n  \"é😀\": [1,\n    true],\n \"b\": {}\n}")
    let array = try #require(node["é😀"])
    #expect("\(array.origin)" == "f.json:2:9")
    #expect(array.elements?.map { "\($0.origin)" } == ["f.json:2:10", "f.json:3:5"])
    #expect(node["b"].map { "\($0.origin)" } == "f.json:4:7")
  }

  @Test(arguments: [
    ("9223372036854775807", PropertyValue.integer(.max)),
    ("18446744073709551615", .unsigned(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("0", 0), ("-0", 0), ("1.5e+2", 150.0), ("1E2", 100.0),
    (#""\u00e9\ud83d\ude00\/\b\f\n\r\t\\\"""#, "é😀/\u{8}\u{C}\n\r\t\\\""), ("null", .null),
    (" [ ] ", .array([])), ("{}", .object([:])), ("\u{FEFF}true", true),
  ])
  func `every kind of value is read unchanged`(text: String, value: PropertyValue) throws {
    try #expect(read(text).value == value)
  }

  @Test(arguments: [
    ("", "f.json:1:1"), ("{", "f.json:1:2"), ("[1,", "f.json:1:4"), ("\"a", "f.json:1:3"),
    ("{\"a\"", "f.json:1:5"), ("{\"a\":", "f.json:1:6"), ("-", "f.json:1:2"), ("1.", "f.json:1:3"),
    ("\"\\u12", "f.json:1:6"),
  ])
  func `a document that ends too early is an error at its end`(text: String, place: String) throws {
    let finding = try #require(self.finding(text))
    guard case .truncated = finding.problem else {
      Issue.record("\(finding)")
      return
    }
    #expect(finding.origin.map { "\($0)" } == place)
  }

  @Test(arguments: [
    ("[1 2]", "f.json:1:4"), ("[1,]", "f.json:1:4"), ("{a:1}", "f.json:1:2"),
    ("{\"a\" 1}", "f.json:1:6"), ("01", "f.json:1:2"), ("+1", "f.json:1:1"), ("1 1", "f.json:1:3"),
    ("[\n\n  nul]", "f.json:3:3"), ("\"\\x\"", "f.json:1:3"), ("\"a\nb\"", "f.json:1:3"),
    ("'a'", "f.json:1:1"), ("// x", "f.json:1:1"), (#""\ud83d""#, "f.json:1:2"),
    (#""\ude00""#, "f.json:1:2"), (#""\ud83dA""#, "f.json:1:2"), ("NaN", "f.json:1:1"),
  ])
  func `invalid JSON is an error at its place`(text: String, place: String) throws {
    let finding = try #require(self.finding(text))
    guard case .unexpected = finding.problem else {
      Issue.record("\(finding)")
      return
    }
    #expect(finding.origin.map { "\($0)" } == place)
  }

  @Test func `a duplicate key is an error, in objects of any size`() throws {
    #expect(
      finding("{\"a\":1,\n\"a\":2}")?.description == """
        The key "a" is there twice.
          At  f.json:2:1
        """)
    let many = (0..<100).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(finding("{\(many),\"k5\":1}")?.problem == .duplicateKey("k5"))
  }

  @Test(arguments: ["18446744073709551616", "-9223372036854775809", "1e999", "[1e309]"])
  func `a number that does not fit any type is an error`(text: String) {
    #expect(finding(text)?.problem == .numberOutOfRange)
  }

  @Test(
    arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]]
  )
  func `bytes that are not UTF-8 are an error`(bytes: [UInt8]) {
    #expect(finding(bytes)?.problem == .invalidUTF8)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `ten thousand levels are an error, not a stack overflow`(opening: String) {
    let text = String(repeating: opening, count: 10_000)
    #expect(finding(text)?.problem == .tooDeep(limit: 128))
  }

  @Test func `a document over the limits is an error`() {
    #expect(finding("[1,2,3]", ReadingLimits(byteCount: 6))?.problem == .tooLarge(limit: 6))
    #expect(
      finding("[1,2,3]", ReadingLimits(valueCount: 3))?.problem == .tooManyValues(limit: 3))
  }
}
