// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

@Suite struct `The readers of property lists` {
  static var sample: [String: Any] {
    [
      "b": true, "i": -5, "u": UInt64.max, "r": 2.5, "s": "é <&> \"😀\"", "d": Data([1, 2, 255]),
      "t": Date(timeIntervalSinceReferenceDate: 12345), "a": [1, [2, [3]]], "o": ["x": ["y": ""]],
    ]
  }
  static let expected: PropertyValue = [
    "b": true, "i": -5, "u": .unsigned(.max), "r": 2.5, "s": "é <&> \"😀\"",
    "d": .data([1, 2, 255]), "t": .date(12345), "a": [1, [2, [3]]], "o": ["x": ["y": ""]],
  ]

  func read(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) throws -> Node {
    try DocumentReader.read(bytes, from: SourceName("f.plist"), limits: limits)
  }

  func finding(_ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()) -> Finding? {
    let error = #expect(throws: DefinitionError.self) { try read(bytes, limits) }
    return error?.findings.first
  }

  func list(_ content: String) -> [UInt8] {
    Array("<plist version=\"1.0\">\(content)</plist>".utf8)
  }

  @Test(
    arguments: [
      ([0x22, 0x3F, 0xC0, 0, 0], "1.5"), ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "1.5"),
      ([0x21, 0x3F, 0xC0], nil),
      ([0x24, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8), nil),
      ([0x22, 0x7F, 0x80, 0, 0], nil),
    ] as [([UInt8], String?)])
  func `a number of a binary list has four bytes or eight, and is finite`(
    object: [UInt8], value: String?
  ) throws {
    let bytes = BinaryList(objects: BinaryList.oneMember + [object]).bytes
    let properties = try? Properties([.document(bytes, named: "f")])
    #expect(properties?["a"].map { "\($0)" } == value)
  }

  @Test func `a list may have as many bytes as the limit says`() throws {
    let bytes = list("<true/>")
    #expect(try read(bytes, ReadingLimits(byteCount: bytes.count)).value == true)
    #expect(
      finding(bytes, ReadingLimits(byteCount: bytes.count - 1))?.problem
        == .tooLarge(limit: bytes.count - 1))
  }

  @Test func `an unknown type is named by its byte`() {
    let finding = finding(BinaryList(objects: BinaryList.oneMember + [[0x7B]]).bytes)
    #expect(finding?.problem == .unexpected(found: "the type 0x7B", expected: "a value"))
  }

  @Test func `the limits are those of the page`() {
    let limits = ReadingLimits()
    #expect(limits.byteCount == 32 << 20)
    #expect(limits.depth == 128)
    #expect(limits.valueCount == 4_000_000)
    #expect(limits.pathByteCount == 64 << 20)
    #expect(!limits.followsSymbolicLinks)
  }

  @Test func `a place has a line and a column, a byte, or neither`() {
    let name = SourceName("f")
    #expect(Origin(name, line: 2, column: 5).description == "f:2:5")
    #expect(Origin(name, column: 1).description == "f, byte 1")
    #expect(Origin(name).description == "f")
    #expect(Origin(name, line: 2, column: 5).prose == "f line 2")
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a list from Foundation is read unchanged`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: Self.sample, format: format, options: 0)
    try #expect(read([UInt8](data)).value == Self.expected)
  }

  @Test func `every value has its line and column`() throws {
    let node = try read(list("\n<dict>\n  <key>a</key> <integer>1</integer>\n</dict>"))
    #expect(node["a"].map { "\($0.origin)" } == "f.plist:3:16")
  }

  @Test func `comments, references to characters and CDATA are read`() throws {
    let node = try read(
      list("<!-- x --><string>a&lt;&#65;&#x1F600;<![CDATA[<b>&]]><!-- y -->c</string>"))
    #expect(node.value == "a<A😀<b>&c")
  }

  @Test(arguments: ["a='>'", "a=\"/>\"", "a = \"'>\" b='\"'"])
  func `a bracket in quotes does not end its tag`(attributes: String) throws {
    let node = try read(list("<string \(attributes)>x</string>"))
    #expect(node.value == "x")
    #expect(try read(list("<string \(attributes)/>")).value == "")
    guard case .truncated = finding(Array("<plist><string a='>x</string>".utf8))?.problem else {
      Issue.record("a quote that does not end is no error")
      return
    }
  }

  @Test(arguments: [
    "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
    "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><true/></plist>",
    "<!DOCTYPE plist PUBLIC \"-//X//Y\" \"http://example.com/x.dtd\"><plist><true/></plist>",
    "<plist><string>&lol;</string></plist>", "<plist><string>&#0;</string></plist>",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>",
    "<?xml version=\"1.0\"?><?xml-stylesheet href=\"x\"?><plist><true/></plist>",
  ])
  func `entities, external files and other encodings are refused`(text: String) throws {
    let finding = try #require(self.finding(Array(text.utf8)))
    guard case .refused = finding.problem else {
      Issue.record("\(finding)")
      return
    }
  }

  @Test func `a billion laughs are refused at the first entity`() throws {
    var text = "<!DOCTYPE lolz [<!ENTITY lol \"lol\">"
    for level in 1...9 {
      text += "<!ENTITY lol\(level) \"\(String(repeating: "&lol\(level - 1);", count: 10))\">"
    }
    let finding = try #require(self.finding(Array((text + "]><plist/>").utf8)))
    #expect(
      finding.problem == .refused("a document type with declarations of its own"))
  }

  @Test(arguments: [
    "<plist>", "<plist><dict>", "<plist><string>a", "<plist><string>a</string>", "<plist><!-- ",
    "<plist><string><![CDATA[", "<?xml", "<!DOCTYPE plist", "<",
  ])
  func `a list that ends too early is an error`(text: String) throws {
    let finding = try #require(self.finding(Array(text.utf8)))
    guard case .truncated = finding.problem else {
      Issue.record("\(finding)")
      return
    }
  }

  @Test(arguments: [
    ("<dict><key>a</key><true/><key>a</key><true/></dict>", Finding.Problem.duplicateKey("a")),
    ("<integer>18446744073709551616</integer>", .numberOutOfRange),
    ("<real>1e999</real>", .numberOutOfRange),
    ("<integer>x</integer>", .unexpected(found: "another text", expected: "an integer")),
    (
      "<date>x</date>",
      .unexpected(
        found: "another text", expected: "a date such as 2026-01-31T12:00:00Z")
    ),
    ("<data>%</data>", .unexpected(found: "another text", expected: "Base64")),
    ("<dict><true/></dict>", .unexpected(found: "<true/>", expected: "<key>")),
    ("<set/>", .unexpected(found: "<set/>", expected: "a value")),
    ("<array></dict>", .unexpected(found: "</dict>", expected: "a value")),
    ("<dict></array>", .unexpected(found: "</array>", expected: "<key>")),
    ("<string>x</dict>", .unexpected(found: "</dict>", expected: "</string>")),
    ("<string>x<dict>", .unexpected(found: "<dict>", expected: "</string>")),
    ("<integer2>5</integer2>", .unexpected(found: "<integer2>", expected: "a value")),
    ("<string-x>a</string-x>", .unexpected(found: "<string-x>", expected: "a value")),
    ("<a:string>a</a:string>", .unexpected(found: "<a:string>", expected: "a value")),
    ("<stringé>a</string>", .unexpected(found: "<stringé>", expected: "a value")),
    ("<string>a</string2>", .unexpected(found: "</string2>", expected: "</string>")),
    ("<dict><key1>a</key1><true/></dict>", .unexpected(found: "<key1>", expected: "<key>")),
  ])
  func `an invalid list is an error`(content: String, problem: Finding.Problem) {
    #expect(finding(list(content))?.problem == problem)
  }

  @Test func `ten thousand levels are an error, not a stack overflow`() {
    let text = "<plist>" + String(repeating: "<array>", count: 10_000)
    #expect(finding(Array(text.utf8))?.problem == .tooDeep(limit: 128))
  }

  @Test func `invalid UTF-8 is an error`() {
    #expect(
      finding(Array("<plist><string>".utf8) + [0xFF] + Array("</string></plist>".utf8))?
        .problem == .invalidUTF8)
  }

  // MARK: Binary

  /// A list of arrays, each of which refers to the next one twice. It has 2^`levels` values.
  static func doubling(_ levels: UInt8, closed: Bool = false) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<levels {
      offsets.append(UInt8(bytes.count))
      bytes +=
        level == levels - 1 && !closed
        ? [0x09] : [0xA2, (level + 1) % levels, (level + 1) % levels]
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [Int(levels), 0, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return bytes
  }

  @Test func `a small binary list with very many values is an error within bounds`() throws {
    try #expect(
      read(Self.doubling(4)).value == [
        [[true, true], [true, true]], [[true, true], [true, true]],
      ])
    #expect(
      finding(Self.doubling(60), ReadingLimits(valueCount: 200))?.problem
        == .tooManyValues(limit: 200))
    // The number of bytes bounds the number of values, whatever the limit.
    let list = Self.doubling(60)
    #expect(finding(list, ReadingLimits())?.problem == .tooManyValues(limit: list.count))
  }

  @Test func `a binary list that contains itself is an error`() {
    #expect(
      finding(Self.doubling(3, closed: true))?.problem == .refused("a value that contains itself"))
  }

  @Test func `every truncated binary list is a value or an error, not a crash`() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: Self.sample, format: .binary, options: 0)
    let bytes = [UInt8](data)
    for end in 6..<bytes.count {
      #expect(throws: DefinitionError.self) { try read(Array(bytes[..<end])) }
    }
    for index in 8..<bytes.count {
      var changed = bytes
      changed[index] ^= 0xFF
      _ = try? read(changed)
    }
  }
}
