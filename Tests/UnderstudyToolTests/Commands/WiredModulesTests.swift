// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// The modules of a run: their choice, their order, and the sources of each.
@Suite struct WiredModulesTests {
  private let folder: Folder
  private var configuration: String { "\(folder.path)/understudy.json" }

  init() throws { folder = try Folder() }

  @Test(arguments: [["Dock", "Mill"], ["Dock"]])
  func `a named module is used though the configuration does not list it`(names: [String]) throws {
    try folder.write(#"{"config": {"Mill": {}}}"#, to: "understudy.json")
    let run = Run(
      ["validate", "--config", configuration]
        + ["Mill", "Dock"].flatMap { ["--symbol-graph", Fixtures.graph($0)] }
        + names.flatMap { ["--module", $0] })
    #expect(run.errors == ["warning: The configuration has no section for 'Dock'."])
    #expect(run.lines.dropLast().map { $0.prefix { $0 != ":" } } == names.map { $0[...] })
    #expect(run.status == 0)
  }

  private func wireTwo(_ target: String, output: String, path: String) throws -> Run {
    // Only one of the components is left, so it needs no name.
    try folder.write(
      Fixtures.text("Graphs/Vault.symbols.json")
        .replacing("- Understudy: component named memory", with: "A storage."),
      to: "Vault.symbols.json")
    try folder.write(
      """
      {"target": \(target), "config": {
        "Vault": {"output": "\(folder.path)/Vault.swift", "accessControl": "public",
          "resolve": {"output": "\(folder.path)/\(output)"}},
        "Teller": {"output": "\(folder.path)/Teller.swift",
          "dependencies": [{"path": "\(folder.path)/\(path)"}]}}}
      """, to: "understudy.json")
    return Run(
      "wire", "--config", configuration, "--symbol-graph", "\(folder.path)/Vault.symbols.json",
      "--symbol-graph", Fixtures.graph("Teller"))
  }

  @Test(
    arguments: ["[]", #"["Teller", "Vault"]"#, #"["Vault", "Teller"]"#],
    [
      ("Vault.json", "Vault.json"), ("./Vault.json", "Vault.json"),
      ("Vault.json", "a/../Vault.json"),
    ])
  func `DE-47 DE-48 a module is wired after those whose results it reads`(
    target: String, paths: (output: String, path: String)
  ) throws {
    let run = try wireTwo(target, output: paths.output, path: paths.path)
    #expect(run.errors == [])
    #expect(
      run.lines.prefix(2) == ["Vault: 3 components", "Teller: 1 component, 3 of other modules"])
    #expect(run.status == 0)
  }

  @Test func `modules that read each other's results are an error`() throws {
    _ = try wireTwo("[]", output: "Vault.json", path: "Vault.json")
    try FileManager.default.removeItem(atPath: "\(folder.path)/Vault.json")
    func section(_ own: String, _ other: String) -> String {
      """
      "\(own)": {"output": "\(folder.path)/\(own).swift",
        "resolve": {"output": "\(folder.path)/\(own).json"},
        "dependencies": [{"path": "\(folder.path)/\(other).json"}]}
      """
    }
    try folder.write(
      "{\"config\": {\(section("Vault", "Teller")), \(section("Teller", "Vault"))}}",
      to: "understudy.json")
    let run = Run(
      "wire", "--config", configuration, "--symbol-graph", "\(folder.path)/Vault.symbols.json",
      "--symbol-graph", Fixtures.graph("Teller"))
    #expect(
      run.errors == ["error: Not found dependency resolved file on '\(folder.path)/Vault.json'."])
  }

  @Test(
    arguments: [
      ("include", "Sources/Mill/Mil.swift"), ("include", "Sources/Mil"), ("exclude", "Old"),
      ("exclude", "Sources/Mill/Mill"),
    ])
  func `a path without a source of the module is an error`(key: String, path: String) throws {
    let package = FileManager.default.currentDirectoryPath
    let graph = try Fixtures.text("Graphs/Mill.symbols.json")
      .replacing("file:///Mill.swift", with: "file://\(package)/Sources/Mill/Mill.swift")
    try folder.write(graph, to: "Mill.symbols.json")
    try folder.write(
      #"{"config": {"Mill": {"\#(key)": ["Sources/Mill", "\#(path)"]}}}"#, to: "understudy.json")
    let run = Run(
      "validate", "--symbol-graph", "\(folder.path)/Mill.symbols.json", "--config", configuration)
    #expect(
      run.errors == [
        "error: The configuration has '\(path)' in '\(key)', and 'Mill' has no source there."
      ])
    #expect(run.status == 1)
  }

