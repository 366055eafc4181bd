// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyWiringTool

@testable import UnderstudyTool

@Suite struct ToolTests {
  private let shop = Fixtures.graph("Shop")

  @Test func `a second run writes nothing`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/New/Doubles"
    let first = Run("doubles", "--symbol-graph", shop, "--output", output)
    #expect(
      first.lines == [
        "2 doubles: 9 spies, 2 handlers, 0 refusals; 0 protocols refused.",
        "2 written, 0 unchanged, in \(output)",
      ])
    // A rewritten file has another number.
    let numbers = try fileNumbers(in: output)
    let second = Run("doubles", "--symbol-graph", shop, "--output=\(output)")
    #expect(try fileNumbers(in: output) == numbers)
    #expect(second.lines.last == "0 written, 2 unchanged, in \(output)")
    #expect(Run("doubles", "--symbol-graph", shop, "--output", output, "--check").status == 0)
  }

  @Test func `an output that is a file gets all doubles`() throws {
    let folder = try Folder()
    let path = "\(folder.path)/Doubles.swift"
    let arguments = ["doubles", "--symbol-graph", shop, "--output", path]
    let stale = Run(arguments + ["--check"])
    #expect(stale.errors == ["error: '\(path)' is missing: generate it."])
    #expect(Run(arguments).lines.last == "1 written, 0 unchanged, \(path)")
    let text = try folder.text("Doubles.swift")
    for name in ["CellarDouble", "OrderStoreDouble"] {
      #expect(text.contains("final class \(name)"))
    }
    #expect(GeneratedFile.inspect(text) == .generated)
    #expect(Run(arguments).lines.last == "0 written, 1 unchanged, \(path)")
    #expect(Run(arguments + ["--check"]).status == 0)
    try folder.write(text + "// mine\n", to: "Doubles.swift")
    #expect(Run(arguments).errors == ["error: \(ToolError.editedByHand(path: path).message)"])
  }

  @Test func `check reports missing files and writes nothing`() throws {
    let folder = try Folder()
    let run = Run("doubles", "--symbol-graph", shop, "--output", folder.path, "--check")
    #expect(run.status == 1)
    #expect(
      run.errors
        == ["CellarDouble", "OrderStoreDouble"].map {
          "error: '\(folder.path)/\($0).swift' is missing: generate it."
        })
    #expect(folder.names == [])
  }

  @Test func `edited or handwritten files stay unless forced`() throws {
    let folder = try Folder()
    let arguments = ["doubles", "--symbol-graph", shop, "--output", folder.path]
    func run(_ more: String...) -> Run {
      more.isEmpty
        ? Run(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4])
        : Run(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], more[0])
    }
    #expect(run().status == 0)
    let path = "\(folder.path)/CellarDouble.swift"
    let text = try folder.text("CellarDouble.swift")
    try folder.write(text + "// mine\n", to: "CellarDouble.swift")
    try FileManager.default.removeItem(atPath: "\(folder.path)/OrderStoreDouble.swift")
    #expect(run().errors == ["error: \(ToolError.editedByHand(path: path).message)"])
    #expect(folder.names == ["CellarDouble.swift"])
    try folder.write("// mine\n", to: "CellarDouble.swift")
    #expect(run().errors == ["error: \(ToolError.notGenerated(path: path).message)"])
    #expect(run("--force").status == 0)
    #expect(try folder.text("CellarDouble.swift") == text)
    #expect(folder.names == ["CellarDouble.swift", "OrderStoreDouble.swift"])
  }

  #if os(Linux)
    @Test func `a file that cannot be read stays unless forced`() throws {
      let file = OutputFile(path: "/proc/self/mem", text: "let a = 1\n", kind: .swift)
      #expect(throws: ToolError.self) { try file.isStale(force: false) }
      #expect(try file.isStale(force: true))
    }
  #endif

  @Test func `a module without symbols of its own is no mistake`() throws {
    let folder = try Folder()
    let graph = """
      {
        "metadata": {"formatVersion": {"major": 0, "minor": 6, "patch": 0}, "generator": "Swift"},
        "module": {"name": "Kit"}, "symbols": [], "relationships": []
      }
      """
    try folder.write(graph, to: "Kit.symbols.json")
    try FileManager.default.copyItem(atPath: shop, toPath: "\(folder.path)/Shop.symbols.json")
    let run = Run(
      "doubles", "--symbol-graph", folder.path, "--module", "Kit", "--module", "Shop", "--output",
      "-")
    #expect(run.status == 0)
    #expect(run.errors == ["2 doubles: 9 spies, 2 handlers, 0 refusals; 0 protocols refused."])
  }

  @Test func `other line endings are not an edit`() throws {
    let folder = try Folder()
    let arguments = ["doubles", "--symbol-graph", shop, "--output", folder.path]
    func run(_ more: String...) -> Run { Run(arguments + more) }
    #expect(run().status == 0)
    let name = "CellarDouble.swift"
    let text = try folder.text(name).replacing("\n", with: "\r\n")
    try folder.write(text, to: name)
    #expect(run("--check").status == 0)
    #expect(run().lines.last == "0 written, 2 unchanged, in \(folder.path)")
    try folder.write(text + "// mine\r\n", to: name)
    #expect(
      run().errors == ["error: \(ToolError.editedByHand(path: "\(folder.path)/\(name)").message)"])
    // A file of an older version is replaced.
    let body = "/// Older.\n"
    let older = GeneratedFile(body: body, format: "0.6.0").text.replacing("\n", with: "\r\n")
    try folder.write(older, to: name)
    #expect(run().lines.last == "1 written, 1 unchanged, in \(folder.path)")
  }

  @Test func `a double without its protocol is reported, and fails a check`() throws {
    let folder = try Folder()
    let arguments = ["doubles", "--symbol-graph", shop, "--output", folder.path]
    func run(_ more: String...) -> Run { Run(arguments + more) }
    #expect(run().status == 0)
    func text(_ name: String) -> String {
      GeneratedFile(
        body: "import Shop\n\n/// A double of `\(name)`.\nfinal class Double {}\n", format: "0.6.0"
      ).text
    }
    try folder.write(text("Shop.`Gone`"), to: "GoneDouble.swift")
    // The protocols of other modules are unknown, and a handwritten file is not a double.
    try folder.write(text("Other.Gone"), to: "OtherDouble.swift")
    try folder.write("/// A double of `Shop.Mine`.\n", to: "MineDouble.swift")
    let said =
      "'\(folder.path)/GoneDouble.swift' is the double of 'Shop.Gone', which is not in the symbol "
      + "graph of 'Shop': delete it."
    let written = run()
    #expect(written.errors == ["warning: \(said)"])
    #expect(written.status == 0)
    #expect(run("--check").errors == ["error: \(said)"])
    #expect(run("--check").status == 1)
    // A protocol that exists and was not chosen is not gone.
    #expect(run("--protocol", "Cellar").errors == ["warning: \(said)"])
  }

  /// A type `Ply` hides the module in the doubles of `Ply`.
  @Test func `a double without its protocol is reported in a module with a type of its name`()
    throws
  {
    let folder = try Folder()
    let arguments = [
      "doubles", "--symbol-graph", Fixtures.graph("Ply"), "--protocol", "Loader", "--output",
      folder.path,
    ]
    #expect(Run(arguments).errors == [])
    let double = try folder.text("LoaderDouble.swift").replacing("Loader", with: "Gone")
    try folder.write(double, to: "GoneDouble.swift")
    #expect(
      Run(arguments + ["--check"]).errors == [
        "error: '\(folder.path)/GoneDouble.swift' is the double of 'Ply.Gone', which is not in the"
          + " symbol graph of 'Ply': delete it."
      ])
  }

  @Test func `an impossible output is reported in one line`() throws {
    let folder = try Folder()
    try folder.write("", to: "file")
    let file = Run("doubles", "--symbol-graph", shop, "--output", "\(folder.path)/file")
    #expect(file.status == 1)
    #expect(
      file.errors == [
        "error: The output '\(folder.path)/file' is a file; --output names a directory."
      ])
    let below = Run("doubles", "--symbol-graph", shop, "--output", "\(folder.path)/file/x")
    #expect(
      below.errors == [
        "error: The file '\(folder.path)/file/x' cannot be written: the directory cannot be made."
      ])
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/OrderStoreDouble.swift", withIntermediateDirectories: true)
    let directory = Run("doubles", "--symbol-graph", shop, "--output", folder.path)
    #expect(directory.errors.count == 1)
    #expect(folder.names == ["OrderStoreDouble.swift", "file"])
  }

  @Test func `an unwritable file is reported in one line, and nothing is half-written`() throws {
    let folder = try Folder()
    let draft = ".CellarDouble.swift.\(ProcessInfo.processInfo.processIdentifier).draft"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(draft)", withIntermediateDirectories: true)
    let run = Run("doubles", "--symbol-graph", shop, "--output", folder.path)
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "error: The file '\(folder.path)/CellarDouble.swift' cannot be written: "
          + "the file system refuses it."
      ])
    #expect(folder.names.filter { $0 != draft } == [])
  }

  @Test func `the temporary file of another run does not disturb`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/.CellarDouble.swift.draft", withIntermediateDirectories: true)
    #expect(Run("doubles", "--symbol-graph", shop, "--output", folder.path).errors == [])
  }

  @Test func `an unknown protocol has near misses`() {
    let run = Run(
      "doubles", "--symbol-graph", shop, "--protocol", "OrderStor", "--output", "/nowhere")
    #expect(run.status == 1)
    #expect(
      run.errors == ["error: No protocol is named 'OrderStor'. Did you mean 'OrderStore'?"])
  }

  @Test func `at most three protocols with similar names are proposed`() throws {
    let run = Run(
      "doubles", "--symbol-graph", Fixtures.graph("Yard"), "--protocol", "Yard.Rake", "--output",
      try Folder().path)
    #expect(
      run.errors == [
        "error: No protocol is named 'Yard.Rake'. Did you mean 'Rake1', 'Rake2' or 'Rake3'?"
      ])
  }

  @Test func `an unknown module is reported, whether or not protocols are chosen`() {
    for more in [[], ["--protocol", "OrderStore"]] {
      let run = Run(
        ["doubles", "--symbol-graph", shop, "--module", "Shopp", "--output", "/nowhere"] + more)
      #expect(run.status == 1)
      #expect(
        run.errors == ["error: No module is named 'Shopp': the symbol graphs are of 'Shop'."])
    }
  }

  @Test func `a comment that asks for a double in other words, or of another type, is reported`()
    throws
  {
    let folder = try Folder()
    let text = try Fixtures.text("Graphs/Pew.symbols.json")
    try folder.write(text, to: "Pew.symbols.json")
    let run = Run("doubles", "--symbol-graph", folder.path, "--output", "\(folder.path)/out")
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "/Pew.swift:2:17: error: Unknown word `doubel` after `Understudy:`. Did you mean `double`?",
        "/Pew.swift:4:15: error: `Bench` is not a protocol, and gets no double.",
        "/Pew.swift:6:17: error: Unknown word `named` after `Understudy: double`.",
      ])
    #expect(folder.names == ["Pew.symbols.json"])
    // A protocol that the command line names gets its double.
    let named = Run(
      "doubles", "--symbol-graph", folder.path, "--protocol", "Row", "--output",
      "\(folder.path)/out")
    #expect(named.status == 0)
  }

  @Test(arguments: [
    "- understudy: double", "- UNDERSTUDY: double", "- Understudy : double", "-Understudy: double",
    "* Understudy: double", "- Understudy:double", "- Understudy double", "Understudy: double",
    "- Understudt: double", "- understudy: doubel",
  ])
  func `a line that almost asks for a double is reported`(line: String) throws {
    let folder = try Folder()
    let text = try Fixtures.text("Graphs/Pew.symbols.json")
      .replacing("- Understudy: double of a class", with: "A bench.")
      .replacing("- Understudy: double named it", with: "- Understudy: double")
      .replacing("- Understudy: doubel", with: line)
    try folder.write(text, to: "Pew.symbols.json")
    let run = Run("doubles", "--symbol-graph", folder.path, "--output", "\(folder.path)/out")
    #expect(run.status == 1)
    let word = line.hasSuffix("doubel") ? "doubel" : "double"
    #expect(
      run.errors == [
        "/Pew.swift:2:17: error: `\(line)` has no effect. Did you mean `- Understudy: \(word)`?"
      ])
    // The `wire` command ignores the line.
    #expect(!Run("wire", "--symbol-graph", folder.path).errors.joined().contains("says nothing"))
  }

  @Test(arguments: [
    "The understudy doubles this.", "- Understudy double it all", "- understudies: double",
    "Understudy: a sentence about it.", "- Note: Understudy: double", "understudy double",
    "- understudy: component",
  ])
  func `any other line is for readers`(line: String) throws {
    let folder = try Folder()
    let text = try Fixtures.text("Graphs/Pew.symbols.json")
      .replacing("- Understudy: double of a class", with: "A bench.")
      .replacing("- Understudy: double named it", with: "- Understudy: double")
      .replacing("- Understudy: doubel", with: line)
    try folder.write(text, to: "Pew.symbols.json")
    let run = Run("doubles", "--symbol-graph", folder.path, "--output", "\(folder.path)/out")
    #expect(run.errors == [])
    #expect(run.status == 0)
  }

  @Test
  func `a protocol whose comment asks for an impossible double fails, even beside its old double`()
    throws
  {
    let folder = try Folder()
    let graph = try Fixtures.text("Graphs/Pew.symbols.json").replacing("doubel", with: "double")
      .replacing("double named it", with: "double").replacing("- Understudy: double of", with: "of")
    try folder.write(graph, to: "Pew.symbols.json")
    let arguments = ["doubles", "--symbol-graph", folder.path, "--output", "\(folder.path)/out"]
    #expect(Run(arguments).status == 0)
    try folder.write(
      graph.replacing(#""accessLevel": "public""#, with: #""accessLevel": "private""#),
      to: "Pew.symbols.json")
    let run = Run(arguments + ["--check"])
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "/Pew.swift:6:17: error: No double for 'Pew.Pulpit': it is private.",
        "/Pew.swift:2:17: error: No double for 'Pew.Row': it is private.",
      ]
        + ["Pulpit", "Row"].map {
          "error: '\(folder.path)/out/\($0)Double.swift' is the double of 'Pew.\($0)', which is"
            + " refused now: delete it."
        })
  }

  @Test func `two protocols of one name have to be distinguished`() throws {
    let folder = try Folder()
    let both = Fixtures.folder.appendingPathComponent("Graphs").path
    let run = Run(
      "doubles", "--symbol-graph", both, "--protocol", "OrderStore", "--output", folder.path)
    #expect(
      run.errors == [
        "error: Several modules have a protocol 'OrderStore'. Choose one with --protocol: "
          + "'Depot.OrderStore' or 'Shop.OrderStore'."
      ])
    let one = Run(
      "doubles", "--symbol-graph", both, "--protocol", "Depot.OrderStore", "--output", folder.path)
    #expect(one.status == 0)
  }

  @Test func `a named protocol without a possible double fails`() throws {
    let folder = try Folder()
    let run = Run(
      "doubles", "--symbol-graph", shop, "--protocol", "Odd", "--output", folder.path)
    #expect(run.status == 1)
    #expect(run.errors.count == 1)
  }

  @Test(
    arguments: [
      (["generate"], "There is no command 'generate'. See 'understudy-tool help'."),
      (
        ["double"],
        "There is no command 'double'. Did you mean 'doubles'? See 'understudy-tool help'."
      ),
      (
        ["doubles", "--chek"],
        "'doubles' has no option '--chek'. Did you mean '--check'? See 'understudy-tool help doubles'."
      ),
      (
        ["doubles", "--output"],
        "'--output' needs a value. See 'understudy-tool help doubles'."
      ),
      (
        ["doubles"],
        "'doubles' needs --symbol-graph, a file or a directory. See 'understudy-tool help doubles'."
      ),
      (["help", "x"], "There is no command 'x'. See 'understudy-tool help'."),
    ] as [([String], String)])
  func `invalid arguments are reported in one line`(arguments: [String], message: String) {
    var errors: [String] = []
    let status = withErrors(&errors, arguments)
    #expect(status == 2)
    #expect(errors == ["error: \(message)"])
  }

  @Test(arguments: [["doubels"], ["help", "doubels"]])
  func `the plugin's users are told the plugin's help`(arguments: [String]) {
    let run = Run(arguments + [Tool.pluginMark])
    #expect(run.errors.first?.hasSuffix("See 'swift package understudy help'.") == true)
    #expect(Run(["help", "wire", Tool.pluginMark]).lines == Run("help", "wire").lines)
  }

  @Test(arguments: ["doubles", "wire", "validate", "graph", "version", "upgrade", "help"])
  func `every command has help`(command: String) {
    let help = Run("help", command)
    #expect(help.status == 0)
    #expect(help.lines.first?.hasPrefix("understudy-tool \(command)") == true)
    #expect(Run(command, "--help").lines == help.lines)
    #expect(Run("version").lines == ["understudy-tool \(ToolVersion.text)"])
  }

  @Test func `the version is the newest one in the changelog`() throws {
    let root = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
    let changelog = try String(
      contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.split(separator: " ")[1] == ToolVersion.text)
  }

  @Test(arguments: ["Doubles", "Doubles.swift", "-"], [[], ["--check"]])
  func `a named protocol that is refused is a failure`(output: String, flags: [String]) throws {
    let folder = try Folder()
    let path = output == "-" ? "-" : "\(folder.path)/\(output)"
    let arguments = [
      "doubles", "--symbol-graph", shop, "--protocol", "Cellar", "--protocol", "Odd", "--output",
      path,
    ]
    let refusal =
      "/Shop.swift:29:17: error: No double for 'Shop.Odd': it inherits from Swift.StringProtocol"
    for _ in 1...2 {
      let run = Run(arguments)
      #expect(run.errors.first?.hasPrefix(refusal) == true)
      #expect(run.status == 1)
    }
    #expect(Run(arguments + flags).status != 0)
  }

  @Test func `a refused protocol that a pattern chooses is a warning with its place`() throws {
    let run = Run("doubles", "--symbol-graph", shop, "--protocol", "*i*d*", "--output", "-")
    #expect(
      run.errors.first == "/Shop.swift:30:18: warning: No double for 'Shop.Hidden': it is private.")
    #expect(run.status == 0)
  }

  @Test func `a protocol that a module only exports gets no double`() throws {
    let folder = try Folder()
    func symbol(_ name: String, of module: String) -> String {
      """
      {
        "kind": {"identifier": "swift.protocol"}, "pathComponents": ["\(name)"],
        "identifier": {"precise": "s:\(module.count)\(module)\(name.count)\(name)P"},
        "accessLevel": "public",
        "declarationFragments": [
          {"kind": "keyword", "spelling": "protocol"}, {"kind": "text", "spelling": " "},
          {"kind": "identifier", "spelling": "\(name)"}
        ]
      }
      """
    }
    try folder.write(
      """
      {
        "metadata": {"formatVersion": {"major": 0, "minor": 6, "patch": 0}},
        "module": {"name": "Kit"}, "relationships": [],
        "symbols": [\(symbol("Tool", of: "Kit")), \(symbol("LocalizedError", of: "Foundation"))]
      }
      """, to: "Kit.symbols.json")
    let run = Run(
      "doubles", "--symbol-graph", "\(folder.path)/Kit.symbols.json", "--protocol", "*", "--output",
      "\(folder.path)/out")
    #expect(run.errors == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out")
        == ["ToolDouble.swift"])
  }

  @Test func `all doubles go to one file, which a check compares`() throws {
    let folder = try Folder()
    let path = "\(folder.path)/Doubles.swift"
    let arguments = ["doubles", "--symbol-graph", shop, "--output", path]
    let missing = Run(arguments + ["--check"])
    #expect(missing.errors == ["error: '\(path)' is missing: generate it."])
    #expect(missing.status == 1)
    let first = Run(arguments)
    #expect(first.lines.last == "1 written, 0 unchanged, \(path)")
    #expect(first.status == 0)
    #expect(try folder.text("Doubles.swift").contains("class CellarDouble"))
    #expect(Run(arguments).lines.last == "0 written, 1 unchanged, \(path)")
    let checked = Run(arguments + ["--check"])
    #expect(checked.errors == [])
    #expect(checked.status == 0)
  }

  @Test(arguments: [["--check"], []])
  func `without a place for the doubles nothing is made`(more: [String]) {
    let run = Run(["doubles", "--symbol-graph", shop] + more)
    #expect(run.status != 0)
    #expect(run.lines == [])
    #expect(
      run.errors.first?.hasPrefix("error: 'doubles' needs --output, a directory.") == true)
  }

  @Test func `an explanation needs no place`() {
    #expect(Run(["doubles", "--symbol-graph", shop, "--explain"]).status == 0)
  }

  @Test func `upgrade says how to upgrade`() {
    let run = Run("upgrade")
    #expect(run.status == 0)
    #expect(run.lines.joined().contains("swift package update"))
  }

  @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
  func `help names every command`(arguments: [String]) {
    let run = Run(arguments)
    #expect(run.status == 0)
    let words = run.lines.joined(separator: "\n").split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(Set(HelpText.commands).isSubset(of: words))
  }

  private func fileNumbers(in directory: String) throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
      return try #require(attributes[.systemFileNumber] as? Int)
    }
  }

  @Test(arguments: ["wire", "validate", "graph"])
  func `the tool for doubles names the tool that wires`(command: String) {
    final class Lines { var all: [String] = [] }
    let lines = Lines()
    let tool = Tool(library: nil, write: { _ in }, writeError: { lines.all.append($0) })
    #expect(tool.run([command, "--symbol-graph", shop]) == 1)
    #expect(
      lines.all == [
        "error: This program only writes doubles. 'understudy-tool \(command)' has the command."
      ])
    #expect(tool.run(["doubles", "--symbol-graph", shop, "--explain"]) == 0)
  }

  private func withErrors(_ errors: inout [String], _ arguments: [String]) -> Int32 {
    final class Lines { var all: [String] = [] }
    let lines = Lines()
    let tool = Tool(write: { _ in }, writeError: { lines.all.append($0) })
    let status = tool.run(arguments)
    errors = lines.all
    return status
  }
}
