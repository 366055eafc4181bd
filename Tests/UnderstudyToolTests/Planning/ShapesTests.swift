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

  @Test func `the metatype of a double is named with the double`() throws {
    let plan = try Fair.plan("Maker")
    #expect(heads(plan) == ["func of(_ type: MakerDouble.Type) -> MakerDouble.Type {"])
    #expect(spies(plan) == ["of: Spy<MakerDouble.Type, MakerDouble.Type, Never>"])
    #expect(plan.members[0].forwarding.isEmpty)
  }

  @Test func `another name of what cannot be copied cannot be copied`() throws {
    #expect(
      try spies(Fair.plan("Till")) == [
        "pay: Spy<Void, @Sendable (consuming Coin) -> Coins, Never>"
      ])
  }

  @Test func `a type that is asked for by another name is looked up in its source`() throws {
    // Lines that end as on Windows, too.
    let source = "\r\n\r\n\r\n\r\n\r\n\r\npublic struct Token {}\r\n"
    let output = try DoublesOutput(
      Fixtures.read("Fair", "Hall"), Selection(patterns: ["Fair.Till"], modules: []),
      source: { _ in source })
    #expect(
      output.files.map(\.plan).map(spies) == [["pay: Spy<Coin, Coins, Never>"]])
  }

  @Test func `a new value of some type is asked for by a name of it`() throws {
    let plan = try Fair.plan("Dice")
    #expect(
      heads(plan) == [
        "func roll<Value1: RandomNumberGenerator>(_ source: inout Value1,"
          + " _ all: some Collection) -> Int {", "func first<Value>() -> Value! {",
      ])
    #expect(plan.members[0].witness[1].hasSuffix("as: ((Int, Value1)).self)"))
    #expect(plan.members[1].witness[1].hasSuffix("as: (Value?).self)"))
    #expect(
      spies(plan) == [
        "roll: GenericSpy<(any RandomNumberGenerator, any Collection)>", "first: GenericSpy<Void>",
      ])
  }

  // MARK: Closures

  @Test func `a protocol of whose parameter the graph says nothing is refused`() throws {
    #expect(
      try Fair.output("Blank").refusals == [
        "No double for 'Fair.Blank': the symbol graph does not say what the parameters of 'run(_:)'"
          + " are; one that swift-symbolgraph-extract makes does."
      ])
  }

  @Test(arguments: ["@isolated(any) () -> Void", "nonisolated(nonsending) () async -> Int"])
  func `a spy whose type an expression cannot say is declared with it`(type: String) {
    var plan = DoublePlan(name: "ADouble", module: "A", protocolName: "A")
    let spy = SpyPlan(name: "run", type: "Spy<\(type), Void, Never>", title: "run(_:)")
    plan.members = [MemberPlan(title: "run(_:)", shape: .spy, spies: [spy], witness: [])]
    #expect(
      DoubleWriter.text(of: plan)
        .contains("    let run: Spy<\(type), Void, Never> = .init(\"run(_:)\")\n"))
  }

  @Test func `a function with a pack gets a generic spy, beside its values`() throws {
    #expect(try spies(Fair.plan("Mapping")) == ["map: GenericSpy<[Any]>"])
  }

  // MARK: What is said twice

  @Test func `what several declarations of an associated type say counts`() throws {
    let plan = try Fair.plan("Stored")
    #expect(plan.generics == ["Key", "Keys: Collection"])
    #expect(plan.whereClause == ["Key == Keys.Element"])
  }

  @Test func `beside overloads an associated type is said, not guessed`() throws {
    let plan = try Fair.plan("Rows")
    #expect(plan.typealiases == ["typealias Row = Row"])
    // Whichever producer wrote the graph.
    #expect(spies(plan).map { $0.prefix { $0 != ":" } } == ["addRow", "addInt"])
    #expect(try Fair.plan("Stored").typealiases == [])
  }

  @Test func `an initialiser that is required is not written again`() throws {
    let text = DoubleWriter.text(of: try Fair.plan("Again"))
    #expect(text.split(separator: "  init(forwardingTo").count == 2)
  }
}
