// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// A protocol `App.Mine`, and a module `Kit` of the toolchain with its parent `Device`.
@Suite struct ToolchainGraphsTests {
  @Test func `a toolchain's module is extracted once for each version of the toolchain`() throws {
    let folder = try Folder()
    try folder.write("one", to: "extract")
    let launches = Launches()
    func files() -> [SymbolGraphFile] {
      ToolchainGraphs(extractor: "\(folder.path)/extract", store: "\(folder.path)/store") {
        launches.launch($1, [Self.kit])
      }.files(for: [Self.app()], others: [])
    }
    #expect(files().map(\.graph.module.name) == ["Kit"])
    #expect(files().map(\.graph.module.name) == ["Kit"])
    #expect(launches.modules == ["Kit"])
    try folder.write("another one", to: "extract")
    #expect(files().map(\.graph.module.name) == ["Kit"])
    #expect(launches.modules == ["Kit", "Kit"])
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/store")
    #expect(names == ["Kit.toolchain.json"])
  }

  @Test func `a package's module, a recipe's and one without a graph are not read`() throws {
    let folder = try Folder()
    let launches = Launches()
    let graphs = ToolchainGraphs(extractor: "extract", store: "\(folder.path)/store") {
      launches.launch($1, [])
    }
    #expect(graphs.files(for: [Self.app()], others: ["Kit"]).isEmpty)
    #expect(graphs.files(for: [Self.app(inheriting: "s:SH")], others: []).isEmpty)
    #expect(graphs.files(for: [Self.app(inheriting: "s:8../../upP")], others: []).isEmpty)
    #expect(launches.modules.isEmpty)
    #expect(graphs.files(for: [Self.app()], others: []).map(\.failure?.reason) == ["status 1"])
    #expect(launches.modules == ["Kit"])
    #expect(
      try refusal([Self.app()])
        == "No double for 'App.Mine': it inherits from Kit.Device, whose symbol graph was not given."
    )
  }

  @Test func `a module that the toolchain does not have is not extracted`() throws {
    let folder = try Folder()
    try folder.write("", to: "real/usr/bin/extract")
    try folder.write("", to: "real/usr/lib/swift/linux/Swift.swiftmodule/x86_64.swiftmodule")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/extract", withDestinationPath: "\(folder.path)/real/usr/bin/extract")
    let launches = Launches()
    func failures() -> [SymbolGraphFile.Failure?] {
      ToolchainGraphs(extractor: "\(folder.path)/extract", store: "\(folder.path)/store") {
        launches.launch($1, [])
      }.files(for: [Self.app()], others: []).map(\.failure)
    }
    #expect(failures() == [])
    #expect(launches.modules == [])
    try folder.write("", to: "real/usr/lib/swift/linux/Kit.swiftmodule/x86_64.swiftmodule")
    #expect(failures().map(\.?.reason) == ["status 1"])
    #expect(launches.modules == ["Kit"])
  }

  /// An executable that fails as the extractor does.
  private func failing(_ folder: Folder) throws -> String {
    let path = "\(folder.path)/extract"
    try folder.write(
      "#!/bin/sh\necho \"No $2 here.\" >&2\necho 'a list' >&2\nexit 3\n", to: "extract")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func failures(_ extractor: String?) throws -> [SymbolGraphFile] {
    let folder = try Folder()
    return ToolchainGraphs(
      extractor: extractor, store: "\(folder.path)/store", launch: ProgramEnd.of
    ).files(for: [Self.app()], others: [])
  }

  @Test func `a refusal has the reason why the toolchain's module has no graph`() throws {
    let folder = try Folder()
    let failed = try failures(failing(folder))
    #expect(
      try refusal([Self.app()] + failed)
        == "No double for 'App.Mine': it inherits from Kit.Device, whose symbol graph was not given,"
        + " and cannot be extracted (status 3: No Kit here.)."
    )
    #expect(
      failed[0].failure?.command?.hasPrefix("\(folder.path)/extract -module-name Kit ") == true)
    #expect(
      try failures("\(folder.path)/none")[0].failure?.reason.hasPrefix("it cannot be run: ") == true
    )
    #expect(
      try failures(nil).map(\.failure) == [
        .init("the toolchain has no 'swift-symbolgraph-extract', and none is in PATH")
      ])
  }

  @Test func `a module of the toolchain without a graph is warned of once`() throws {
    let house = try House()
    try house.add("Fair")
    house.modules.removeAll { ["App", "Base", "C"].contains($0.id) }
    var launched = 0
    let run = try house.run("doubles", "--protocol", "Booth", "--protocol", "Loan", "--output", "-")
    {
      guard $1.contains("Hall") else { return house.launch($0, $1) }
      launched += 1
      return ProgramEnd(status: 4, errors: "No such module.\na list\n")
    }
    #expect(launched == 1)
    let warnings = run.errors.filter { $0.hasPrefix("warning: ") }
    #expect(warnings.count == 1)
    // The protocols are named, so their refusals are errors.
    #expect(run.errors.filter { $0.contains(": error: No double for 'Fair.") }.count == 2)
    #expect(
      warnings[0].hasPrefix(
        "warning: The symbol graph of 'Hall' cannot be extracted (status 4: No such module.). The"
          + " command is: extract -module-name Hall "))
  }

  @Test func `a requirement that the toolchain implements has no spy`() throws {
    #expect(try spies() == ["load()", "mine()", "save(_:)"])
  }

  @Test func `a default under a condition, for another overload or of another protocol has a spy`()
    throws
  {
    var conditional = Self.kit
    conditional.symbols[3].swiftExtension = .init(
      constraints: [.init(kind: "conformance", lhs: "Self", rhsPrecise: "s:SH")])
    #expect(try spies(conditional) == ["load()", "mine()", "save(_:)", "stop()"])
    var overload = Self.kit
    overload.symbols[3].declarationFragments = [.init(kind: "text", spelling: "func stop() -> Int")]
    #expect(try spies(overload) == ["load()", "mine()", "save(_:)", "stop()"])
    var other = Self.kit
    other.symbols[3].pathComponents = ["Other", "stop()"]
    #expect(try spies(other) == ["load()", "mine()", "save(_:)", "stop()"])
  }

  @Test func `a default with more effects than its requirement implements nothing`() throws {
    for text in ["func stop() throws", "@MainActor func stop()", "func stop() async"] {
      var weaker = Self.kit
      weaker.symbols[3].declarationFragments = [.init(kind: "text", spelling: text)]
      #expect(try spies(weaker) == ["load()", "mine()", "save(_:)", "stop()"], "\(text)")
    }
    var stronger = Self.kit
    stronger.symbols[2].declarationFragments = [.init(kind: "text", spelling: "func stop() throws")]
    #expect(try spies(stronger) == ["load()", "mine()", "save(_:)"])
  }

  @Test func `the requirements of a delegate have spies although all are optional`() throws {
    var delegate = Self.kit
    delegate.relationships.removeAll { ["s:load", "s:save"].contains($0.source) }
    #expect(try spies(delegate) == ["mine()", "stop()"])
  }

  @Test(arguments: [
    ("s:Sy", "Swift.StringProtocol, which only String and Substring may conform to"),
    ("s:s15BitwiseCopyableP", "Swift.BitwiseCopyable, which no class can conform to"),
  ])
  func `a parent that no class can conform to is refused with the reason`(
    _ usr: String, _ reason: String
  ) throws {
    let name = String(reason.prefix { $0 != "," })
    #expect(
      try refusal([Self.app(inheriting: usr, name: name)])
        == "No double for 'App.Mine': it inherits from \(reason).")
  }

  // MARK: Graphs

  private func spies(_ kit: SymbolGraph = Self.kit) throws -> [String] {
    let kept = try #require(ToolchainGraphs.protocols(of: "Kit", in: [kit]))
    let output = try DoublesOutput(
      [Self.app(), SymbolGraphFile(ofToolchain: kept, path: "Kit")],
      Selection(patterns: ["*"], modules: ["App"]))
    #expect(output.files.map(\.name) == ["MineDouble.swift"])
    return output.files.flatMap(\.plan.members).map(\.title).sorted()
  }

  private func refusal(_ files: [SymbolGraphFile]) throws -> String? {
    try DoublesOutput(files, Selection(patterns: ["*"], modules: ["App"])).refusals.first
  }

  /// Records the extracted modules, and writes graphs in their place.
  private final class Launches {
    private(set) var modules: [String] = []

    func launch(_ arguments: [String], _ graphs: [SymbolGraph]) -> ProgramEnd {
      func value(_ option: String) -> String {
        arguments.firstIndex(of: option).map { arguments[$0 + 1] } ?? ""
      }
      modules.append(value("-module-name"))
      for graph in graphs {
        let path = "\(value("-output-dir"))/\(graph.module.name).symbols.json"
        try? JSONEncoder().encode(graph).write(to: URL(fileURLWithPath: path))
      }
      return ProgramEnd(status: graphs.isEmpty ? 1 : 0)
    }
  }

  private static let version = SymbolGraph.Metadata(formatVersion: .init(major: 0, minor: 6))

  private static func symbol(
    _ kind: String, _ usr: String, _ path: [String], _ text: String
  ) -> SymbolGraph.Symbol {
    SymbolGraph.Symbol(
      kind: .init(identifier: "swift.\(kind)"), identifier: .init(precise: usr),
      pathComponents: path, declarationFragments: [.init(kind: "text", spelling: text)],
      accessLevel: "public")
  }

  private static func app(
    inheriting usr: String = "s:3Kit6DeviceP", name: String = "Kit.Device"
  ) -> SymbolGraphFile {
    let graph = SymbolGraph(
      metadata: version, module: .init(name: "App"),
      symbols: [
        symbol("protocol", "s:3App4MineP", ["Mine"], "protocol Mine"),
        symbol("method", "s:mine", ["Mine", "mine()"], "func mine()"),
      ],
      relationships: [
        .init(kind: "requirementOf", source: "s:mine", target: "s:3App4MineP"),
        .init(kind: "inheritsFrom", source: "s:3App4MineP", target: usr, targetFallback: name),
      ])
    var file = SymbolGraphFile(ofToolchain: graph, path: "App")
    file.isOfToolchain = false
    return file
  }

  private static let kit = SymbolGraph(
    metadata: version, module: .init(name: "Kit"),
    symbols: [
      symbol("protocol", "s:3Kit6DeviceP", ["Device"], "protocol Device"),
      symbol("method", "s:load", ["Device", "load()"], "func load() -> Int"),
      symbol("method", "s:stop", ["Device", "stop()"], "func stop()"),
      symbol("method", "s:stopped", ["Device", "stop()"], "func stop()"),
      symbol("method", "s:save", ["Device", "save(_:)"], "func save(_ number: Int)"),
      symbol("struct", "s:3Kit4SizeV", ["Size"], "struct Size"),
    ],
    relationships: [
      .init(kind: "requirementOf", source: "s:load", target: "s:3Kit6DeviceP"),
      .init(kind: "requirementOf", source: "s:stop", target: "s:3Kit6DeviceP"),
      .init(kind: "requirementOf", source: "s:save", target: "s:3Kit6DeviceP"),
      .init(kind: "defaultImplementationOf", source: "s:stopped", target: "s:stop"),
    ])
}
