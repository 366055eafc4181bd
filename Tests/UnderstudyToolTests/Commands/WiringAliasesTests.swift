// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Types that have other names, and members of superclasses.
///
/// The graphs are from the extractor, which copies a comment to an overriding member:
///
/// ```swift
/// // Lane.swift
/// import Understudy
/// protocol Mailer: Sendable {}
/// typealias Post = Mailer
/// typealias Text = String
/// enum Space { typealias Number = Int }
/// // component
/// struct Smtp: Mailer { typealias Own = Smtp }
/// // component
/// func texts() -> Set<Text> { [] }
/// // component
/// func number() -> Space.Number { 3 }
/// // component
/// struct Reader {
///   init(
///     mailer: any Post, all: [any Post], own: Smtp.Own, texts: Set<String>, number: Int,
///     tags: Text...
///   ) {}
/// }
/// // factory
/// struct Letter { init(payload: [Text: Space.Number]) {} }
/// // component
/// struct Writer { init(letter: Provider<([String: Int]) -> Letter>) {} }
///
/// class Screen: @unchecked Sendable {
///   init() {}
///   // inject
///   func show(_ mailer: any Mailer) {}
///   // component
///   class var title: Double { 3 }
/// }
/// // component cached
/// final class Home: Screen, @unchecked Sendable {
///   override func show(_ mailer: any Mailer) {}
///   // inject
///   func open(_ number: Int) {}
///   override class var title: Double { 5 }
/// }
/// // Knot.swift
/// protocol Mailer: Sendable {}
/// typealias Post = Mailer
/// struct Smtp: Mailer {}
/// // component
/// func post() -> any Post { Smtp() }
/// // component
/// func mailer() -> any Mailer { Smtp() }
/// class Shelf<Item> { init(item: Item, mailer: any Mailer) {} }
/// // component
/// final class Books: Shelf<Int> {}
/// class Rack<Item> { init(items: Item...) {} }
/// // component
/// final class Bottles: Rack<Int> {}
/// ```
@Suite struct WiringAliasesTests {
  private func lane() throws -> String {
    let folder = try Folder()
    let output = "\(folder.path)/Wiring.swift"
    try #require(
      Run("wire", "--symbol-graph", Fixtures.graph("Lane"), "--output", output).errors == [])
    return try folder.text("Wiring.swift")
  }

  @Test func `another name of a type stands for the type, wherever it is written`() throws {
    let text = try lane()
    #expect(text.contains("registrar.register { texts() }"))
    #expect(text.contains("registrar.register { number() }"))
    #expect(text.contains("registrar.register(autowiring: Writer.init(letter:))"))
    #expect(text.contains("register { (_: Resolver, payload: [String : Int]) in"))
  }

  @Test func `a variadic parameter is left out`() throws {
    #expect(
      try lane().contains(
        """
              try Reader(mailer: r.resolve((any Mailer).self), all: r.resolve([any Mailer].self), \
        own: r.resolve(Smtp.self), texts: r.resolve(Set<String>.self), number: r.resolve(Int.self))
        """))
  }

  @Test func `an overriding member has only the line of its own comment`() throws {
    let text = try lane()
    #expect(
      text.contains(
        """
                try value.show(r.resolve((any Mailer).self))
                try value.open(r.resolve(Int.self))
        """))
    #expect(text.contains("registrar.register { Screen.title }"))
    #expect(!text.contains("Home.title"))
  }

  @Test func `a comment with lines of its own is not an inherited one`() {
    func comment(at line: Int) -> SymbolGraph.Symbol.DocComment {
      .init(
        uri: "file:///A.swift",
        lines: [
          .init(text: "- Understudy: inject", range: .init(start: .init(line: line, character: 4)))
        ])
    }
    func symbol(_ name: String, _ line: Int) -> SymbolGraph.Symbol {
      .init(
        kind: .init(identifier: "swift.method"), identifier: .init(precise: name),
        pathComponents: [name], docComment: comment(at: line), accessLevel: "public")
    }
    func comments(_ lines: [Int]) -> [Bool] {
      let graph = SymbolGraph(
        metadata: .init(formatVersion: .init(major: 0, minor: 6)), module: .init(name: "A"),
        symbols: zip(["s:a", "s:b", "s:c"], lines).map(symbol),
        relationships: [("s:b", "s:a"), ("s:c", "s:b"), ("s:a", "s:a")].map {
          .init(
            kind: "overrides", source: $0.0, target: $0.1,
            sourceOrigin: .init(identifier: $0.1))
        })
      var file = SymbolGraphFile(ofToolchain: graph, path: "")
      file.isOfToolchain = false
      let index = GraphIndex([file])
      return ["s:a", "s:b", "s:c"].map { index.symbols[$0]?.docComment != nil }
    }
    #expect(comments([3, 5, 7]) == [true, true, true])
    #expect(comments([3, 3, 7]) == [true, false, true])
    #expect(comments([3, 3, 3]) == [true, false, false])
  }

  @Test func `two names of one type are one key, and no graph has the arguments of a superclass`() {
    #expect(
      Run("validate", "--symbol-graph", Fixtures.graph("Knot")).errors == [
        "/Knot.swift:7:6: error: `Mailer` is registered twice. (first at /Knot.swift:5:6)",
        "/Knot.swift:10:13: error: `Books` inherits an initialiser that uses the generic parameters"
          + " of `Shelf`: declare one in `Books`.",
      ])
  }
}
