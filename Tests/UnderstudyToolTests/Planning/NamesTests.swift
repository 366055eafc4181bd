// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct NamesTests {
  private func spies(_ plan: DoublePlan) -> [String] {
    plan.members.flatMap(\.spies).map { "\($0.name): \($0.type)" }
  }

  @Test func `types of one name in two modules are named with their modules`() throws {
    #expect(
      try spies(Fair.plan("Booth")) == [
        "sell: Spy<(Fair.Seat, Ticket), Void, Never>", "lead: Spy<Hall.Seat, Void, Never>",
      ])
  }

  @Test func `a type that an associated type hides is named with its module`() throws {
    let plan = try Fair.plan("Loan")
    #expect(plan.generics == ["Seat"])
    #expect(spies(plan) == ["lend: Spy<Seat, Void, Never>", "lead: Spy<Hall.Seat, Void, Never>"])
  }

  @Test func `a type that a module without a graph may also have is imported by itself`() throws {
    #expect(
      try Fair.plan("Post").imports == [
        "import Fair", "import Foundation", "import struct Fair.Notification",
        "import struct Fair.`big top`",
      ])
    // If all modules are known and each name is unique, no type is imported by itself.
    #expect(try Fair.plan("Rooted").imports == ["import Fair"])
  }

  @Test func `a type with the name of one of the library's is imported by itself`() throws {
    #expect(try Fair.plan("Turnstile").imports == ["import Fair", "import class Fair.Gate"])
  }

  @Test func `the names of the library's types are complete`() throws {
    let folder = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/UnderstudyDoubles")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var types: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let kinds: Set<String> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        guard line.hasPrefix("public "), let kind = words.firstIndex(where: kinds.contains) else {
          continue
        }
        types.insert(words[kind + 1])
      }
    }
    #expect(types == ImportFinder.library)
  }

  @Test func `an associated type with the name of a type of the library hides it`() throws {
    let plan = try Fair.plan("Clashing")
    #expect(plan.generics == ["Unchecked"])
    #expect(spies(plan) == ["take: Spy<Unchecked, Void, Never>"])
  }

  @Test func `a requirement with such a name hides it, and a type of an unnameable module, too`()
    throws
  {
    let output = try DoublesOutput(Fixtures.read("Ace"), Selection(patterns: ["Ace.*"]))
    #expect(output.refusals == [])
    #expect(
      output.files.map { ($0.plan.imports + spies($0.plan)).joined(separator: "; ") } == [
        "import Ace; import struct Ace.Spy; follow: UnderstudyDoubles.Spy<Spy, Void, Never>",
        "import Ace; pass: UnderstudyDoubles.Spy<Ace, Void, Never>",
        "import Ace; Spy: UnderstudyDoubles.Spy<Void, Void, Never>",
      ])
  }

  private func output(_ associated: [String], _ functions: [(String, [SymbolGraph.Fragment])] = [])
    throws -> DoublesOutput
  {
    func symbol(
      _ kind: String, _ usr: String, _ path: [String], _ fragments: [SymbolGraph.Fragment]
    ) -> SymbolGraph.Symbol {
      SymbolGraph.Symbol(
        kind: .init(identifier: "swift.\(kind)"), identifier: .init(precise: usr),
        pathComponents: path, declarationFragments: fragments, accessLevel: "public")
    }
    func text(_ text: String) -> [SymbolGraph.Fragment] { [.init(kind: "text", spelling: text)] }
    let members =
      associated.map {
        symbol("associatedtype", "s:\($0)", ["Mine", $0], text("associatedtype \($0)"))
      }
      + functions.map { symbol("method", "s:\($0.0)", ["Mine", $0.0], $0.1) }
    let graph = SymbolGraph(
      metadata: .init(formatVersion: .init(major: 0, minor: 6)), module: .init(name: "App"),
      symbols: [symbol("protocol", "s:3App4MineP", ["Mine"], text("protocol Mine"))] + members,
      relationships: members.map {
        .init(kind: "requirementOf", source: $0.identifier.precise, target: "s:3App4MineP")
      })
    var file = SymbolGraphFile(ofToolchain: graph, path: "App")
    file.isOfToolchain = false
    return try DoublesOutput([file], Selection(patterns: ["Mine"]))
  }

  @Test func `a name that hides a type of the library and its module is refused`() throws {
    #expect(
      try output(["Spy", "UnderstudyDoubles"]).refusals == [
        "No double for 'App.Mine': it hides both 'Spy' and its module, and a double needs one of them."
      ])
    #expect(
      try output(["Never", "Swift"]).refusals == [
        "No double for 'App.Mine': it hides both 'Never' and its module, and a double needs one of them."
      ])
  }

  @Test func `associated types may have the names of Void and Never`() throws {
    func type(_ name: String, _ usr: String) -> SymbolGraph.Fragment {
      .init(kind: "typeIdentifier", spelling: name, preciseIdentifier: usr)
    }
    func text(_ text: String) -> SymbolGraph.Fragment { .init(kind: "text", spelling: text) }
    let output = try output(
      ["Void", "Never"],
      [
        ("start()", [text("func start()")]),
        ("stop()", [text("func stop() -> "), type("Void", "s:s4Voida")]),
        ("fail()", [text("func fail() throws("), type("Never", "s:Never"), text(")")]),
        ("calm()", [text("func calm() throws("), type("Never", "s:s5NeverO"), text(")")]),
        ("make()", [text("func make() -> "), type("Void", "s:Void")]),
        ("end()", [text("func end() -> "), type("Never", "s:Never")]),
        (
          "give(_:_:)",
          [
            text("func give(_ a: "), type("Void", "s:Void"), text(", _ b: "),
            type("Never", "s:Never"), text(")"),
          ]
        ),
      ])
    #expect(output.refusals == [])
    #expect(
      output.files.flatMap { spies($0.plan) }.sorted() == [
        "calm: Spy<Swift.Void, Swift.Void, Swift.Never>",
        "end: Spy<Swift.Void, Never, Swift.Never>", "fail: Spy<Swift.Void, Swift.Void, Never>",
        "give: Spy<(Void, Never), Swift.Void, Swift.Never>",
        "make: Spy<Swift.Void, Void, Swift.Never>",
        "start: Spy<Swift.Void, Swift.Void, Swift.Never>",
        "stop: Spy<Swift.Void, Swift.Void, Swift.Never>",
      ])
  }

  @Test func `the spy of a setter has a unique name`() throws {
    #expect(
      try spies(Fair.plan("Counter")) == [
        "level: Spy<Void, Int, Never>", "levelSet: Spy<Int, Void, Never>",
        "levelSetReturningInt: Spy<Void, Int, Never>",
      ])
  }

  @Test(arguments: Fixtures.modules)
  func `no two spies of a double have one name or one title`(module: String) throws {
    let output = try DoublesOutput(
      Fixtures.read(module), Selection(patterns: ["*"]), mayBeEmpty: true)
    for plan in output.files.map(\.plan) {
      let spies = plan.members.flatMap(\.spies)
      #expect(Set(spies.map { "\($0.isStatic) \($0.name)" }).count == spies.count, "\(plan.name)")
      #expect(Set(spies.map(\.title)).count == spies.count, "\(plan.name)")
    }
  }

  @Test func `no two spies of a double of the corpus have one title`() throws {
    let folder = Fixtures.folder.deletingLastPathComponent()
      .appendingPathComponent("Corpus/Tests/CorpusTests/Doubles")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(files.count > 400)
    let spy = #/(?:let (?<name>\S+)(?: = \w+<|: \w+<).*?\(|\.static\(of: \S+ )"(?<title>[^"]*)"/#
    for file in files {
      let found = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .compactMap { $0.firstMatch(of: spy) }
      let titles = found.map { String($0.title) }
      #expect(Set(titles).count == titles.count, "\(file.lastPathComponent): \(titles)")
      #expect(
        !found.contains {
          $0.name?.last?.isNumber == true && $0.name?.last != $0.title.first { $0.isNumber }
        },
        "\(file.lastPathComponent)")
    }
  }

  @Test func `an operator of any symbol has a spy, and a raw identifier has backticks`() throws {
    let members = try Fair.plan("Rooted").members
    #expect(
      members.map { $0.witness[0] } == [
        "static prefix func √ (value: RootedDouble) -> Int {",
        "func `fun fair`(_ tent: `big top`) -> `big top` {",
      ])
    #expect(members.flatMap(\.spies).map(\.name) == ["squareRoot", "fun fair"])
    #expect(members.map(\.title) == ["√(_:)", "fun fair(_:)"])
  }

  @Test(arguments: [
    ("√", true), ("==", true), ("•", true), ("<+>", true), ("😀", false), ("größe", false),
    ("1st", false), ("+ one", false), ("", false),
  ])
  func `a name of operator characters is an operator`(name: String, isIt: Bool) {
    #expect(name.isOperator == isIt)
  }

  @Test func `a protocol is named in backticks, and its file has a plain name`() throws {
    let output = try Fair.output("*/*", "*.b", "side*")
    #expect(output.files.map(\.name) == ["a.bDouble.swift", "side_showDouble.swift"])
    #expect(
      output.files.map(\.plan.protocolName) == ["Fair.`a.b`", "Fair.`side/show`"])
  }

  @Test(arguments: [
    ("`a`", "a"), ("`a", "`a"), ("a`", "a`"), ("`", "`"), ("a", "a"), ("``", ""), ("", ""),
  ])
  func `backticks are taken off where there are two`(name: String, plain: String) {
    #expect(name.withoutBackticks == plain)
  }

  @Test(arguments: [
    ("s:ScA", true), ("s:Sci", true), ("s:ScF", true), ("s:ScP", false), ("s:ScAx", false),
    ("s:Sc", false), ("xs:Sc", false), ("s:SH", true), ("s:SS", false), ("s:SHx", false),
    ("s:4Mill7GrinderP", true), ("s:4Mill5WheelC", false), ("c:objc(pl)NSCopying", true),
    ("c:objc(cs)NSObject", false),
  ])
  func `a protocol is known by its identifier`(usr: String, isIt: Bool) {
    #expect(StandardProtocol.isProtocol(usr) == isIt)
  }

  @Test func `what a recipe inherits from an error is Sendable`() {
    let errors = StandardProtocol.all.filter { $0.value.inherited.contains("s:s5ErrorP") }
    #expect(errors.count >= 2)
    #expect(errors.values.map(\.isSendable).contains(false) == false)
  }

  @Test(
    arguments: [
      ("Box < [ Int ] >", ["Box"]), ("Shop . Box < [ Int ] >", ["Box"]), ("Box < Int >", ["Box"]),
      ("Box", ["Box"]), ("[ Box < Int > ]", []), ("( Box ) -> Box < Int >", []),
    ])
  func `a generic type is an instance of the type in front of its arguments`(
    type: String, heads: [String]
  ) {
    let tokens = type.split(separator: " ").map(String.init).map { word in
      Token(word, usr: word.first?.isLetter == true ? word : nil)
    }
    #expect(WiredType(tokens, GraphIndex([])).heads == heads)
  }

  @Test func `a type of another module's results says whether it is any of a protocol`() {
    #expect(WiredType(text: "any Log", usr: "s:3Den3LogP").isExistential)
    #expect(!WiredType(text: "Log any ", usr: "s:3Den3LogP").isExistential)
    #expect(!WiredType(text: "Logany", usr: "s:3Den3LogC").isExistential)
  }

  @Test(arguments: [
    ("double", true), ("dubble", true), ("doubles", true), ("do", false), ("doubtful", false),
    ("couple", true), ("trouble", true), ("bubbles", false), ("bubble", false),
  ])
  func `a word that is nearly one of the tool's is meant as it`(word: String, isIt: Bool) throws {
    let line = try #require(MarkerLine("- Understudy: \(word)"))
    #expect(line.begins(with: ["double"]) == isIt)
  }

  @Test func `a keyword as a label is in backticks if it must be`() {
    #expect(
      ["inout", "let", "in", "a b", "x"].map(\.escapedArgument) == [
        "`inout`", "let", "in", "`a b`", "x",
      ])
    #expect(
      ["inout", "let", "in", "a b", "x"].map(\.escapedLabel) == [
        "`inout`", "`let`", "in", "`a b`", "x",
      ])
  }

  @Test func `a type in an extension is named with the type of the other module`() throws {
    let plan = try Fair.plan("URL.Sign")
    #expect(plan.protocolName == "URL.Sign" && plan.name == "URLSignDouble")
    #expect(plan.imports == ["import Fair", "import Foundation"])
  }

  @Test func `a type with the name of a keyword is in backticks`() throws {
    let plan = try Fair.plan("Keywords")
    #expect(plan.generics == ["`init`"])
    #expect(plan.members[0].witness[0] == "func make() -> `init` {")
  }

  @Test func `a nested type with the name of a keyword is in backticks, and the keyword is not`() {
    let type = SymbolGraph.Fragment(
      kind: "typeIdentifier", spelling: "Outer", preciseIdentifier: "s:3Odd5OuterO")
    for name in ["Type", "Protocol", "Any", "some", "any", "each", "sending", "isolated"] {
      let inner = SymbolGraph.Fragment(
        kind: "typeIdentifier", spelling: name, preciseIdentifier: "s:3Odd5OuterO1nV")
      let dot = SymbolGraph.Fragment(kind: "text", spelling: ".")
      #expect([Token](fragments: [type, dot, inner]).text == "Outer.`\(name)`")
    }
    let metatype = SymbolGraph.Fragment(kind: "text", spelling: ".Type")
    #expect([Token](fragments: [type, metatype]).text == "Outer.Type")
    let own = SymbolGraph.Fragment(kind: "typeIdentifier", spelling: "Self")
    #expect([Token](fragments: [own]).text == "Self")
  }

  @Test func `a type with the name of a double beside it is named with its module`() throws {
    let files = try DoublesOutput(Fixtures.read("Quill"), Selection(patterns: ["*"], modules: []))
      .files
    let value = try #require(files.first { $0.name == "ValueDouble.swift" }?.content.text)
    #expect(value.contains("func asDouble() -> Quill.ValueDouble {"))
  }

  @Test func `the simplest of several overloads has the plain name`() {
    let nested = Declaration([
      Token("func"), Token("turn"), Token("("), Token("_"), Token("card"), Token(":"),
      Token("Deck.Card"), Token(")"),
    ])
    let plain = Declaration(parsing: "func turn(_ card: Int)")
    let names = SpyNames.spies(for: [nested, plain].compactMap { $0 })
    #expect(names.map(\.name) == ["turnDeckCard", "turn"])
  }
}

/// Plans the doubles of the module `Fair`.
enum Fair {
  static func output(_ names: String...) throws -> DoublesOutput {
    try DoublesOutput(
      Fixtures.read("Fair", "Fair@FoundationEssentials", "Hall"),
      Selection(patterns: names.map { $0.contains("*") ? $0 : "Fair.\($0)" }, modules: []))
  }

  static func plan(_ name: String) throws -> DoublePlan {
    let output = try output(name)
    guard let plan = output.files.first?.plan else { throw Missing(refusals: output.refusals) }
    return plan
  }

  private struct Missing: Error { var refusals: [String] }
}
