// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct SPIGroupsTests {
  /// The group of the declaration whose name is `it`.
  private func group(_ text: String) -> String? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = lines.firstIndex { $0.contains(" it") } ?? 0
    let name = lines[line].firstRange(of: " it")?.upperBound ?? lines[line].endIndex
    let symbol = SymbolGraph.Symbol(
      kind: .init(identifier: "swift.method"), identifier: .init(precise: "it"),
      pathComponents: ["it"], accessLevel: "public",
      location: .init(
        uri: "file:///A.swift",
        position: .init(
          line: line,
          character: lines[line].utf8.distance(from: lines[line].startIndex, to: name) - 2)))
    return SPIGroups.find(in: [symbol]) { uri in uri == "file:///A.swift" ? text : nil }["it"]
  }

  @Test(
    arguments: [
      "@_spi(A) public protocol it {}",
      "@_spi( A )\n@available(macOS 15, *)\n/// Text.\npublic protocol it {}",
      "/* ü */ @_spi(A) public protocol it {}",
      "\r\n@_spi(A)\r\nextension B {\r\n  func a() {}\r\n\r\n\r\n\r\n\r\n\r\n  protocol it {}\r\n}",
      "protocol P {\n  @_spi(B) func b()\n  @_spi(A) var it: Int { get }\n}",
      "@_spi(A) extension P {\n  @_spi(B) func b() { if true {} }\n  func it() {}\n}",
      "@_spi(A) extension P {\n  let b = \"}\" // }\n  /* } */ let c = #/}/#\n  func it() {}\n}",
      "class B {\n  @_spi(A) class func it() {}\n}",
      "class B {\n  @_spi(B) class A {}\n  @_spi(A) open class var it: Int { 1 }\n}",
      "@_spi(B) import B\n@_spi(A) extension P {\n  static func `protocol`() {}\n  func it() {}\n}",
    ])
  func `a group is in an attribute of the declaration or of one around it`(text: String) {
    #expect(group(text) == "A")
  }

  @Test(
    arguments: [
      "", "public protocol it {}", "@_spi(A) func a()\nfunc it()",
      "@_spi(A) extension P { func a() {} }\nprotocol it {}",
      "@_spi(A) import B\nprotocol it {}", "// @_spi(A)\nprotocol it {}",
      "let text = \"@_spi(A)\"\nprotocol it {}",
    ])
  func `an attribute of another declaration names no group`(text: String) {
    #expect(group(text) == nil)
  }
}
