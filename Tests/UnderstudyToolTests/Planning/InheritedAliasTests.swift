// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Aliases of a protocol, whose names may be names of other types.
@Suite struct InheritedAliasTests {
  private static let loader = "s:3App6LoaderP"
  /// The names and the identifiers of the words that stand for types.
  private static let types = [
    "alias": ("Result", "\(loader)6Resulta"), "real": ("Result", "s:s6ResultO"),
    "number": ("Item", "\(loader)4Itema"), "item": ("Item", "s:3App4ItemV"),
  ]

  private func symbol(
    _ kind: String, _ usr: String, _ path: String, _ text: String
  ) -> SymbolGraph.Symbol {
    let fragments = text.matches(of: #/\w+|\W+/#).map { match in
      let type = Self.types[String(match.output)]
      return SymbolGraph.Fragment(
        kind: type == nil ? "text" : "typeIdentifier", spelling: type?.0 ?? String(match.output),
        preciseIdentifier: type?.1)
    }
    return SymbolGraph.Symbol(
      kind: .init(identifier: "swift.\(kind)"), identifier: .init(precise: usr),
      pathComponents: path.split(separator: ".").map(String.init),
      declarationFragments: fragments, accessLevel: "public")
  }

  /// The lines of the only requirement's implementation. The requirement is the protocol's own or
  /// the one of a protocol that inherits from it.
  private func witness(
    of member: String, aliases: [String], in owner: String = "Loader", areMembers: Bool = true
  ) throws -> [String] {
    let requirement = "s:3App1f"
    let heir = "s:3App4HeirP"
    let all = zip(aliases, ["alias", "number"]).map { text, word in
      symbol("typealias", Self.types[word]?.1 ?? "", "Loader.\(Self.types[word]?.0 ?? "")", text)
    }
    let symbols =
      all + [
        symbol("protocol", Self.loader, "Loader", "protocol Loader"),
        symbol("protocol", heir, "Heir", "protocol Heir : Loader"),
        symbol("struct", "s:3App4ItemV", "Item", "struct item"),
        symbol("method", requirement, "\(owner).f", member),
      ]
    let members = (areMembers ? all : []).map {
      SymbolGraph.Relationship(
        kind: "memberOf", source: $0.identifier.precise, target: Self.loader)
    }
    let graph = SymbolGraph(
      metadata: .init(formatVersion: .init(major: 0, minor: 6)), module: .init(name: "App"),
      symbols: symbols,
      relationships: members + [
        .init(
          kind: "requirementOf", source: requirement, target: owner == "Heir" ? heir : Self.loader),
        .init(kind: "conformsTo", source: heir, target: Self.loader),
      ])
    var file = SymbolGraphFile(ofToolchain: graph, path: "App")
    file.isOfToolchain = false
    let output = try DoublesOutput([file], Selection(patterns: [owner]))
    return output.files.first?.plan.members.first?.witness ?? output.refusals
  }

  @Test(
    arguments: [
      // As the compiler writes them, and as swift-symbolgraph-extract does.
      (
        "func f(_ x: alias?, _ y: Loader.alias, _ z: Swift.real<Int, any Error>) -> alias",
        ["typealias alias = Swift.real<[String], any Error>"]
      ),
      (
        "func f(_ x: Self.alias?, _ y: real<[String], any Error>, _ z: real<Int, any Error>)"
          + " -> Self.alias",
        ["typealias alias = real<[String], any Error>"]
      ),
    ], ["Loader", "Heir"])
  func `a double has the type, and names another one of that name with its module`(
    graph: (member: String, aliases: [String]), owner: String
  ) throws {
    let type = "Swift.Result<[String], any Error>"
    #expect(
      try witness(of: graph.member, aliases: graph.aliases, in: owner).first
        == "func f(_ x: \(type)?, _ y: \(type), _ z: Swift.Result<Int, any Error>) -> \(type) {")
  }

  @Test func `an alias may have the name of another type of its module`() throws {
    let aliases = ["typealias alias = [number]", "typealias number = Int"]
    #expect(
      try witness(of: "func f(_ x: number, _ y: App.item) -> alias", aliases: aliases).first
        == "func f(_ x: Int, _ y: App.Item) -> [Int] {")
  }

  // The graph has no relationship for an alias with the name of an inherited associated type.
  @Test func `an alias need not be a member in the graph`() throws {
    let aliases = ["typealias alias = Int"]
    #expect(
      try witness(of: "func f(_ x: alias)", aliases: aliases, areMembers: false).first
        == "func f(_ x: Int) {")
  }
}
