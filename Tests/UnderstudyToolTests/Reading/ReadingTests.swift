// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct ReadingTests {
  @Test(
    arguments: [
      ("func  a(_ b: Int) -> [Int]", "func|a|(|_|b|:|Int|)|->|[|Int|]"),
      ("@Sendable (Int...)", "@Sendable|(|Int|...|)"),
      ("func `in a`()", "func|`in a`|(|)"), ("größe_1: 😀?", "größe_1|:|😀|?"),
      ("", ""),
    ])
  func `text is split into words and signs`(text: String, words: String) {
    #expect([Token](parsing: text).map(\.text).joined(separator: "|") == words)
  }

  @Test func `the sign and the name of an attribute are one word`() {
    let fragments = [
      SymbolGraph.Fragment(kind: "attribute", spelling: "@"),
      SymbolGraph.Fragment(kind: "attribute", spelling: "MainActor", preciseIdentifier: "s:ScM"),
      SymbolGraph.Fragment(kind: "text", spelling: " "),
      SymbolGraph.Fragment(kind: "attribute", spelling: "@escaping "),
    ]
    let tokens = [Token](fragments: fragments)
    #expect(tokens.map(\.text) == ["@MainActor", "@escaping"])
    #expect(tokens[0].usr == "s:ScM")
  }

  @Test func `a graph is indexed`() throws {
    let index = GraphIndex(try Fixtures.read("Shop", "Depot"))
    #expect(
      index.protocols.map { "\(index.modules[$0] ?? "").\(index.name(of: $0))" } == [
        "Depot.Odd", "Depot.OrderStore", "Shop.Cellar", "Shop.Hidden", "Shop.Odd",
        "Shop.OrderStore",
        "Shop.Pass", "Shop.Screen", "Shop.default",
      ])
    #expect(index.noncopyable.filter { $0.hasPrefix("s:4Shop") } == ["s:4Shop6TicketV"])
    #expect(index.nonescapable.contains("s:s7RawSpanV"))
    #expect(index.format == "0.6.0")
  }

  @Test func `a bad graph is an error that names it`() throws {
    let folder = try Folder()
    let graph = try Fixtures.text("Graphs/Depot.symbols.json")
    try folder.write(String(graph.prefix(400)), to: "Cut.symbols.json")
    try folder.write(
      graph.replacing("\"major\": 0", with: "\"major\": 7"), to: "New.symbols.json")
    for (name, error) in [
      ("Cut", ToolError.truncated(path: "\(folder.path)/Cut.symbols.json")),
      ("New", .unknownFormat(path: "\(folder.path)/New.symbols.json", version: "7.6.0")),
      ("None", .noSymbolGraphs(path: "\(folder.path)/None.symbols.json")),
    ] {
      #expect(throws: error) {
        try SymbolGraphFile.all(at: "\(folder.path)/\(name).symbols.json")
      }
    }
  }
}

@Suite struct SourceImportsTests {
  @Test func `every form of an import is read`() {
    let source = """
      import Glibc
      @preconcurrency public import UIKit; // for the views
      @_spi(Shop) internal import struct Orders.Order
      #if canImport(Darwin)
        import Darwin
      #endif
      // import Nothing
      let important = "import Text"
      import Glibc
      import `my module`
      """
    #expect(
      SourceImports.modules(in: source) == ["Glibc", "UIKit", "Orders", "Darwin"])
  }
}
