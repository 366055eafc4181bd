// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct IsolationTests {
  private func heads(_ plan: DoublePlan) -> [String] {
    plan.members.map { $0.witness.first { !$0.hasPrefix("@") } ?? "" }
  }

  @Test(arguments: ["Stage", "Scene"])
  func `requirements of nonisolated parents are nonisolated`(name: String) throws {
    let plan = try Fair.plan(name)
    #expect(plan.isShared && plan.isIsolated)
    #expect(
      heads(plan).filter { $0.hasPrefix("nonisolated") } == [
        "nonisolated var id: ID {", "nonisolated var size: Int {",
        "nonisolated func load(_ id: Int) -> Int {", "nonisolated(nonsending) func wait() async {",
      ])
    #expect(plan.fixedMembers == ["nonisolated init(from decoder: any Swift.Decoder) throws {}"])
    // The metatype of a real dependency that is not Sendable cannot be captured by a Sendable
    // closure.
    #expect(plan.members.flatMap(\.forwarding) == [])
  }

  /// Otherwise a module that infers isolated conformances would isolate all of them.
  @Test(arguments: [("Stage", "nonisolated "), ("Scene", "nonisolated "), ("Desk", "")])
  func `a conformance is nonisolated if a parent is`(name: String, word: String) throws {
    let text = try #require(Fair.output(name).files.first?.content.text)
    #expect(text.contains(": \(word)Fair.\(name)"))
  }

  @Test func `requirements of an actor's parents are nonisolated`() throws {
    #expect(
      heads(try Fair.plan("Clerk")) == [
        "func own() async {", "nonisolated var size: Int {",
        "nonisolated func load(_ id: Int) -> Int {", "nonisolated(nonsending) func wait() async {",
      ])
    #expect(
      try Fair.output("Copied").refusals == [
        "No double for 'Fair.Copied': an actor cannot be decoded."
      ])
  }

  @Test func `a value that cannot change its isolation is not forwarded`() throws {
    let forwarded: (String) throws -> [String] = { name in
      try Fair.plan(name).members.filter { !$0.forwarding.isEmpty }.map(\.title)
    }
    #expect(try forwarded("Desk") == ["count(_:)"])
    // A shared double stores such arguments as `Unchecked`.
    #expect(try forwarded("Shelf") == ["lend(_:)"])
  }

  @Test func `an isolated closure is passed unchanged to the answering function, and is not run`()
    throws
  {
    let plan = try Fair.plan("Shelf")
    let spies = plan.members.flatMap(\.spies).filter { ["run", "cook"].contains($0.name) }
    #expect(
      spies.map(\.type) == [
        "Spy<Void, @Sendable (@MainActor () -> Void) -> Void, Never>",
        "Spy<Void, @Sendable ((isolated Kitchen) -> Void) -> Void, Never>",
      ])
    #expect(spies.map(\.fallback) == ["{ _ in { _ in } }", "{ _ in { _ in } }"])
    #expect(heads(plan).last == "func take(_ book: inout sending Book) {")
  }

  @Test func `a pointer to a C function is found after substitutions in a mangled name`() {
    let usr =
      "s:4GRDB13FTS5TokenizerP8tokenize7context12tokenization5pText01nG013tokenCallbacks5Int32V"
      + "SvSg_AA0B12TokenizationVSPys4Int8VGSgA2kL_Akr3KtXCtF"
    #expect(usr.withoutNames.hasSuffix("SgA_AtXCtF"))
    // An actor, or a function that is isolated to any actor, is no substitution.
    #expect("s:YAcScA2abXC".withoutNames == "s:YAcScAXC")
  }

  private static let night = """
    public class Lamp {}
    public protocol Night: Actor {
      func own(_ lamp: Lamp) async -> Int
      nonisolated func light(_ lamp: Lamp) async -> Int
      nonisolated
      func far(_ id: Int) async; func near(_ lamp: Lamp) async
    }
    public protocol Dawn: Actor {
      nonisolated subscript(lamp: Lamp) -> Int { get async }
      subscript(id: Int) -> Int { get async }
    }
    """

  private func dusk(_ name: String = "Night", source: String?) throws -> DoublesOutput {
    try DoublesOutput(
      Fixtures.read("Dusk"), Selection(patterns: ["Dusk.\(name)"])
    ) { _ in source }
  }

  /// The graph is that of a module with `NonisolatedNonsendingByDefault`.
  @Test func `an actor's nonisolated requirements are read from the source`() throws {
    let plan = try #require(dusk(source: Self.night).files.first?.plan)
    #expect(
      heads(plan) == [
        "func own(_ lamp: Lamp) async -> Int {",
        "nonisolated(nonsending) func light(_ lamp: Lamp) async -> Int {",
        "nonisolated(nonsending) func far(_ id: Int) async {",
        "func near(_ lamp: Lamp) async {",
      ])
  }

  @Test func `an actor's subscript forwards only a value that is Sendable`() throws {
    let isolated = Self.night.replacing("nonisolated subscript", with: "            subscript")
    let plan = try #require(dusk("Dawn", source: isolated).files.first?.plan)
    #expect(plan.members.map(\.obstacle) == ["sends a value that is not Sendable", nil])
    let free = try #require(dusk("Dawn", source: Self.night).files.first?.plan)
    #expect(
      heads(free) == [
        "nonisolated(nonsending) subscript(lamp: Lamp) -> Int {", "subscript(id: Int) -> Int {",
      ])
  }

  @Test func `without the source, an actor's protocol with such arguments is refused`() throws {
    #expect(
      try dusk(source: nil).refusals == [
        "No double for 'Dusk.Night': its symbol graph may omit that 'own(_:)' is nonisolated, and"
          + " its source was not given."
      ])
  }
}
