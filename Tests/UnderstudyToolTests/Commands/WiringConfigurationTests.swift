// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct WiringConfigurationTests {
  private let mill = Fixtures.graph("Mill")

  @Test func `a configuration is read`() throws {
    let text = """
      {"target": "Shop", "config": {"Shop": {
        "output": "Shop.swift", "className": "Wires", "accessControl": "public", "imports": "A",
        "include": ["Sources"], "exclude": ["Sources/Old"], "lifecycle": "cached",
        "provided": ["Settings"], "resolve": {"output": "Shop.json"},
        "dependencies": [{"path": "Post.json", "import": "Post", "imports": ["Mail"]}]}}}
      """
    let configuration = try WiringConfiguration(Data(text.utf8), path: "understudy.json")
    var target = WiringConfiguration.Target()
    target.output = "Shop.swift"
    target.name = "Wires"
    target.access = "public"
    target.imports = ["A"]
    target.include = ["Sources"]
    target.exclude = ["Sources/Old"]
    target.lifecycle = .cached
    target.provided = ["Settings"]
    target.resolvedOutput = "Shop.json"
    target.dependencies = [
      WiringConfiguration.Dependency(path: "Post.json", imports: ["Post", "Mail"])
    ]
    #expect(configuration.active == ["Shop"])
    #expect(configuration.targets == ["Shop": target])
  }

  @Test(
    arguments: [
      ("{", "is not JSON."),
      (
        "{\"config\": {\"Shop\": {\"output\": \"a\",\n\"output\": \"b\"}}}",
        "has the key 'output' twice, again in line 2."
      ),
      ("[]", "does not hold an object."),
      (#"{"targets": []}"#, "has the unknown key 'targets'. Did you mean 'target'?"),
      (
        #"{"config": {"Shop": {"outptu": "a"}}}"#,
        "has the unknown key 'config.Shop.outptu'. Did you mean 'output'?"
      ),
      (#"{"config": {"Shop": {"output": 1}}}"#, "has 'config.Shop.output', which is not a string."),
      (#"{"config": {"Shop": []}}"#, "has 'config.Shop', which is not an object."),
      (
        #"{"config": {"Shop": {"imports": [1]}}}"#,
        "has 'config.Shop.imports', which is neither a string nor a list of strings."
      ),
      (
        #"{"config": {"Shop": {"accessControl": "publik"}}}"#,
        "has 'config.Shop.accessControl', which is one of internal, package, public, "
          + "not 'publik'. Did you mean 'public'?"
      ),
      (
        #"{"config": {"Shop": {"scheme": "App"}}}"#,
        "has 'config.Shop.scheme', which only Xcode has: a target of SwiftPM has none."
      ),
      (
        #"{"config": {"Shop": {"dependencies": [{}]}}}"#,
        "has no 'config.Shop.dependencies[0].path'."
      ),
      (
        #"{"config": {"Shop": {"resolve": {"generate": 3.5}}}}"#,
        "has 'config.Shop.resolve.generate', which is neither true nor false."
      ),
    ])
  func `an invalid configuration is reported in one line`(text: String, problem: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "understudy.json")
    let path = "\(folder.path)/understudy.json"
    let run = Run(["validate", "--symbol-graph", mill, "--config", path])
    #expect(run.errors == ["error: The configuration '\(path)' \(problem)"])
    #expect(run.status == 1)
  }

  @Test func `each list of a target is read as what it is`() throws {
    let text = """
      {"config": {"Mill": {
        "imports": ["a"], "include": ["b"], "exclude": ["c"], "provided": ["d"],
        "properties": ["e"], "propertiesFrom": ["f"], "lifecycle": "once"
      }}}
      """
    let configuration = try WiringConfiguration(Data(text.utf8), path: "understudy.json")
    let target = try #require(configuration.targets["Mill"])
    #expect(target.imports == ["a"])
    #expect(target.include == ["b"])
    #expect(target.exclude == ["c"])
    #expect(target.provided == ["d"])
    #expect(target.properties == ["e"])
    #expect(target.propertyCommands == ["f"])
    #expect(target.lifecycle == .once)
    #expect(configuration.active == ["Mill"])
  }

  @Test(.timeLimit(.minutes(20))) func `a large configuration is one short line`() throws {
    let folder = try Folder()
    let path = "\(folder.path)/understudy.json"
    func errors(_ text: String) throws -> [String] {
      try folder.write(text, to: "understudy.json")
      return Run(["validate", "--symbol-graph", mill, "--config", path]).errors
    }
    func key(_ count: Int) -> String { String(repeating: "k", count: count) }
    try #expect(
      errors("{\"\(key(1_000_000))\": 1}") == [
        "error: The configuration '\(path)' has the unknown key '\(key(300))…'."
      ])
    try #expect(
      errors("{\"\(key(2_000_000))\": 1}") == [
        "error: The configuration '\(path)' is larger than 1 MB."
      ])
  }

  @Test func `a missing configuration is reported in one line`() {
    let run = Run(["validate", "--symbol-graph", mill, "--config", "/nowhere.json"])
    #expect(run.errors == ["error: The configuration '/nowhere.json' is not there."])
  }

  @Test(
    arguments: [
      (nil, "Not found dependency resolved file on 'PATH'."),
      ("{}", "The file 'PATH' does not contain the results of a wiring."),
      (
        #"{"understudyWiring": 2}"#,
        "The file 'PATH' has version 2; this tool knows version 1."
      ),
      (
        #"{"understudyWiring": 1}"#, "The file 'PATH' does not contain the results of a wiring."
      ),
    ] as [(String?, String)])
  func `DE-47 unreadable results are reported in one line`(text: String?, message: String) throws {
    let folder = try Folder()
    let path = "\(folder.path)/Post.json"
    if let text { try folder.write(text, to: "Post.json") }
    let run = Run(["validate", "--symbol-graph", mill, "--resolved", path])
    #expect(run.errors == ["error: \(message.replacing("PATH", with: path))"])
    #expect(run.status == 1)
  }

  @Test(
    arguments: [
      ("my-app", "My_app"), ("Shop", "Shop"), ("7up", "_7up"), ("über", "Über"), ("a b", "A_b"),
    ])
  func `DE-45 a name becomes the name of a type`(name: String, type: String) {
    #expect(Wiring.typeName(name) == type)
  }

  @Test func `folders are excluded`() throws {
    let folder = try Folder()
    let text = #"{"config": {"Mill": {"exclude": ["/Mill.swift"]}}}"#
    try folder.write(text, to: "understudy.json")
    let run = Run([
      "validate", "--symbol-graph", mill, "--config", "\(folder.path)/understudy.json",
    ])
    #expect(
      run.errors == [
        "error: No declaration of 'Mill' says '- Understudy: component' in its documentation comment."
      ])
  }

  @Test(
    arguments: [("include", true), ("exclude", false)],
    ["Sources/Mill", "./Sources/Mill/", "Sources/./Mill", "Sources/Other/../Mill"])
  func `folders are relative to the package`(key: (name: String, isRead: Bool), path: String) throws
  {
    let folder = try Folder()
    let package = FileManager.default.currentDirectoryPath
    let graph = try Fixtures.text("Graphs/Mill.symbols.json")
      .replacing("file:///Mill.swift", with: "file://\(package)/Sources/Mill/Mill.swift")
    try folder.write(graph, to: "Mill.symbols.json")
    try folder.write(
      #"{"config": {"Mill": {"\#(key.name)": ["\#(path)"]}}}"#, to: "understudy.json")
    let run = Run([
      "validate", "--symbol-graph", "\(folder.path)/Mill.symbols.json",
      "--config", "\(folder.path)/understudy.json",
    ])
    let error =
      "error: No declaration of 'Mill' says '- Understudy: component' in its documentation comment."
    #expect(run.errors == (key.isRead ? [] : [error]))
    #expect(run.lines.last == (key.isRead ? "Validate success." : nil))
  }

  /// An eager factory would need a payload when the assembly is loaded.
  @Test func `a factory has no lifecycle, whatever the default is`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/Wiring.swift"
    let run = Run(["wire", "--symbol-graph", mill, "--lifecycle", "eager", "--output", output])
    #expect(run.errors == [])
    let text = try folder.text("Wiring.swift")
    #expect(text.contains("registrar.eager.register(lifecycle: .cached) { River() }"))
    #expect(
      text.contains(
        "registrar.needing([AnyKey(type: (any Grinder).self)]).register { (r: Resolver, payload"))
    try folder.write(#"{"config": {"Mill": {"lifecycle": "once"}}}"#, to: "understudy.json")
    let graph = Run([
      "graph", "--symbol-graph", mill, "--config", "\(folder.path)/understudy.json",
      "--format", "text",
    ])
    #expect(graph.lines.joined().contains("River  once\n"))
    #expect(graph.lines.joined().contains("Bag  notCached\n"))
  }

  @Test func `two modules with one output are an error, and nothing is written`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/Wiring.swift"
    let run = Run([
      "wire", "--symbol-graph", mill, "--module", "Mill", "--module", "Mill", "--output", output,
    ])
    #expect(
      run.errors == [
        "error: The output of 'Mill' and 'Mill' would be the same file '\(output)'."
          + " Give each target an output of its own in the configuration."
      ])
    #expect(folder.names == [])
  }

  @Test(arguments: ["mermaid", "dot", "json", "html", "text"])
  func `a graph replaces a graph, and no other file`(format: String) throws {
    let folder = try Folder()
    let output = "\(folder.path)/graph"
    let words = ["graph", "--symbol-graph", mill, "--output", output, "--format"]
    for other in [format, "mermaid", format] {
      let run = Run(words + [other])
      #expect(run.errors == [])
      #expect(run.lines == ["Generate file: \(output)"])
    }
    for text in ["let notes = 1\n", "{\"name\": \"package\"}"] {
      try folder.write(text, to: "graph")
      let run = Run(words + [format])
      #expect(
        run.errors == [
          "error: The file '\(output)' was not written by this tool, so nothing was written."
            + " Use --force to replace it."
        ])
      #expect(try folder.text("graph") == text)
    }
    #expect(Run(words + [format, "--force"]).status == 0)
  }

  @Test func `DE-47 the results for other modules replace no other file`() throws {
    let folder = try Folder()
    let words = [
      "wire", "--symbol-graph", mill, "--output", "\(folder.path)/Wiring.swift",
      "--resolved-output", "\(folder.path)/Package.resolved",
    ]
    try folder.write(#"{"version": 3}"#, to: "Package.resolved")
    #expect(Run(words).errors.first?.contains("was not written by this tool") == true)
    #expect(folder.names == ["Package.resolved"])
    // A file of another version is the tool's.
    try folder.write(#"{"understudyWiring": 7}"#, to: "Package.resolved")
    #expect(Run(words).status == 0)
    #expect(try folder.text("Package.resolved").contains("\"understudyWiring\" : 1"))
  }

  @Test(
    arguments: [
      (#""output": "A/Wires.swift""#, "Wires"), (#""output": "A""#, "MillWiring"),
      (#""output": "A/Wires.swift", "className": "Other""#, "Other"),
    ])
  func `DE-45 a printed assembly has the name of the written one`(section: String, name: String)
    throws
  {
    let folder = try Folder()
    try folder.write("{\"config\": {\"Mill\": {\(section)}}}", to: "understudy.json")
    let run = Run(
      "wire", "--symbol-graph", mill, "--output", "-", "--config", "\(folder.path)/understudy.json")
    #expect(run.errors == ["Mill: 5 components"])
    #expect(run.lines.joined().contains("struct \(name): Assembly {"))
  }

  @Test func `a module without a section in the configuration is told`() throws {
    let folder = try Folder()
    try folder.write(#"{"target": "Mill", "config": {"Mil": {}}}"#, to: "understudy.json")
    let run = Run([
      "validate", "--symbol-graph", mill, "--config", "\(folder.path)/understudy.json",
    ])
    #expect(run.errors == ["warning: The configuration has no section for 'Mill'."])
    #expect(run.status == 0)
  }

  @Test func `a module with two sections is an error`() throws {
    let house = try House()
    house.modules = []
    try house.add("Mill")
    house.modules[0].target = "my-mill"
    let path = "\(house.folder.path)/understudy.json"
    try house.folder.write(#"{"config": {"my-mill": {}, "Mill": {}}}"#, to: "understudy.json")
    #expect(
      try house.run("wire", "--config", path).errors == [
        "error: The configuration has two sections for 'Mill': by its target and by its module."
      ])
  }

  @Test func `a graph of nothing is replaced, too`() throws {
    let folder = try Folder()
    let output = "\(folder.path)/graph"
    try folder.write("Nothing is registered.\n", to: "graph")
    #expect(Run("graph", "--symbol-graph", mill, "--output", output).errors == [])
  }

  @Test func `a section may have the name of the target`() throws {
    let house = try House()
    house.modules = []
    try house.add("Mill")
    house.modules[0].target = "my-mill"
    let path = "\(house.folder.path)/understudy.json"
    let output = "\(house.folder.path)/Wiring.swift"
    try house.folder.write(
      #"{"target": "my-mill", "config": {"my-mill": {"output": "\#(output)"}}}"#,
      to: "understudy.json")
    let run = try house.run("wire", "--config", path)
    #expect(run.errors == [])
    #expect(run.lines.last == "Generate file: \(output)")
  }

  private func run(_ availability: String) throws -> (Run, String?) {
    let folder = try Folder()
    let old = #""accessLevel": "internal""#
    let graph = try Fixtures.text("Graphs/Mill.symbols.json")
    try #require(graph.contains(old))
    try folder.write(
      graph.replacing(old, with: "\(old), \"availability\": [\(availability)]"),
      to: "Mill.symbols.json")
    let output = "\(folder.path)/Wiring.swift"
    let run = Run(["wire", "--symbol-graph", folder.path, "--output", output])
    return (run, try? folder.text("Wiring.swift"))
  }

  @Test func `what needs newer systems is registered on these`() throws {
    let (run, text) = try run(
      """
      {"domain": "macOS", "introduced": {"major": 15, "minor": 0}},
      {"domain": "iOS", "introduced": {"major": 18}},
      {"domain": "macOS", "introduced": {"major": 15, "minor": 4, "patch": 1}},
      {"domain": "watchOS", "isUnconditionallyUnavailable": true},
      {"domain": "iOSApplicationExtension", "isUnconditionallyUnavailable": true}
      """)
    #expect(run.errors == [])
    #expect(
      try #require(text).contains(
        """
            #if !os(watchOS)
            if #available(macOS 15.4.1, iOS 18.0, *) {
              registrar.alias(
                registrar.register { River() },
                as: (any Source).self)
            }
            #endif
        """))
  }

  @Test(arguments: ["", #""domain": "*", "#])
  func `what is unavailable cannot be registered`(domain: String) throws {
    let availability = "{\(domain)\"isUnconditionallyUnavailable\": true}"
    let (run, text) = try run(availability)
    #expect(
      run.errors.contains {
        $0.hasSuffix("error: `River` is unavailable and cannot be registered.")
      }, "\(run.errors)")
    #expect(text == nil)
  }
}
