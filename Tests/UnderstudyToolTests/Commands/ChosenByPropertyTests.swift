// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// `choosing storage by logger.storage`: a property selects the component for a parameter.
@Suite struct ChosenByPropertyTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Runs a command on a module with one text of its graph replaced.
  private func run(
    _ command: String, _ text: String = "", _ replacement: String = "", _ more: [String] = []
  ) throws -> Run {
    var graph = try Fixtures.text("Graphs/Vault.symbols.json")
    if !text.isEmpty {
      try #require(graph.contains(text))
      graph = graph.replacing(text, with: replacement)
    }
    graph = graph.replacing("file:///Vault.swift", with: "file://\(folder.path)/Vault.swift")
    try folder.write(graph, to: "Vault.symbols.json")
    try folder.write("", to: "Vault.swift")
    return Run([command, "--symbol-graph", "\(folder.path)/Vault.symbols.json"] + more)
  }

  @Test func `the property is read when the component is created`() throws {
    let run = try run("wire", "", "", ["--output", "-"])
    #expect(run.errors == ["Vault: 4 components"])
    let text = run.lines.joined(separator: "\n")
    #expect(text.contains("import Understudy\nimport UnderstudyDefinitions\n"))
    #expect(
      text.contains(
        """
            registrar.needing([
              AnyKey(type: (any Storage).self, named: "file"),
              AnyKey(type: (any Storage).self, named: "memory"),
            ]).register { (r: Resolver) throws in
              try Logger(r.resolve((any Storage).self, namedBy: "logger.storage"))
            }
        """))
    #expect(
      text.contains(
        "try await Audit(to: r.resolveAsync((any Storage)?.self, namedBy: \"audit.storage\"))"))
  }

  @Test func `the graph names the property that chooses`() throws {
    let lines = try run("graph", "", "", ["--format", "text"]).lines.joined(separator: "\n")
    #expect(
      lines.contains(
        """
        any Storage named by 'logger.storage'  notCached
        ├─ FileStorage(qualifier: file)  autowired
        └─ MemoryStorage(qualifier: memory)  autowired
        """))
  }

  @Test(
    arguments: [
      (
        "choosing storage by", "choosing shelf by",
        "`Logger` has no parameter `shelf` to choose for."
      ),
      (
        "choosing storage by logger.storage", "choosing storage logger.storage",
        "Unavailable qualifier: `choosing` is followed by a parameter, `by` and a property."
      ),
      (
        "component choosing storage", "inject choosing storage",
        "`Logger` is neither an initialiser nor a method to inject with."
      ),
    ])
  func `a choice that is impossible is an error`(
    text: String, replacement: String, message: String
  ) throws {
    let run = try run("validate", text, replacement)
    #expect(run.status == 1)
    #expect(run.errors.contains { $0.hasSuffix("error: \(message)") })
  }

  @Test func `a property chooses among components with different names`() throws {
    let named = "component named "
    let none = try run("validate", named, "component and ")
    #expect(
      none.errors.contains {
        $0.hasSuffix(
          "error: The property `logger.storage` chooses `Storage` by its name, and no"
            + " implementation has one. (Logger -> Storage)")
      })
    let same = try run("validate", "named memory", "named file")
    #expect(
      same.errors.contains {
        $0.hasSuffix(
          "error: Ambiguous implementation on `Storage` (FileStorage(qualifier: file),"
            + " MemoryStorage(qualifier: file))")
      })
  }

  @Test func `the value of the property must be the name of a component`() throws {
    let properties = "\(folder.path)/p.json"
    func errors(_ text: String) throws -> [String] {
      try folder.write(text, to: "p.json")
      return try run("validate", "", "", ["--properties", properties]).errors
    }
    #expect(
      try errors(#"{"logger": {"storage": "file"}, "audit": {"storage": "memory"}}"#) == [])
    let wrong = try errors(#"{"logger": {"storage": "fiel"}}"#)
    #expect(wrong.count == 2)
    #expect(wrong.contains { $0.contains("(Property 'audit.storage'") })
    #expect(
      wrong.contains {
        $0.hasSuffix(
          "error: The property `logger.storage` is `fiel`, and `Storage` has no implementation of"
            + " that name. (file, memory)")
      })
  }

  @Test(arguments: ["wire", "validate"])
  func `the generated wiring is not read for its properties`(command: String) throws {
    let start = #""symbols":["#
    let assembly =
      #"{"kind": {"identifier": "swift.struct"}, "identifier": {"precise": "s:5Vault6WiringV"}, "#
      + #""pathComponents": ["VaultWiring"], "accessLevel": "internal", "location": {"uri": "#
      + #""file://\#(folder.path)/VaultWiring.swift", "position": {"line": 8, "character": 7}}},"#
    let body = "try Logger(r.resolve((any Storage).self, namedBy: \"old.storage\"))\n"
    try folder.write(
      GeneratedFile(body: body, format: "0.6.0").text + "// An edit.\n", to: "VaultWiring.swift")
    try folder.write(
      #"{"logger": {"storage": "file"}, "audit": {"storage": "memory"}}"#, to: "p.json")
    let output = "\(folder.path)/VaultWiring.swift"
    let run = try run(
      command, start, start + assembly,
      ["--properties", "\(folder.path)/p.json"]
        + (command == "wire" ? ["--output", output, "--force"] : []))
    #expect(run.errors == [])
    #expect(
      run.lines.first
        == (command == "wire" ? "Vault: 4 components" : "Vault: 2 places read properties"))
    #expect(run.status == 0)
  }

  @Test func `a property cannot choose a function, not even one with a default`() throws {
    let end = #""preciseIdentifier": "s:5Vault7StorageP"}, {"kind": "text", "spelling": ")"}], "#
    let parameter = #"""
      "preciseIdentifier": "s:5Vault7StorageP"}, {"kind": "text", "spelling": ", "},
      {"kind": "externalParam", "spelling": "log"}, {"kind": "text", "spelling": ": ("},
      {"kind": "typeIdentifier", "spelling": "String", "preciseIdentifier": "s:SS"},
      {"kind": "text", "spelling": ") -> "},
      {"kind": "typeIdentifier", "spelling": "Void", "preciseIdentifier": "s:s4Voida"},
      {"kind": "text", "spelling": " = { _ in })"}], 
      """#
    let graph = try Fixtures.text("Graphs/Vault.symbols.json")
    try #require(graph.components(separatedBy: end).count == 2)
    try folder.write(
      graph.replacing(end, with: parameter).replacing(
        "choosing storage by logger.storage", with: "choosing log by logger.log"),
      to: "Vault.symbols.json")
    let run = Run("validate", "--symbol-graph", "\(folder.path)/Vault.symbols.json")
    #expect(
      run.errors.contains(
        "/Vault.swift:10:31: error: A property chooses one component, and `log` of `Logger` is"
          + " `(String) -> Void`."), "\(run.errors)")
    #expect(run.status == 1)
  }
}
