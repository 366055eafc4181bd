// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// `- Understudy: provided` on a protocol in one module that a component of another module needs.
@Suite struct ProvidedTests {
  private func run(_ marker: String) throws -> Run {
    let folder = try Folder()
    let storage = #""pathComponents": ["Storage"]"#
    let graph = try Fixtures.text("Graphs/Vault.symbols.json").replacing(
      storage, with: #"\#(storage), "docComment": {"lines": [{"text": "\#(marker)"}]}"#)
    try folder.write(graph, to: "Vault.symbols.json")
    return Run(
      "validate", "--symbol-graph", "\(folder.path)/Vault.symbols.json", "--symbol-graph",
      Fixtures.graph("Teller"), "--module", "Teller")
  }

  @Test func `the other module needs no configuration`() throws {
    let run = try run("- Understudy: provided")
    #expect(run.errors == [])
    #expect(run.lines == ["Teller: 1 component", "Validate success."])
  }

  @Test func `without that line the component is missing`() throws {
    #expect(
      try run("A place.").errors == [
        "/Teller.swift:4:31: error: Not found implementation on `Storage`. (Teller -> Storage)"
      ])
  }
}
