// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct SnapshotTests {
  @Test(arguments: ["OrderStore", "Cellar", "default", "Pass"])
  func `the text of a double equals the committed one`(name: String) throws {
    let output = try DoublesOutput(
      Fixtures.read("Shop"), Selection(patterns: ["Shop.\(name)"], modules: []))
    let path = "Snapshots/\(name)Double.swift.txt"
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
      try output.files.first?.content.text.write(
        to: Fixtures.folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    let snapshot = try Fixtures.text(path)
    #expect(output.files.map(\.content.text) == [snapshot])
  }

  /// Every double, the wiring and the drawn graph of each committed symbol graph, with all that is
  /// printed. `UNDERSTUDY_RECORD=1` records them.
  @Test(arguments: Fixtures.modules)
  func `all that is made of a symbol graph is what is committed`(module: String) throws {
    let made = try Self.made(of: module)
    let snapshot = "Snapshots/Graphs/\(module).txt"
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
      try made.write(
        to: Fixtures.folder.appendingPathComponent(snapshot), atomically: true, encoding: .utf8)
    }
    try #expect(made == Fixtures.text(snapshot))
  }

  private static func made(of module: String) throws -> String {
    // The sources of the graphs, without a declaration.
    let sources = try Folder()
    for name in try Fixtures.files(of: module) {
      let text = try Fixtures.text("Graphs/\(name)")
      for source in text.matches(of: #/file:\/\/\/([^"]+)"/#) {
        try sources.write("", to: String(source.output.1))
      }
      try sources.write(text.replacing("file:///", with: "file://\(sources.path)/"), to: name)
    }
    let graph = "\(sources.path)/\(module).symbols.json"
    func common(_ text: String) -> String {
      text.replacing(graph, with: "<tests>/Graphs/\(module).symbols.json")
        .replacing(sources.path, with: "")
    }
    let commands = [
      ["doubles", "--symbol-graph", graph, "--protocol", "*", "--output"],
      ["wire", "--symbol-graph", graph, "--output"],
      ["graph", "--symbol-graph", graph, "--format", "text", "--output"],
    ]
    let explained = Run("doubles", "--symbol-graph", graph, "--protocol", "*", "--explain")
    let explanation = (["=== doubles --explain: \(explained.status)"] + explained.lines)
      .joined(separator: "\n")
    return try commands.map { command in
      let folder = try Folder()
      let name = ["doubles": "Doubles", "wire": "Wiring.swift", "graph": "Graph.txt"][command[0]]!
      let run = Run(command + ["\(folder.path)/\(name)"])
      let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      let texts = try (files ?? []).sorted().filter { $0.contains(".") }.map { file in
        try "--- \(file)\n\(folder.text(file))"
      }
      let text = (["=== \(command[0]): \(run.status)"] + run.lines + run.errors + texts)
        .joined(separator: "\n")
      return common(text).replacing(folder.path, with: "<folder>")
        .replacing(#/be extracted \(.*?\)\.?(?: The command is: .*)?/#) { _ in "be extracted" }
    }.joined(separator: "\n\n") + "\n\n"
      + common(explanation)
      + "\n"
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
        "No double for 'Shop.Odd': it inherits from Swift.StringProtocol, which only String and Substring may conform to.",
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
    #expect(GeneratedFile.inspect(text.replacing("edit.", with: "edit. (Mine.)")) == .edited)
    #expect(GeneratedFile.inspect(text.replacing("-ignore-file", with: "-ignore")) == .edited)
    #expect(GeneratedFile.inspect(text.replacing("\n\nlet", with: "\nimport A\nlet")) == .edited)
    #expect(GeneratedFile.inspect("let a = 1\n") == .foreign)
  }
}
