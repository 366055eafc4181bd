// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// `validate --properties` compares the sources that read properties with the files that set them.
@Suite struct PropertyCheckTests {
  private let folder: Folder
  private let graph: String

  init() throws {
    folder = try Folder()
    graph = "\(folder.path)/Mill.symbols.json"
    let text = try Fixtures.text("Graphs/Mill.symbols.json")
      .replacing("file:///Mill.swift", with: "file://\(folder.path)/Mill.swift")
    try folder.write(text, to: "Mill.symbols.json")
  }

  private func run(source: String?, files: [(name: String, text: String)], _ more: String...) throws
    -> Run
  {
    if let source { try folder.write(source, to: "Mill.swift") }
    for file in files { try folder.write(file.text, to: file.name) }
    return Run(
      ["validate", "--symbol-graph", graph]
        + files.flatMap { ["--properties", "\(folder.path)/\($0.name)"] } + more)
  }

  private let source = """
    struct River {
      @Property("river.level") var level: Int
      @Property("river.name") var name: String = "Cam"
      @Property("river.gates") var gates: [Int]?
    }
    """

  @Test func `properties of the right type pass`() throws {
    let run = try run(source: source, files: [("a.json", #"{"river": {"level": 3}}"#)])
    #expect(run.errors == [])
    #expect(
      run.lines == ["Mill: 3 places read properties", "Mill: 5 components", "Validate success."])
    #expect(run.status == 0)
  }

  @Test func `a pattern stands for the matching files, in order`() throws {
    try folder.write(#"{"river": {"level": "high"}}"#, to: "p1.json")
    try folder.write(#"{"river": {"level": 3}}"#, to: "p2.json")
    #expect(
      try run(source: source, files: [], "--properties", "\(folder.path)/p*.json").status == 0)
    #expect(
      try run(source: source, files: [], "--properties", "\(folder.path)/q?.json").errors
        == ["error: No file of properties matches '\(folder.path)/q?.json'."])
  }

  @Test func `a command prints properties`() throws {
    try folder.write(source, to: "Mill.swift")
    func run(_ command: String) -> Run {
      Run(
        ["validate", "--symbol-graph", graph, "--properties-from", command], launch: ProgramEnd.of)
    }
    let right = run(#"echo '{"river": {"level": 3}}'"#)
    #expect(right.errors == [])
    #expect(right.status == 0)
    let noisy = run(#"echo first >&2; echo '{"river": {"level": 3}}'; echo last >&2"#)
    #expect(noisy.errors == ["first", "last"])
    #expect(noisy.status == 0)
    #expect(run("echo '{}'").status == 1)
    #expect(
      run("echo unlucky >&2; exit 4").errors == [
        "error: The command 'echo unlucky >&2; exit 4', which prints properties, failed:"
          + " status 4: unlucky"
      ])
    #expect(
      run("exit 3").errors
        == ["error: The command 'exit 3', which prints properties, failed: status 3"])
  }

  @Test func `a mistake in printed properties names the command`() throws {
    try folder.write(source, to: "Mill.swift")
    func errors(_ command: String) -> [String] {
      Run(
        ["validate", "--symbol-graph", graph, "--properties-from", command], launch: ProgramEnd.of
      ).errors.map { $0.replacing("\(folder.path)/", with: "") }
    }
    #expect(
      errors("echo '{\"a\" 1}'") == [
        "output of 'echo '{\"a\" 1}'':1:6: error: Found '1' where ':' is expected."
      ])
    #expect(
      errors("echo '{\"river\": {\"level\": \"high\"}}'") == [
        "output of 'echo '{\"river\": {\"level\": \"high\"}}'':1:21: error: Expected 'Int', found a string."
          + " (Property 'river.level'; Read at Mill.swift:2:13)"
      ])
    #expect(
      errors("echo '{}'") == [
        "Mill.swift:2:13: error: A required property of type 'Int' is missing."
          + " (Property 'river.level'; Consulted output of 'echo '{}'')"
      ])
  }

  @Test func `wire checks properties, and writes nothing if one is wrong`() throws {
    try folder.write(source, to: "Mill.swift")
    try folder.write("{}", to: "a.json")
    let run = Run([
      "wire", "--symbol-graph", graph, "--properties", "\(folder.path)/a.json", "--output",
      "\(folder.path)/Wired.swift",
    ])
    #expect(run.status == 1)
    #expect(run.errors.count == 1)
    #expect(!folder.names.contains("Wired.swift"))
  }

  @Test(
    arguments: [
      ("component", "struct Sluice {}", "16: error: `Sluice` is private and cannot be registered."),
      ("factory", "struct Sluice {}", "16: error: `Sluice` is private and cannot be registered."),
      ("provided", "struct Sluice {}", "16: error: `Sluice` is private and cannot be registered."),
      (
        "inject", "func open() {}",
        "14: error: `open` is private and cannot be called by the wiring."
      ),
    ])
  func `a private declaration for the wiring is an error`(
    word: String, declaration: String, error: String
  ) throws {
    let hidden = "/// - Understudy: \(word)\nprivate \(declaration)\n"
    let run = try run(source: hidden, files: [])
    #expect(run.errors == ["\(folder.path)/Mill.swift:2:\(error)"])
    #expect(run.status == 1)
  }

  @Test func `a line for the wiring that Swift does not read is an error`() throws {
    let run = try run(source: "@A\n/// - Understudy: component\nstruct B {}\n", files: [])
    #expect(
      run.errors == [
        "\(folder.path)/Mill.swift:2:1: error: `- Understudy: component` has no effect: it stands"
          + " below an attribute or a modifier. Move it above them."
      ])
    #expect(run.status == 1)
  }

  @Test func `a private protocol with a double is no error of the wiring`() throws {
    let hidden = "/// - Understudy: double\nprivate protocol Sluice {}\n"
    #expect(try run(source: hidden, files: []).errors == [])
  }

  @Test func `the last of several files wins`() throws {
    let files = [("a.json", #"{"river": {"level": "high"}}"#), ("b.json", #"{"river.level": 3}"#)]
    let wrong = try run(source: source, files: files)
    #expect(wrong.status == 1)
    let right = try run(
      source: source, files: [files[0], ("b.json", #"{"river": {"level": 3}}"#)])
    #expect(right.status == 0)
  }

  @Test func `all mistakes are reported at once, with their places`() throws {
    let run = try run(
      source: source, files: [("a.json", #"{"river": {"leve": 3, "gates": ["x"]}}"#)])
    #expect(run.status == 1)
    #expect(run.lines == [])
    #expect(
      run.errors.map { $0.replacing("\(folder.path)/", with: "") } == [
        "Mill.swift:2:13: error: A required property of type 'Int' is missing."
          + " (Property 'river.level'; Consulted a.json; Did you mean 'river.leve'?)",
        "a.json:1:32: error: Expected 'Int', found a string."
          + " (Property 'river.gates[0]'; Read at Mill.swift:4:13)",
      ])
  }

  @Test func `a file that cannot be read is reported with the reader's error`() throws {
    let run = try run(source: source, files: [("a.json", "{")])
    #expect(run.status == 1)
    #expect(
      run.errors.map { $0.replacing("\(folder.path)/", with: "") } == [
        "a.json:1:2: error: It ends where a key in quotes is expected."
      ])
  }

  @Test func `a source that no longer exists is reported`() throws {
    let run = try run(source: nil, files: [("a.json", "{}")])
    #expect(
      run.errors == [
        "error: The symbol graph names the source '\(folder.path)/Mill.swift', which cannot be read:"
          + " build again."
      ])
    #expect(run.status == 1)
  }

  @Test func `the configuration names the files`() throws {
    try folder.write(source, to: "Mill.swift")
    try folder.write("{}", to: "a.json")
    try folder.write(
      #"{"config": {"Mill": {"properties": ["\#(folder.path)/a.json"]}}}"#, to: "understudy.json")
    let run = Run([
      "validate", "--symbol-graph", graph, "--config", "\(folder.path)/understudy.json",
    ])
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.contains("A required property of type 'Int' is missing.") == true)
    #expect(run.status == 1)
  }

  @Test(arguments: [("validate", "error", 1), ("wire", "warning", 0)])
  func `files of properties that no source reads are an error, and for wire a warning`(
    command: String, weight: String, status: Int32
  ) throws {
    try folder.write("struct River {}\n", to: "Mill.swift")
    try folder.write(#"{"river": {"level": 3}}"#, to: "a.json")
    let output = command == "wire" ? ["--output", "\(folder.path)/Wired.swift"] : []
    let run = Run(
      [command, "--symbol-graph", graph, "--properties", "\(folder.path)/a.json"] + output)
    #expect(
      run.errors == [
        "\(weight): No source of 'Mill' reads a property by a literal path, so the files of"
          + " properties were not checked."
      ])
    #expect(run.lines.isEmpty == (status == 1))
    #expect(run.status == status)
    #expect(folder.names.contains("Wired.swift") == (status == 0))
  }

  /// Runs a command for `Mill`, whose source reads properties, and for `Race`, whose source reads
  /// none. Each has its own section in the configuration.
  private func twoModules(_ command: String, mill: String, race: String) throws -> Run {
    let text = try folder.text("Mill.symbols.json")
      .replacing("\(folder.path)/Mill.swift", with: "\(folder.path)/Race.swift")
      .replacing("s:4Mill", with: "s:4Race").replacing(#""name": "Mill""#, with: #""name": "Race""#)
      .replacing(#""name":"Mill""#, with: #""name":"Race""#)
    try folder.write(text, to: "Race.symbols.json")
    try folder.write(source, to: "Mill.swift")
    try folder.write("", to: "Race.swift")
    for name in ["a", "b"] { try folder.write(#"{"river": {"level": 3}}"#, to: "\(name).json") }
    func section(_ name: String, _ files: String) -> String {
      #""\#(name)": {"output": "\#(folder.path)/\#(name)Wiring.swift", \#(files)}"#
    }
    let files = [mill, race].map { $0.replacing("$", with: folder.path) }
    try folder.write(
      "{\"config\": {\(section("Mill", files[0])), \(section("Race", files[1]))}}",
      to: "understudy.json")
    return Run(
      [
        command, "--symbol-graph", "\(folder.path)/Mill.symbols.json", "--symbol-graph",
        "\(folder.path)/Race.symbols.json", "--config", "\(folder.path)/understudy.json",
      ], launch: ProgramEnd.of)
  }

  @Test(
    arguments: [("validate", "error", 1), ("wire", "warning", 0)],
    [
      (#""properties": ["$/a.json"]"#, #""properties": ["$/b.json"]"#),
      (#""properties": ["$/a.json"]"#, #""properties": ["$/a.json", "$/b.json"]"#),
      (#""properties": ["$/a.json"]"#, #""propertiesFrom": ["cat $/a.json"]"#),
      (#""propertiesFrom": ["cat $/a.json"]"#, #""propertiesFrom": ["cat $/b.json"]"#),
    ])
  func `a module whose own files of properties no source reads is named`(
    run: (command: String, weight: String, status: Int32), files: (mill: String, race: String)
  ) throws {
    let result = try twoModules(run.command, mill: files.mill, race: files.race)
    #expect(
      result.errors == [
        "\(run.weight): No source of 'Race' reads a property by a literal path, so the files of"
          + " properties were not checked."
      ])
    #expect(result.status == run.status)
    #expect(folder.names.contains("RaceWiring.swift") == (run.command == "wire"))
  }

  @Test(
    arguments: ["validate", "wire"],
    [
      (#""properties": ["$/a.json"]"#, #""properties": ["$/a.json"]"#),
      (#""properties": ["$/?.json"]"#, #""properties": ["$/./a.json"]"#),
      (#""propertiesFrom": ["cat $/a.json"]"#, #""propertiesFrom": ["cat $/a.json"]"#),
    ])
  func `files of properties that the sources of another module read are checked`(
    command: String, files: (mill: String, race: String)
  ) throws {
    let result = try twoModules(command, mill: files.mill, race: files.race)
    #expect(result.errors == [])
    #expect(result.status == 0)
  }

  /// A path that starts at the current directory.
  private func relative(_ path: String) -> String {
    let directory = FileManager.default.currentDirectoryPath
    let folders = directory.split(separator: "/")
    // The parent of the root is the root, so the path begins with a folder that is not in the root.
    let start = ["..", folders.last.map(String.init) ?? ""] + folders.map { _ in ".." }
    return (start + [String(path.dropFirst())]).joined(separator: "/")
  }

  @Test(arguments: [true, false])
  func `a pattern is relative to the package`(isInConfiguration: Bool) throws {
    try folder.write(source, to: "Mill.swift")
    try folder.write(#"{"river": {"level": "high"}}"#, to: "Common/p1.json")
    let pattern = relative("\(folder.path)/Comm*n/*.json")
    try folder.write(
      #"{"config": {"Mill": {"properties": ["\#(pattern)"]}}}"#, to: "understudy.json")
    let more =
      isInConfiguration
      ? ["--config", "\(folder.path)/understudy.json"] : ["--properties", pattern]
    func run() -> Run { Run(["validate", "--symbol-graph", graph] + more) }
    #expect(run().errors.map { $0.contains("Expected 'Int', found a string.") } == [true])
    try folder.write(#"{"river": {"level": 3}}"#, to: "Common/p2.json")
    #expect(run().errors == [])
    try FileManager.default.removeItem(atPath: "\(folder.path)/Common")
    #expect(run().errors == ["error: No file of properties matches '\(pattern)'."])
  }

  @Test func `the configuration names a command, which an option replaces`() throws {
    try folder.write(source, to: "Mill.swift")
    func run(_ command: String, _ more: String...) throws -> Run {
      let text = try JSONEncoder().encode(["config": ["Mill": ["propertiesFrom": [command]]]])
      try folder.write(String(decoding: text, as: UTF8.self), to: "understudy.json")
      return Run(
        ["validate", "--symbol-graph", graph, "--config", "\(folder.path)/understudy.json"] + more,
        launch: ProgramEnd.of)
    }
    let right = try run(#"echo '{"river": {"level": 3}}'"#)
    #expect(right.errors == [])
    #expect(right.lines.first == "Mill: 3 places read properties")
    #expect(
      try run("exit 3").errors
        == ["error: The command 'exit 3', which prints properties, failed: status 3"])
    try folder.write(#"{"river": {"level": 3}}"#, to: "a.json")
    #expect(try run("exit 3", "--properties", "\(folder.path)/a.json").errors == [])
    #expect(try run("exit 3", "--properties-from", "cat '\(folder.path)/a.json'").errors == [])
  }

  @Test func `an option replaces the files of the configuration, too`() throws {
    try folder.write(source, to: "Mill.swift")
    try folder.write("{", to: "a.json")
    try folder.write(
      #"{"config": {"Mill": {"properties": ["\#(folder.path)/a.json"]}}}"#, to: "understudy.json")
    let run = Run(
      ["validate", "--symbol-graph", graph, "--config", "\(folder.path)/understudy.json"]
        + ["--properties-from", #"echo '{"river": {"level": 3}}'"#], launch: ProgramEnd.of)
    #expect(run.errors == [])
  }

  @Test func `mistakes of the wiring are reported with a missing file of properties`() {
    let run = Run(
      "validate", "--symbol-graph", Fixtures.graph("Wrong"), "--properties", "/nowhere*/a.json")
    #expect(run.errors.count > 1)
    #expect(run.errors.last == "error: No file of properties matches '/nowhere*/a.json'.")
  }

  @Test(arguments: [[], ["--module", "Depot"]])
  func `a module without components has its properties checked`(module: [String]) throws {
    let depot = try Fixtures.text("Graphs/Depot.symbols.json")
      .replacing("file:///", with: "file://\(folder.path)/")
    try folder.write(depot, to: "Depot.symbols.json")
    try folder.write("@Property(\"river.level\") var level: Int\n", to: "Depot.swift")
    func run(_ command: String, _ text: String, _ more: String...) throws -> Run {
      try folder.write(text, to: "a.json")
      return Run(
        [command, "--symbol-graph", "\(folder.path)/Depot.symbols.json"]
          + ["--properties", "\(folder.path)/a.json"] + module + more)
    }
    let right = try run("validate", #"{"river": {"level": 3}}"#)
    #expect(right.errors == [])
    #expect(right.lines == ["Depot: 1 place reads properties", "Validate success."])
    #expect(right.status == 0)
    let wrong = try run("validate", "{}")
    #expect(wrong.errors.map { $0.contains("of type 'Int' is missing.") } == [true])
    #expect(wrong.status == 1)
    let wired = try run("wire", #"{"river": {"level": 3}}"#, "--output", folder.path)
    #expect(wired.errors.map { $0.hasPrefix("error: No declaration of 'Depot' says") } == [true])
    #expect(wired.status == 1)
  }

  @Test func `without named modules, properties are checked in all of them`() throws {
    for name in ["Depot", "Reading"] {
      let text = try Fixtures.text("Graphs/Depot.symbols.json")
        .replacing("file:///Depot", with: "file://\(folder.path)/\(name)")
        .replacing(#""name": "Depot""#, with: #""name": "\#(name)""#)
        .replacing("s:5Depot", with: "s:\(name.count)\(name)")
      try folder.write(text, to: "\(name).symbols.json")
    }
    try folder.write("", to: "Depot.swift")
    try folder.write("@Property(\"river.level\") var level: Int\n", to: "Reading.swift")
    try folder.write("", to: "Mill.swift")
    try folder.write(#"{"river": {"level": 3}}"#, to: "a.json")
    func run() -> Run {
      Run(["validate", "--symbol-graph", folder.path, "--properties", "\(folder.path)/a.json"])
    }
    #expect(run().errors == [])
    #expect(
      run().lines == [
        "Reading: 1 place reads properties", "Mill: 5 components", "Validate success.",
      ]
    )
    // `wire` leaves out a module without components, and its properties as well.
    let wired = Run([
      "wire", "--symbol-graph", folder.path, "--properties", "\(folder.path)/a.json", "--output",
      "\(folder.path)/Wired.swift",
    ])
    #expect(
      wired.errors == [
        "warning: No source of 'Mill' reads a property by a literal path, so the files of properties"
          + " were not checked."
      ])
    #expect(wired.status == 0)
    try FileManager.default.removeItem(atPath: "\(folder.path)/Mill.symbols.json")
    #expect(run().lines == ["Reading: 1 place reads properties", "Validate success."])
    try folder.write("{", to: "a.json")
    #expect(run().errors.count == 1)
  }

  @Test func `an excluded source is not read`() throws {
    try folder.write(source, to: "Mill.swift")
    try folder.write(
      #"{"config": {"Mill": {"exclude": ["\#(folder.path)"]}}}"#, to: "understudy.json")
    try folder.write("{}", to: "a.json")
    let run = Run([
      "validate", "--symbol-graph", graph, "--config", "\(folder.path)/understudy.json",
      "--properties", "\(folder.path)/a.json",
    ])
    #expect(
      run.errors == [
        "error: No declaration of 'Mill' says '- Understudy: component' in its documentation comment.",
        "error: No source of 'Mill' reads a property by a literal path, so the files of properties"
          + " were not checked.",
      ])
    #expect(run.status == 1)
  }
}
