// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct ClausesTests {
  private func plan(_ name: String) throws -> DoublePlan {
    let output = try DoublesOutput(Fixtures.read("Weir"), Selection(patterns: ["Weir.\(name)"]))
    return try #require(output.files.first?.plan)
  }

  private func spies(_ name: String) throws -> [String] {
    try plan(name).members.flatMap(\.spies).map { "\($0.name): \($0.type)" }
  }

  // MARK: Associated types

  @Test func `a clause fixes an associated type, whatever an overload or a recipe says`() throws {
    #expect(try plan("UserRepository").typealiases == ["typealias Entity = User"])
    #expect(
      try plan("SmallLiteral").typealiases == ["typealias IntegerLiteralType = UInt8"])
  }

  @Test func `the parameter of an overload fixes an associated type whose constraint it meets`()
    throws
  {
    let output = try DoublesOutput(Fixtures.read("Moor"), Selection(patterns: ["Moor.UserStore"]))
    let plan = try #require(output.files.first?.plan)
    #expect(plan.typealiases == ["typealias Entity = User"])
    #expect(plan.members.map(\.title) == ["save(_:)"])
  }

  @Test func `the parameter of an overload fixes no associated type with a constraint`() throws {
    let plan = try plan("BatchRepository")
    #expect(plan.generics == ["Entity: Identifiable"])
    #expect(plan.members.map(\.title) == ["save(_:)", "save(_:)"])
  }

  @Test(
    arguments: [
      ("SheetSource", "Unchecked<Item>"), ("BodySource", "Unchecked<Item>"),
      ("CallbackSource", "Unchecked<Item>"), ("FormSource", "Unchecked<Item>"),
      ("RecordedSource", "Item"),
    ])
  func `a fixed associated type is as Sendable as its type`(name: String, item: String) throws {
    #expect(try spies(name) == ["load: AsyncSpy<\(item), \(item), any Error>"])
  }

  @Test func `a fixed associated type is as Codable as its type`() throws {
    #expect(try plan("RecordedSource").members.map(\.recordingObstacle) == [nil])
    #expect(
      try plan("FormSource").members.map(\.recordingObstacle) == [
        "uses 'Item', which is not Sendable"
      ])
  }

  @Test func `a parameter whose associated type is a function may escape`() throws {
    #expect(
      try plan("CallbackSource").members[0].witness[0]
        .hasSuffix("func load(_ item: @escaping Item) async throws -> Item {"))
  }

  @Test func `the initialiser that forwards has a generic parameter of its own`() throws {
    let text = DoubleWriter.text(of: try plan("Calculates"))
    #expect(
      text.contains(
        "init<RealType: Weir.Calculates>(forwardingTo real: RealType) where RealType.Real == Real"))
  }

  // MARK: Clauses that lead back to the protocol

  private func loom(_ names: String...) throws -> DoublesOutput {
    try DoublesOutput(
      Fixtures.read("Loom"), Selection(patterns: names.isEmpty ? ["*"] : names))
  }

  @Test func `an associated type whose clause leads back to the protocol is another double`()
    throws
  {
    let aliases = try loom().files.map(\.plan).filter { !$0.typealiases.isEmpty }
      .map { "\($0.name)\($0.generics): \($0.typealiases.joined(separator: ", "))" }
    #expect(
      aliases == [
        "KeptDouble[]: typealias Storage = KeptStoringDouble<KeptDouble>",
        "LonelyDouble[\"Item\"]: typealias Other = OfManyDouble<LonelyDouble, Item>",
        "PingDouble[]: typealias Other = PongDouble",
        "PongDouble[]: typealias Other = PingDouble",
        "SharedDouble[]: typealias Other = UnsharedDouble",
        "StoredDouble[]: typealias Storage = StoringDouble<StoredDouble>",
        "UnsharedDouble[]: typealias Other = SharedDouble",
      ])
  }

  @Test func `another double is as Sendable as its protocol`() throws {
    let spies = try loom("Shared", "Unshared").files.flatMap(\.plan.members).flatMap(\.spies)
    #expect(
      spies.map(\.type) == [
        "Spy<Void, Unchecked<Other>, Never>", "Spy<Void, Int, Never>", "Spy<Void, Other, Never>",
      ])
  }

  @Test func `such a protocol is refused if no double can be the associated type`() throws {
    // The double of 'Bow' is refused, and the others have more clauses or constraints.
    #expect(
      try loom().refused.map(\.protocolName) == [
        "Loom.Bow", "Loom.Equal", "Loom.Fixed", "Loom.Knot", "Loom.Sent",
      ])
    #expect(
      try loom("Ping").refusals == [
        "No double for 'Loom.Ping': no generic class can have 'where Self == Other.Other', and no"
          + " double of this run can take its place."
      ])
  }

  // MARK: Names

  @Test func `a protocol with a name of the standard library is Sendable only if it says so`()
    throws
  {
    #expect(
      try spies("ScheduleTask") == [
        "start: Spy<(Unchecked<any Clock>, Unchecked<any Executor>, Unchecked<any Actor>), "
          + "Unchecked<any Clock>, Never>"
      ])
  }

  @Test func `one member of two parents is written once, in whatever spelling`() throws {
    #expect(
      try plan("LoadsTwice").members.map(\.title).sorted() == [
        "load(_:)", "show(_:count:)", "user(_:)",
      ])
  }

  @Test func `the members of recipes name the types of the standard library`() throws {
    let members = try plan("Coded").fixedMembers.joined(separator: "\n")
    for type in ["inout Swift.Hasher", "any Swift.Decoder", "any Swift.Encoder"] {
      #expect(members.contains(type))
    }
  }

  @Test func `a parameter without a name gets one that no other parameter has`() throws {
    #expect(
      try plan("Unnamed").members[0].witness == [
        "func f(_ value12: Int, value1: Int) -> Int {", "  return self.spy.f(value12, value1)", "}",
      ])
  }

  // MARK: Calls

  @Test func `a generic requirement that throws one type of errors says it to its spy`() throws {
    let plan = try plan("ValueStore")
    #expect(
      plan.members.map { $0.witness[1] } == [
        "  return try self.spy.find((), as: (Value?).self, throwing: LoadFault.self)",
        "  return try self.spy.fetch(fault, as: (Value?).self, throwing: Fault.self)",
      ])
  }

  @Test func `a failable initialiser fails wherever its body returns`() throws {
    #expect(
      try plan("ParsedHeader").members[0].witness.prefix(3) == [
        "init?(bytes: RawSpan) throws(LoadFault) {", "  do {",
        "    if (try Self.spy.initialize()(bytes)) == nil { return nil }",
      ])
  }

  @Test func `the answering function gets an inout parameter, too`() throws {
    let plan = try plan("Updates")
    #expect(
      plan.members.flatMap(\.spies).prefix(2).map(\.type) == [
        "Spy<Int, @Sendable (inout Int, (Int) -> Int) -> Bool, Never>",
        "Spy<Sheet, @Sendable (inout Sheet, () -> Void) -> Void, Never>",
      ])
    #expect(plan.members[0].witness[1] == "  return self.spy.update(state)(&state, body)")
    #expect(plan.members[1].spies[0].fallback == "{ _ in { _, body in body() } }")
  }

  @Test func `a value of any type that cannot be copied is left out`() throws {
    #expect(try spies("ConsumesAny") == ["use: Spy<Void, Int, Never>"])
  }

  // MARK: Platforms

  @Test func `a double is as new as its newest requirement`() throws {
    #expect(try plan("Newer").attributes == ["@available(macOS 15.0, iOS 18.0, tvOS 17.0, *)"])
  }

  @Test func `an optional requirement is not forwarded`() {
    for (text, obstacle) in [("func f()", nil), ("@objc optional func f()", "is optional")] {
      let model = ProtocolModel(usr: "", name: "P", module: "M", accessLevel: "public")
      let facts = TypeFacts(index: GraphIndex([]), names: [:], unsharedNames: [])
      let planner = ForwardPlanner(model: model, facts: facts, isShared: false)
      let spy = SpyPlan(name: "f", type: "Spy<Void, Void, Never>", title: "f()")
      let member = MemberPlan(title: "f()", shape: .spy, spies: [spy], witness: [])
      let requirement = Declaration(parsing: text).map {
        ProtocolModel.Requirement(declaration: $0, usr: "")
      }
      #expect(requirement.map { planner.obstacle(to: $0, member) } == obstacle)
    }
  }

  @Test func `the double of a protocol for the network is the same on all platforms`() throws {
    let linux = try Fixtures.text("Graphs/Weir.symbols.json")
    let apple = linux.replacing(
      "s:20FoundationNetworking10URLRequestV", with: "s:10Foundation10URLRequestV"
    )
    .replacing("s:20FoundationNetworking10URLSessionC", with: "c:objc(cs)NSURLSession")
    .replacing("s:20FoundationNetworking11URLResponseC", with: "c:objc(cs)NSURLResponse")
    #expect(!apple.contains("\"s:20FoundationNetworking"))
    let texts = try [linux, apple].map { text in
      let file = try SymbolGraphFile(Data(text.utf8), path: "Weir.symbols.json")
      return try DoublesOutput([file], Selection(patterns: ["Weir.Fetches"])).files[0].content.text
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("AsyncSpy<(URLRequest, URLSession), URLResponse, any Error>"))
    #expect(
      texts[0].contains(
        """
        #if canImport(FoundationNetworking)
          import FoundationNetworking
        #endif
        import Foundation
        import UnderstudyDoubles
        """))
  }
}
