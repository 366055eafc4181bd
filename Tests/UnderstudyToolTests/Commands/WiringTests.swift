// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct WiringTests {
  private let mill = Fixtures.graph("Mill")
  private let wrong = Fixtures.graph("Wrong")

  @Test func `the graph does not say for which types a generic component implements a protocol`()
    throws
  {
    let run = Run("validate", "--symbol-graph", Fixtures.graph("Library"))
    #expect(run.status == 1)
    #expect(
      run.errors.first == """
        /Library.swift:16:10: error: Not found implementation on `Shelf<Book>`. (Reader -> Shelf<Book>) \
        `BookShelf` is a `Shelf`, and no symbol graph contains its arguments: declare a static function that returns \
        `any Shelf<Book>` as the component.
        """)
  }

  @Test func `an asynchronous block resolves values that are not Sendable before it waits`() throws
  {
    let folder = try Folder()
    let output = "\(folder.path)/dock.swift"
    let run = Run("wire", "--symbol-graph", Fixtures.graph("Dock"), "--output", output)
    #expect(run.errors == [])
    #expect(try folder.text("dock.swift") == Fixtures.text("Snapshots/dock.swift.txt"))
  }

  /// This graph is from the extractor, as most are. It does not contain the places of internal
  /// initialisers.
  @Test func `extensions, conditions and global actors are read`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/Quay.swift"
    let results = "\(folder.path)/Quay.json"
    let run = Run(
      "wire", "--symbol-graph", Fixtures.graph("Quay"), "--output", output, "--resolved-output",
      results)
    #expect(run.errors == [])
    let text = try folder.text("Quay.swift")
    #expect(text.contains("registrar.register(autowiring: Berth.init(crane:))\n"))
    // A conditional conformance does not hold for a crate of berths.
    #expect(text.contains("    registrar.register { Hold.odd() }\n"))
    #expect(text.contains("registrar.register { Hold.full() },\n      as: (any Cargo).self)"))
    #expect(text.contains("registrar.register { () async in\n      await Pilot()"))
    // Creating a tug must wait as well, though its initialiser does not say so.
    let slow = try ResolvedModule(contentsOf: results).components.filter(\.isAsync).map(\.type)
    #expect(slow == ["Pilot", "Tug"])
  }

  @Test func `an asynchronous component of another module makes its dependents asynchronous`()
    throws
  {
    let folder = try Folder()
    let results = "\(folder.path)/Quay.json"
    let quay = Fixtures.graph("Quay")
    try #require(
      Run("wire", "--symbol-graph", quay, "--output", folder.path, "--resolved-output", results)
        .status == 0)
    let tug = try #require(
      ResolvedModule(contentsOf: results).foreignComponents(GraphIndex([]))
        .first { $0.type.text == "Tug" })
    func need(_ kind: NeedKind) -> Component.Need {
      Component.Need(
        label: "tug", type: tug.type, kind: kind, isRequired: true, hasDefault: false,
        whole: tug.type)
    }
    var basin = Component(
      type: WiredType(text: "Basin", usr: "s:5Basin"), maker: .initializer, module: "Dock",
      place: nil)
    basin.isSendable = true
    basin.needs = [need(.one)]
    func plan(_ components: [Component]) -> WiringPlan {
      WiringPlanner.plan(components, module: "Dock", GraphIndex([])) { _ in false }
    }
    #expect(plan([basin, tug]).own.map(\.isAsync) == [true])
    // A cached component can be provided, and one that is created for each request cannot.
    basin.needs = [need(.deferred)]
    #expect(plan([basin, tug]).diagnostics == [])
    var other = tug
    other.lifecycle = .notCached
    #expect(plan([basin, other]).diagnostics.map(\.message).count == 1)
  }

  @Test func `a value that is not Sendable cannot be awaited`() {
    let run = Run("validate", "--symbol-graph", Fixtures.graph("Reef"))
    #expect(
      run.errors == [
        "/Reef.swift:4:49: error: `Letter` is made asynchronously, and `any Mailer` is not `Sendable`."
          + " (Pier -> Mailer)",
        "/Reef.swift:6:56: error: `Screen` is made on the main actor, and `any Viewing` is not `Sendable`."
          + " (Pier -> Viewing)",
      ])
  }

  @Test func `one of several components has no alias for a value that cannot be awaited`() throws {
    let index = GraphIndex(try Fixtures.read("Reef"))
    let mailer = try #require(index.protocols.first { index.name(of: $0) == "Mailer" })
    let components = ["Fast", "Slow"].map { name in
      var component = Component(
        type: WiredType(text: name, usr: "s:\(name)"), maker: .initializer, module: "Reef",
        place: nil)
      component.isAsync = name == "Slow"
      component.ancestors = [mailer]
      return component
    }
    let plan = WiringPlanner.plan(components, module: "Reef", index) { _ in false }
    #expect(plan.own.map { $0.aliases.map(\.container) } == [["Fast"], []])
  }

  @Test func `DE-44 an assembly equals the committed one, and a second run writes nothing`() throws
  {
    let folder = try Folder()
    let output = "\(folder.path)/New/my-mill.swift"
    let results = "\(folder.path)/Mill.resolved.json"
    func run(_ more: String...) -> Run {
      Run(
        ["wire", "--symbol-graph", mill, "--output", output, "--access", "public"]
          + ["--resolved-output", results] + more)
    }
    #expect(
      run().lines == [
        "Mill: 5 components", "Generate file: \(output)", "Generate file: \(results)",
      ])
    #expect(try folder.text("New/my-mill.swift") == Fixtures.text("Snapshots/my-mill.swift.txt"))
    #expect(
      try folder.text("Mill.resolved.json") == Fixtures.text("Snapshots/Mill.resolved.json.txt"))
    #expect(run().lines == ["Mill: 5 components"])
    #expect(run("--check").status == 0)
  }

  @Test func `check reports missing files and writes nothing`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/Mill.swift"
    let run = Run(["wire", "--symbol-graph", mill, "--output", output, "--check"])
    #expect(run.status == 1)
    #expect(run.errors == ["error: '\(output)' is missing: generate it."])
    #expect(folder.names == [])
  }

  @Test func `an edited assembly stays unless forced`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/Mill.swift"
    try folder.write("// mine\n", to: "Mill.swift")
    let arguments = ["wire", "--symbol-graph", mill, "--output", output]
    #expect(
      Run(arguments).errors == ["error: \(ToolError.notGenerated(path: output).message)"])
    #expect(try folder.text("Mill.swift") == "// mine\n")
    #expect(Run(arguments + ["--force"]).status == 0)
  }

  @Test(arguments: ["wire", "validate", "graph"])
  func `DE-42 all mistakes are reported at once, and nothing is written`(command: String)
    throws
  {
    let folder = try Folder()
    var arguments = [command, "--symbol-graph", wrong]
    if command != "validate" { arguments += ["--output", "\(folder.path)/Wrong.swift"] }
    let run = Run(arguments)
    #expect(run.status == 1)
    #expect(run.errors.joined(separator: "\n") + "\n" == (try Fixtures.text("Snapshots/Wrong.txt")))
    #expect(run.lines == [])
    #expect(folder.names == [])
  }

  @Test func `a correct module validates`() {
    let run = Run(["validate", "--symbol-graph", mill])
    #expect(run.lines == ["Mill: 5 components", "Validate success."])
    #expect(run.status == 0)
  }

  @Test(arguments: ["mermaid", "dot", "json", "text"])
  func `the graph is drawn`(format: String) throws {
    let run = Run(["graph", "--symbol-graph", mill, "--format", format])
    #expect(
      run.lines.joined(separator: "\n") + "\n"
        == (try Fixtures.text("Snapshots/Mill.\(format).txt")))
  }

  @Test func `the JSON of two modules is one document`() throws {
    let dock = Fixtures.graph("Dock")
    let run = Run(["graph", "--symbol-graph", mill, "--symbol-graph", dock, "--format", "json"])
    let text = run.lines.joined(separator: "\n")
    let tree = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(tree?.keys.sorted() == ["Dock", "Mill"])
    #expect((tree?["Mill"] as? [String: Any])?.keys.contains("nodes") == true)
  }

  @Test(arguments: [[], ["--output", "-"], ["--output", "/nowhere/graph.html"]])
  func `a page draws one module`(output: [String]) {
    let run = Run(
      ["graph", "--symbol-graph", mill, "--symbol-graph", Fixtures.graph("Dock")]
        + ["--format", "html"] + output)
    #expect(
      run.errors == [
        "error: '--format html' draws one module; choose it with --module."
          + " See 'understudy-tool help graph'."
      ])
    #expect(run.lines == [])
    #expect(run.status == 2)
  }

  @Test func `without named modules, the wired ones are used`() {
    let run = Run(["validate", "--symbol-graph", mill, "--symbol-graph", Fixtures.graph("Depot")])
    #expect(run.lines == ["Mill: 5 components", "Validate success."])
    #expect(run.errors == [])
  }

  @Test func `the page is one file that needs no other`() throws {
    let folder = try Folder()
    let path = "\(folder.path)/graph.html"
    let run = Run(["graph", "--symbol-graph", mill, "--format", "html", "--output", path])
    #expect(run.lines == ["Generate file: \(path)"])
    let page = try folder.text("graph.html")
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("<h1>Mill</h1>"))
    #expect(page.contains("HandMill(qualifier: spare)"))
    #expect(!page.contains("src="))
  }

  @Test func `a module without components is an error`() {
    let run = Run(["validate", "--symbol-graph", Fixtures.graph("Depot")])
    #expect(
      run.errors == [
        "error: No declaration of 'Depot' says '- Understudy: component' in its documentation comment."
      ])
    #expect(run.status == 1)
  }

  @Test func `a cycle without a cached component is an error`() {
    let run = Run(["validate", "--symbol-graph", Fixtures.graph("Ring")])
    #expect(
      run.errors == [
        "/Ring.swift:7:56: error: The circular dependency exists, and `Clerk`, which closes it, is "
          + "not cached. (Clerk -> Manager -> Clerk)",
        "/Ring.swift:13:55: error: The circular dependency exists, and none of it is cached. "
          + "(Left -> Right -> Left)",
      ])
    #expect(run.status == 1)
  }

  @Test func `a default lifecycle of cached allows a cycle, and typed errors need a block`()
    throws
  {
    let folder = try Folder()
    try folder.write(#"{"config": {"Ring": {"lifecycle": "cached"}}}"#, to: "u.json")
    let run = Run([
      "wire", "--symbol-graph", Fixtures.graph("Ring"), "--config", "\(folder.path)/u.json",
      "--output", "\(folder.path)/W.swift",
    ])
    #expect(run.errors == [])
    let text = try folder.text("W.swift")
    #expect(text.contains("      try Press(r.resolve(Sheet.self))\n"))
    #expect(!text.contains("Press.init"))
    #expect(text.contains("register(autowiring: Manager.init(clerk:), lifecycle: .cached)"))
  }

  /// The library shares a cached value between threads, so such wiring would not compile.
  @Test func `a default lifecycle of cached needs a type that is Sendable`() throws {
    let folder = try Folder()
    let run = Run([
      "wire", "--symbol-graph", Fixtures.graph("Teller"), "--lifecycle", "cached", "--output",
      "\(folder.path)/W.swift",
    ])
    #expect(
      run.errors.contains("/Teller.swift:4:31: error: `Teller` is cached and is not `Sendable`."))
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/W.swift"))
  }

  @Test func `an unknown module is an error`() {
    let run = Run(["validate", "--symbol-graph", mill, "--module", "Mil"])
    #expect(run.errors == ["error: No module is named 'Mil': the symbol graphs are of 'Mill'."])
  }

  @Test(
    arguments: [
      (["wire"], "'wire' needs --symbol-graph, a file or a directory."),
      (["wire", "--symbol-graph", "GRAPH"], "'wire' needs --output, a file or a directory."),
      (
        ["graph", "--symbol-graph", "GRAPH", "--format", "txt"],
        "'--format' is one of mermaid, dot, json, text, html, not 'txt'. Did you mean 'text'?"
      ),
      (
        ["graph", "--symbol-graph", "GRAPH", "--format", "svg"],
        "'--format' is one of mermaid, dot, json, text, html, not 'svg'."
      ),
      (
        ["wire", "--symbol-graph", "GRAPH", "--access", "open"],
        "'--access' is one of internal, package, public, not 'open'."
      ),
      (
        ["validate", "--symbol-graph", "GRAPH", "--chekc"],
        "'validate' has no option '--chekc'."
      ),
    ] as [([String], String)])
  func `invalid arguments are reported in one line`(arguments: [String], message: String) {
    let run = Run(arguments.map { $0 == "GRAPH" ? mill : $0 })
    #expect(run.status == 2)
    #expect(run.errors == ["error: \(message) See 'understudy-tool help \(arguments[0])'."])
  }

  @Test func `DE-46 an output outside the package is refused`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/Package", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/Package/Link", withDestinationPath: folder.path)
    let package = "\(folder.path)/Package"
    for output in ["\(package)/../Mill.swift", "\(package)/Link/Mill.swift"] {
      let run = Run([
        "wire", "--symbol-graph", mill, "--output", output, "--package", package,
      ])
      #expect(
        run.errors == ["error: The output '\(output)' is outside the package '\(package)'."])
      let doubles = Run([
        "doubles", "--symbol-graph", Fixtures.graph("Shop"), "--output", output, "--package",
        package,
      ])
      #expect(doubles.errors == run.errors)
      #expect(doubles.status == 1)
    }
    #expect(folder.names == ["Package"])
    let inside = Run([
      "wire", "--symbol-graph", mill, "--output", "\(package)/a/Mill.swift", "--package", package,
    ])
    #expect(inside.status == 0)
    // In a directory, the file has the name of the class.
    let directory = Run([
      "wire", "--symbol-graph", mill, "--output", "\(package)/a", "--package", package,
    ])
    #expect(directory.lines.last == "Generate file: \(package)/a/MillWiring.swift")
    #expect(FileManager.default.fileExists(atPath: "\(package)/a/MillWiring.swift"))
  }
}
