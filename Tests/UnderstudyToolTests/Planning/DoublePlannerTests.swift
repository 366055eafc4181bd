// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct DoublePlannerTests {
  private func plan(_ name: String, of module: String = "Ply") throws -> DoublePlan {
    let output = try DoublesOutput(
      Fixtures.read(module), Selection(patterns: ["\(module).\(name)"], modules: []))
    return try #require(output.files.first?.plan)
  }

  private func spies(_ plan: DoublePlan) -> [String] {
    plan.members.flatMap(\.spies).map { "\($0.name): \($0.type)" }
  }

  @Test func `a type with the name of its module hides the module`() throws {
    #expect(try plan("Loader").protocolName == "Loader")
    #expect(try plan("Agent", of: "Ring").protocolName == "Ring.Agent")
  }

  @Test func `asynchronous and variadic overloads have spies of their own`() throws {
    let plan = try plan("Loader")
    #expect(
      Set(spies(plan)) == [
        "load: Spy<Int, Int, any Error>", "loadIntAsync: AsyncSpy<Int, Int, any Error>",
        "add: Spy<[Int], Void, Never>", "addVariadicInt: Spy<[Int], Void, Never>",
      ])
    #expect(
      plan.members.flatMap(\.forwarding).map(\.closure).filter { $0.contains("load") } == [
        "arguments in try real.load(arguments)", "arguments in try await real.load(arguments)",
      ])
  }

  @Test func `of the requirements of several parents the strictest is written, and not forwarded`()
    throws
  {
    let plan = try plan("Both")
    #expect(
      plan.members.filter { $0.title != "f()" }.map { $0.witness.first ?? "" }.sorted()
        == ["func g() {", "init(_ x: Int) {", "var x: Int {"])
    #expect(
      spies(plan).sorted() == [
        "f: Spy<Void, Void, Never>", "fAsync: AsyncSpy<Void, Void, Never>",
        "g: Spy<Void, Void, Never>", "initialize: Spy<Int, Void, Never>", "x: SpyProperty<Int>",
      ])
    #expect(plan.members.filter { !$0.forwarding.isEmpty }.map(\.title) == ["f()", "f()"])
  }

  @Test(
    arguments: [
      ("Both", "- `x`, which is required in different ways."),
      ("Both", "// Without init(tape:errors:live:): 'x' is required in different ways."),
    ])
  func `a left-out initialiser has a comment with the reason`(name: String, line: String) throws {
    let text = try DoubleWriter.text(of: plan(name))
    #expect(text.contains(line + "\n"))
  }

  @Test func `a mutating requirement is forwarded only if its protocol is for classes`()
    throws
  {
    let members = try plan("ChangingClass").members
    #expect(members.filter { !$0.forwarding.isEmpty }.map(\.title) == ["close()"])
  }

  @Test func `a type that a clause fixes is written into the other clauses`() throws {
    let plan = try plan("Numbers")
    #expect(plan.typealiases == ["typealias Element = Int"])
    #expect(plan.generics == ["Iterator: IteratorProtocol"])
    #expect(plan.whereClause == ["Iterator.Element == Int"])
  }

  @Test func `all cases of a double are doubles`() throws {
    let plan = try plan("Suit")
    #expect(plan.typealiases == ["typealias AllCases = [SuitDouble]"])
    #expect(plan.generics.isEmpty && plan.whereClause.isEmpty && plan.associatedTypes.isEmpty)
    #expect(
      Set(spies(plan)) == [
        "all: Spy<Void, AllCases, Never>", "allCases: Spy<Void, Unchecked<AllCases>, Never>",
      ])
  }

  @Test func `AllCases of a double is an array of the double`() throws {
    #expect(
      try plan("Repo").members[0].witness[0]
        == "func on(_ h: @escaping (Item) -> Void, _ other: ((Item) -> Void)?) {")
  }

  @Test(arguments: ["*Nested", "Deck.Nested"])
  func `a nested protocol's double has a name of its own`(pattern: String) throws {
    let output = try DoublesOutput(
      Fixtures.read("Ply"), Selection(patterns: [pattern], modules: []))
    #expect(output.files.map(\.name).first == "Deck_NestedDouble.swift")
    #expect(output.files.map(\.name).dropFirst().allSatisfy { $0 == "DeckNestedDouble.swift" })
    #expect(output.refusals == [])
    // A nested type is named with its outer type, wherever the protocol stands.
    #expect(output.files[0].plan.members[0].witness[0] == "func turn(_ sheet: Deck.Sheet) {")
  }

  @Test func `doubles of one name for protocols of two modules are reported`() throws {
    func graph(_ module: String, _ path: String) throws -> SymbolGraphFile {
      let text = """
        {
          "metadata": {"formatVersion": {"major": 0, "minor": 6}}, "module": {"name": "\(module)"},
          "symbols": [{
            "kind": {"identifier": "swift.protocol"}, "identifier": {"precise": "s:\(module)"},
            "pathComponents": \(path), "accessLevel": "public"
          }], "relationships": []
        }
        """
      return try SymbolGraphFile(Data(text.utf8), path: "\(module).symbols.json")
    }
    let output = try DoublesOutput(
      [graph("Deck", #"["Deck", "Nested"]"#), graph("Ply", #"["DeckNested"]"#)],
      Selection(patterns: ["*"]))
    #expect(
      output.refusals == [
        "No double for 'Ply.DeckNested': 'DeckNestedDouble' is the double of 'Deck.Nested' already."
      ])
  }

  @Test func `a type with the name of one of the library's is distinguished from it`() throws {
    let agent = try plan("Agent")
    #expect(agent.words.property == "spies")
    #expect(agent.members[0].witness[2] == "    return self.spies.spy()")
    let other = try plan("Agent", of: "Ring")
    #expect(spies(other) == ["own: UnderstudyDoubles.Spy<Spy, Spy, Never>"])
    #expect(other.imports == ["import Ring", "import struct Ring.Spy"])
  }

  @Test(
    arguments: [
      ("Box<[String: any Marked & Sendable]>", false), ("[String: any Marked & Sendable]", true),
      ("(any Sendable, any Marked)", false), ("(any Marked & Sendable)?", true),
      ("[any Marked.Type]", false), ("any Clock<Duration>", true), ("[(Int) -> Void]", false),
      ("(@Sendable () -> Void, () -> Void)", false), ("@Sendable () -> Box<Int>", true),
      ("WritableKeyPath<Int, Int> & Sendable", true), ("(a: Int, b: [Int: Deck.Sheet])", false),
      ("OpaquePointer?", false), ("AnyHashable", false), ("JSONEncoder", true),
      ("JSONDecoder", true), ("DateFormatter", true), ("NumberFormatter", true),
      ("ISO8601DateFormatter", false), ("Regex<Substring>", false), ("[DispatchWorkItem]", false),
      ("(@Sendable () -> Void) -> Void", false), ("@Sendable (() -> Void) -> Void", true),
      ("(@MainActor () -> Void) async throws -> Void", false), ("@MainActor () -> Void", true),
      ("KeyedDecodingContainer<Key>", false), ("DispatchQueue", true), ("Unknown", true),
    ])
  func `a value is Sendable only if each of its parts is`(text: String, isIt: Bool) throws {
    let index = GraphIndex(try Fixtures.read("Ply"))
    let usrs = Dictionary(
      index.symbols.map { ($0.value.pathComponents.last ?? "", $0.key) }, uniquingKeysWith: min)
    let tokens = TypeText(parsing: text).tokens.map { token in
      Token(token.text, usr: usrs[token.text], spaceBefore: token.spaceBefore)
    }
    let facts = TypeFacts(index: index, names: [:], unsharedNames: [])
    #expect(facts.isSendable(TypeText(tokens)) == isIt)
  }
}
