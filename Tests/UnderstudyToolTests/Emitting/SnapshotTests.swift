// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct SnapshotTests {
  @Test(arguments: ["OrderStore", "Cellar", "default", "Pass"])
  func `the text of a double equals the committed one`(name: String) throws {
    let output = try DoublesOutput(
      Fixtures.read("Shop"), Selection(patterns: ["Shop.\(name)"], modules: []))
    let snapshot = try Fixtures.text("Snapshots/\(name)Double.swift.txt")
    #expect(output.files.map(\.content.text) == [snapshot])
  }

  @Test func `everything is counted`() throws {
    let output = try DoublesOutput(
      Fixtures.read("Shop"), Selection(patterns: ["*"], modules: ["Shop"]))
    #expect(
      output.summary
        == "5 doubles: 11 spies, 2 handlers, 1 refusal; 2 protocols refused.")
    #expect(
      output.refusals == [
        "No double for 'Shop.Hidden': it is private.",
        "No double for 'Shop.Odd': it inherits from Swift.MutableCollection, whose symbol graph was not given.",
      ])
  }

  @Test func `a documentation comment chooses`() throws {
    let output = try DoublesOutput(Fixtures.read("Shop"), Selection())
    #expect(output.files.map(\.name) == ["CellarDouble.swift", "OrderStoreDouble.swift"])
  }

  @Test func `an edit is distinguished from the text of another version`() {
    let text = GeneratedFile(body: "let a = 1\n", format: "0.6.0").text
    #expect(GeneratedFile.inspect(text) == .generated)
    #expect(GeneratedFile.inspect(text.replacing("0.6.0", with: "0.5.0")) == .generated)
    #expect(GeneratedFile.inspect(text + "\n") == .edited)
    #expect(GeneratedFile.inspect(text.replacing("= 1", with: "= 2")) == .edited)
    #expect(GeneratedFile.inspect("let a = 1\n") == .foreign)
  }
}
