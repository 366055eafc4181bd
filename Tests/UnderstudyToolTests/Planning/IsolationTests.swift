// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct IsolationTests {
  private func heads(_ plan: DoublePlan) -> [String] {
    plan.members.map { $0.witness.first { !$0.hasPrefix("@") } ?? "" }
  }

  @Test(arguments: ["Stage", "Scene"])
  func `what parents on no actor ask for is on none`(name: String) throws {
    let plan = try Fair.plan(name)
    #expect(plan.isShared && plan.isIsolated)
    #expect(
      heads(plan).filter { $0.hasPrefix("nonisolated") } == [
        "nonisolated var id: ID {", "nonisolated var size: Int {",
        "nonisolated func load(_ id: Int) -> Int {", "nonisolated(nonsending) func wait() async {",
      ])
    #expect(plan.fixedMembers == ["nonisolated init(from decoder: any Decoder) throws {}"])
    // The metatype of a real thing that is not shared cannot go into a closure that is.
    #expect(plan.members.flatMap(\.forwarding) == [])
  }

  /// Otherwise a module that infers isolated conformances would isolate all of them.
  @Test(arguments: [("Stage", "nonisolated "), ("Scene", "nonisolated "), ("Desk", "")])
  func `a conformance is on no actor where a parent is on none`(name: String, word: String) throws {
    let text = try #require(Fair.output(name).files.first?.content.text)
    #expect(text.contains(": \(word)Fair.\(name)"))
  }

  @Test func `what the parents of an actor ask for is on none`() throws {
    #expect(
      heads(try Fair.plan("Clerk")) == [
        "func own() async {", "nonisolated var size: Int {",
        "nonisolated func load(_ id: Int) -> Int {", "nonisolated(nonsending) func wait() async {",
      ])
    #expect(
      try Fair.output("Copied").refusals == [
        "No double for 'Fair.Copied': no actor can be made from a decoder."
      ])
  }

  @Test func `what cannot go from one actor to another is not forwarded`() throws {
    let forwarded: (String) throws -> [String] = { name in
      try Fair.plan(name).members.filter { !$0.forwarding.isEmpty }.map(\.title)
    }
    #expect(try forwarded("Desk") == ["count(_:)"])
    // A double that is shared keeps the arguments as `Unchecked`.
    #expect(try forwarded("Shelf") == ["lend(_:)"])
  }

  @Test func `a closure on an actor goes to the answering function as it is, and is not run`()
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

  @Test func `a pointer to a C function is found behind types that are said again`() {
    let usr =
      "s:4GRDB13FTS5TokenizerP8tokenize7context12tokenization5pText01nG013tokenCallbacks5Int32V"
      + "SvSg_AA0B12TokenizationVSPys4Int8VGSgA2kL_Akr3KtXCtF"
    #expect(usr.withoutNames.hasSuffix("SgA_AtXCtF"))
    // A function that is isolated to any actor, and an actor, are nothing that is said again.
    #expect("s:YAcScA2abXC".withoutNames == "s:YAcScAXC")
  }
}