  // MARK: Sources without a declaration that the graph has a place for

  private func house(_ text: String, in name: String) throws -> House {
    let house = try House()
    house.modules = []
    try house.add("Mill")
    house.modules[0].files += ["\(house.sources)/\(name)", "\(house.folder.path)/Package.swift"]
    try house.write(text, to: "Sources/\(name)", age: 60)
    try house.write(
      "/// - Understudy: component\nprivate struct A {}", to: "Package.swift", age: 60)
    try house.age("Sources", 60)
    return house
  }

  @Test func `a private component alone in its file is an error`() throws {
    let house = try house(
      "/// - Understudy: component\nprivate struct Sluice {}\n", in: "Sluice.swift")
    #expect(
      try house.run("validate").errors == [
        "\(house.sources)/Sluice.swift:2:16: error: `Sluice` is private and cannot be registered."
      ])
    let path = "\(house.folder.path)/understudy.json"
    try house.folder.write(
      #"{"config": {"Mill": {"exclude": ["\#(house.sources)/Sluice.swift"]}}}"#,
      to: "understudy.json")
    #expect(try house.run("validate", "--config", path).errors == [])
  }

  @Test func `a source that the list names by a symbolic link is read once`() throws {
    let house = try house("", in: "main.swift")
    try FileManager.default.createSymbolicLink(
      atPath: "\(house.folder.path)/Link", withDestinationPath: house.sources)
    house.modules[0].files.append("\(house.folder.path)/Link/Mill.swift")
    try house.write(
      "print(settings.property(\"river.level\", as: Int.self))\n", to: "Sources/Mill.swift", age: 60
    )
    try house.age("Sources", 60)
    try house.folder.write(#"{"river": {"level": 3}}"#, to: "a.json")
    let run = try house.run("validate", "--properties", "\(house.folder.path)/a.json")
    #expect(run.errors == [])
    #expect(run.lines.first == "Mill: 1 place reads properties")
  }

  @Test func `a source with nothing but statements is read for its properties`() throws {
    let house = try house(
      "print(settings.property(\"river.level\", as: Int.self))\n", in: "main.swift")
    try house.folder.write(#"{"river": {"level": 3}}"#, to: "a.json")
    let run = try house.run("validate", "--properties", "\(house.folder.path)/a.json")
    #expect(run.errors == [])
    #expect(run.lines.first == "Mill: 1 place reads properties")
  }

  @Test func `a private protocol alone in its file is an error`() throws {
    let house = try House()
    house.modules = []
    try house.add("Shop")
    house.modules[0].files.append("\(house.sources)/Mail.swift")
    try house.write(
      "/// - Understudy: double\nprivate protocol Mail {}\n", to: "Sources/Mail.swift", age: 60)
    try house.age("Sources", 60)
    house.tests = [.init(name: "ShopTests", directory: "Tests", dependencies: ["Shop"])]
    let run = try house.run("doubles")
    #expect(
      run.errors == [
        "\(house.sources)/Mail.swift:2:18: error: `Mail` is private and gets no double."
      ])
    #expect(run.status == 1)
  }

  @Test func `a component of another module has the condition of its type`() throws {
    let index = GraphIndex(try Fixtures.read("Forge"))
    let newer = try #require(index.protocols.first { index.name(of: $0) == "Newer" })
    let module = ResolvedModule(
      module: "Forge", assembly: nil,
      components: [
        Component(
          type: WiredType(usr: newer, index), maker: .initializer, module: "Forge", place: nil)
      ])
    let systems = module.foreignComponents(index).map { AvailabilityText.systems($0.availability) }
    #expect(systems == ["macOS 15.0, *"])
  }
}
