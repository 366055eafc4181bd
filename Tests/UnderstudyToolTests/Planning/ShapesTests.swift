// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct ShapesTests {
  private func spies(_ plan: DoublePlan) -> [String] {
    plan.members.flatMap(\.spies).map { "\($0.name): \($0.type)" }
  }

  private func heads(_ plan: DoublePlan) -> [String] {
    plan.members.map { $0.witness.first { !$0.hasPrefix("@") } ?? "" }
  }

  // MARK: Types

  @Test func `the double of a deprecated protocol is deprecated`() throws {
    let index = GraphIndex(try Fixtures.read("Shop"))
    var models = try Selection().models(in: index)
    models[0].availability = [SymbolGraph.Availability(isUnconditionallyDeprecated: true)]
    let plans = try models.map { try DoublePlanner.plan($0, index).get() }
    #expect(plans.map { $0.attributes.contains("@available(*, deprecated)") } == [true, false])
  }

  @Test func `the metatype of Self is the metatype of the double`() throws {
    let plan = try Fair.plan("Maker")
    #expect(heads(plan) == ["func of(_ type: MakerDouble.Type) -> MakerDouble.Type {"])
    #expect(spies(plan) == ["of: Spy<MakerDouble.Type, MakerDouble.Type, Never>"])
    #expect(plan.members[0].forwarding.isEmpty)
  }

  @Test(
    arguments: [
      (["Row"], "[Crop]"), (["Row", "?"], "[Crop]?"), (["Pick", "?"], "((Crop) -> Void)?"),
      (["[", "Pick", "]"], "[(Crop) -> Void]"),
    ])
  func `an alias of a protocol is in parentheses where its type needs them`(
    words: [String], text: String
  ) throws {
    let aliases = ["Row": "s:4Yard4PlotP3Rowa", "Pick": "s:4Yard4PlotP4Picka"]
    let expander = AliasExpander(index: GraphIndex(try Fixtures.read("Yard")))
    #expect(expander.expanded(words.map { Token($0, usr: aliases[$0]) }).text == text)
  }

  @Test func `an alias of a noncopyable type is noncopyable`() throws {
    #expect(
      try spies(Fair.plan("Till")) == [
        "pay: Spy<Void, @Sendable (consuming Coin) -> Coins, Never>"
      ])
  }

  @Test func `an aliased type is looked up in its source`() throws {
    // The source has the line endings of Windows.
    let source = "\r\n\r\n\r\n\r\n\r\n\r\npublic struct Token {}\r\n"
    let output = try DoublesOutput(
      Fixtures.read("Fair", "Hall"), Selection(patterns: ["Fair.Till"], modules: []),
      source: { _ in source })
    #expect(
      output.files.map(\.plan).map(spies) == [["pay: Spy<Coin, Coins, Never>"]])
  }

  @Test func `an opaque inout parameter becomes a generic parameter`() throws {
    let plan = try Fair.plan("Dice")
    #expect(
      heads(plan) == [
        "func roll<Value1: RandomNumberGenerator>(_ source: inout Value1,"
          + " _ all: some Collection) -> Int {", "func first<Value>() -> Value! {",
      ])
    #expect(
      plan.members[0].witness[1].hasSuffix("as: ((Int, Value1)).self, placeholder: (0, source))"))
    #expect(plan.members[1].witness[1].hasSuffix("as: (Value?).self)"))
    #expect(
      spies(plan) == [
        "roll: GenericSpy<(any RandomNumberGenerator, any Collection)>", "first: GenericSpy<Void>",
      ])
  }

  // MARK: Closures

  @Test func `a protocol is refused if the graph does not contain its parameters`() throws {
    #expect(
      try Fair.output("Blank").refusals == [
        "No double for 'Fair.Blank': the symbol graph does not contain all types of 'run(_:)';"
          + " if swift-symbolgraph-extract wrote the graph, write this double by hand, and otherwise"
          + " extract the graph with it."
      ])
  }

  /// An emitted graph omits what follows `nonisolated(nonsending)` in a type.
  @Test func `a protocol is refused if the graph cuts a function type short`() throws {
    let output = try DoublesOutput(Fixtures.read("Gale"), Selection(patterns: ["*"]))
    let refused = [("Holds", "tasks"), ("Makes", "make()"), ("Named", "take(_:)")]
    #expect(
      output.refusals
        == refused.map { name, title in
          "No double for 'Gale.\(name)': the symbol graph does not contain all types of '\(title)';"
            + " if swift-symbolgraph-extract wrote the graph, write this double by hand, and otherwise"
            + " extract the graph with it."
        })
    #expect(
      output.files.map(\.name) == ["FixedDouble.swift", "OtherDouble.swift", "RunsDouble.swift"])
  }

  @Test(arguments: ["@isolated(any) () -> Void", "nonisolated(nonsending) () async -> Int"])
  func `a spy whose type cannot be written in an expression has a declared type`(type: String) {
    var plan = DoublePlan(name: "ADouble", module: "A", protocolName: "A", subject: "A.A")
    let spy = SpyPlan(name: "run", type: "Spy<\(type), Void, Never>", title: "run(_:)")
    plan.members = [MemberPlan(title: "run(_:)", shape: .spy, spies: [spy], witness: [])]
    #expect(
      DoubleWriter.text(of: plan)
        .contains("    let run: Spy<\(type), Void, Never> = .init(\"run(_:)\")\n"))
  }

  @Test func `a function with a parameter pack has a generic spy`() throws {
    #expect(try spies(Fair.plan("Mapping")) == ["map: GenericSpy<[Any]>"])
  }

  // MARK: Repeated declarations

  @Test func `all declarations of an associated type count`() throws {
    let plan = try Fair.plan("Stored")
    #expect(plan.generics == ["Key", "Keys: Collection"])
    #expect(plan.whereClause == ["Key == Keys.Element"])
  }

  @Test func `an associated type of overloads is declared, not inferred`() throws {
    let plan = try Fair.plan("Rows")
    #expect(plan.typealiases == ["typealias Row = Row"])
    // This holds for the graphs of both producers.
    #expect(spies(plan).map { $0.prefix { $0 != ":" } } == ["addRow", "add"])
    #expect(try Fair.plan("Stored").typealiases == [])
  }

  @Test func `a required initialiser is not written again`() throws {
    let text = DoubleWriter.text(of: try Fair.plan("Again"))
    #expect(text.split(separator: "  init(forwardingTo").count == 2)
  }

  @Test(
    arguments: [
      ("subscript(item: sending Item) -> Int { get set }", "subscript(item: Item) -> Int {"),
      (
        "subscript(map: @escaping (sending Item) -> Void) -> Int { get set }",
        "subscript(map: @escaping (sending Item) -> Void) -> Int {"
      ),
      (
        "subscript(map: sending @escaping @isolated(any) (sending Item) -> sending Item) -> Int"
          + " { get set }",
        "subscript(map: @escaping @isolated(any) (sending Item) -> sending Item) -> Int {"
      ),
      (
        "subscript(item: sending Item) -> Int { get }",
        "subscript(item: sending Item) -> Int {"
      ),
    ])
  func `a settable subscript sends no argument, and its closures do`(
    text: String, head: String
  ) throws {
    let declaration = try #require(Declaration(parsing: text))
    let facts = TypeFacts(index: GraphIndex([]), names: [:], unsharedNames: [])
    let planner = MemberPlanner(
      facts: facts, isShared: false, isActor: false, globalActor: nil)
    let requirement = ProtocolModel.Requirement(declaration: declaration, usr: "")
    let plan = planner.plan(requirement, spy: SpyName(name: "at", title: "at"))
    #expect(plan.witness.first == head)
  }
}
