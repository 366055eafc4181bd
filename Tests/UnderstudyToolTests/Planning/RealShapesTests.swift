// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Shapes of the protocols of real modules. Pier is an extracted graph. Cape is an emitted one, of
/// a module in Swift 5.
@Suite struct RealShapesTests {
  private func output(_ module: String, _ name: String = "*") throws -> DoublesOutput {
    try DoublesOutput(Fixtures.read(module), Selection(patterns: [name], modules: [module]))
  }

  private func text(_ name: String, in module: String = "Pier") throws -> String {
    try #require(output(module, name).files.first?.content.text)
  }

  @Test func `an extracted graph without the identifier of NSRange needs the import, too`() throws {
    try #expect(text("TakesRange").contains("\nimport Foundation\n"))
  }

  @Test func `the spies of a double on an actor are on none`() throws {
    try #expect(text("OnOneActor").contains("\n  nonisolated struct Spies {\n"))
  }

  @Test func `a double of a protocol with members on two actors is on none`() throws {
    let text = try text("OnTwoActors")
    #expect(text.contains("\nnonisolated final class OnTwoActorsDouble: "))
    #expect(text.contains("\n  @Harbour\n  var boat: Boat {\n"))
    #expect(text.contains("\n  @MainActor\n  func show(_ id: Int) -> Boat {\n"))
    #expect(text.contains("\n  nonisolated func name(_ id: Int) -> String {\n"))
  }

  @Test func `a double that leaves a member to its default names its associated types`() throws {
    let text = try text("RenamesItem")
    #expect(text.contains("\n  typealias Item = Item\n"))
    #expect(text.contains("\n  typealias Other = Other\n"))
    try #expect(!self.text("KeepsDefaults").contains("typealias"))
  }

  @Test func `the lost attribute of the only function within a type is restored`() throws {
    let text = try text("PointersWithin")
    #expect(text.contains("var callbacks: [@convention(c) (Int32) -> Int32] {"))
    #expect(text.contains("func register(_ callback: (@convention(c) (Int32) -> Int32)?) -> Int {"))
  }

  @Test func `the lost attribute of one of several functions is named`() throws {
    let expected =
      "No double for 'Pier.LosesPointers': the symbol graph has lost '@convention(c)' of a function in"
      + " 'register(_:_:)'; give the function type a name with 'typealias', or write this double by"
      + " hand."
    try #expect(output("Pier", "LosesPointers").refusals == [expected])
  }

  @Test func `a function by the name of a module without a graph is refused`() throws {
    let expected =
      "No double for 'Cape.Sorts': 'sort(_:)' takes a function as 'Comparator', whose module has no"
      + " symbol graph; write the function type itself, or extract the graph with"
      + " swift-symbolgraph-extract."
    try #expect(output("Cape", "Sorts").refusals == [expected])
  }

  @Test func `closures of Swift 5 on the main actor need an import that allows them`() throws {
    try #expect(text("Uploads", in: "Cape").contains("\n@preconcurrency import Cape\n"))
    try #expect(text("Plain", in: "Cape").contains("\nimport Cape\n"))
  }

  @Test func `in one file, all imports of such a module allow them`() throws {
    let lines = try output("Cape").wholeFile.text.split(separator: "\n")
      .filter { $0.hasSuffix("import Cape") }
    #expect(lines == ["@preconcurrency import Cape", "@preconcurrency import Cape"])
  }

  @Test func `an asynchronous function that never returns is answered by a function`() throws {
    let plan = try #require(output("Pier", "RunsForever").files.first?.plan)
    #expect(plan.members.map(\.shape) == [.handler])
  }

  @Test func `two doubles whose names differ only in case have files of different names`() throws {
    let names = try output("Pier", "*Shelf").files.map(\.name)
    #expect(names == ["URLShelfDouble.swift", "UrlShelfDouble_.swift"])
  }

  @Test func `a double under its former file name is to be deleted`() throws {
    let folder = try Folder()
    func run(_ name: String, _ more: String...) -> Run {
      Run(
        [
          "doubles", "--symbol-graph", Fixtures.graph("Pier"), "--protocol", name, "--output",
          folder.path,
        ] + more)
    }
    #expect(run("UrlShelf").status == 0)
    let both = run("*Shelf")
    let sentence =
      "'\(folder.path)/UrlShelfDouble.swift' is the double of 'Pier.UrlShelf', which is in"
      + " 'UrlShelfDouble_.swift' now: delete it."
    #expect(both.errors == ["warning: \(sentence)"])
    let check = run("*Shelf", "--check")
    #expect(check.errors == ["error: \(sentence)"])
    #expect(check.status == 1)
  }

  @Test func `a type with the name of a double is a warning`() throws {
    let warnings = try output("Pier", "Anchor").warnings.map(\.message)
    let expected =
      "The double of 'Pier.Anchor' has the name of the struct 'Pier.AnchorDouble', and hides it."
    #expect(warnings == [expected])
    try #expect(output("Pier", "URLShelf").warnings == [])
  }

  @Test(
    arguments: [
      ("Boat", "a class"), ("Pier.Boat", "a class"), ("AnchorDouble", "a struct"),
    ])
  func `a pattern that names another type says so`(pattern: String, kind: String) throws {
    #expect(throws: ToolError.notProtocol(pattern: pattern, kind: kind)) {
      try output("Pier", pattern)
    }
    let run = Run(
      "doubles", "--symbol-graph", Fixtures.graph("Pier"), "--protocol", pattern, "--explain")
    #expect(run.errors == ["error: '\(pattern)' is \(kind), and only protocols get doubles."])
  }
}
