// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// A build folder with the modules App and Base, and an extractor that writes a graph and counts its runs.
private final class House {
  let folder: Folder
  var modules: [ModuleList.Module]
  var built: [String: ModuleList.Built] = [:]
  var refused: [String] = []
  var isBuildStep = false
  private(set) var launches: [[String]] = []
  var status: Int32 = 0

  init() throws {
    folder = try Folder()
    for name in ["Sources", "debug", "debug/Modules"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    modules = [
      .init(
        id: "App", name: "App", isSwift: true, isChosen: true,
        files: ["\(folder.path)/Sources/App.swift"], dependencies: ["Base", "C"]),
      .init(
        id: "Base", name: "Base", isSwift: true, isChosen: false,
        files: ["\(folder.path)/Sources/Base.swift"], dependencies: []),
      .init(
        id: "C", name: "C", isSwift: false, isChosen: false, files: [],
        headers: "\(folder.path)/include", dependencies: []),
    ]
    for name in ["App", "Base"] {
      try write("// \(name)", to: "Sources/\(name).swift", age: 60)
      try write("module \(name)", to: "debug/Modules/\(name).swiftmodule", age: 30)
    }
    try age("Sources", 60)
    try write("{}", to: "debug/description.json", age: 30)
  }

  func write(_ text: String, to name: String, age seconds: Double) throws {
    try folder.write(text, to: name)
    try age(name, seconds)
  }

  func age(_ name: String, _ seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
      ofItemAtPath: "\(folder.path)/\(name)")
  }

  /// As the plugin does: a build writes its description, and gives a graph.
  func build(_ id: String) throws {
    built[id] = .init(path: "\(folder.path)/built", start: Date().timeIntervalSince1970 - 1)
    try write("{}", to: "debug/description.json", age: 0)
  }

  var list: ModuleList {
    get throws {
      struct Text: Encodable {
        var modules: [ModuleList.Module]
        var folders: [String]
        var extractor: String
        var store: String
        var wanted: String
        var built: [String: ModuleList.Built]
        var refused: [String]
        var isBuildStep: Bool
      }
      let text = Text(
        modules: modules, folders: ["\(folder.path)/debug/Modules"], extractor: "extract",
        store: "\(folder.path)/store", wanted: "\(folder.path)/wanted", built: built,
        refused: refused, isBuildStep: isBuildStep)
      try JSONEncoder().encode(text).write(to: URL(fileURLWithPath: listPath))
      return try ModuleList(contentsOf: listPath)
    }
  }

  var listPath: String { "\(folder.path)/list.json" }

  /// The graph of App, in the middle of a run.
  func graph(_ id: String = "App") throws -> GraphStore.Answer {
    try GraphStore(list, launch: launch).graph(of: id)
  }

  func launch(_ program: String, _ arguments: [String]) -> Int32 {
    launches.append([program] + arguments)
    guard status == 0, let output = arguments.firstIndex(of: "-output-dir"),
      let module = arguments.firstIndex(of: "-module-name")
    else { return status }
    let path = "\(arguments[output + 1])/\(arguments[module + 1]).symbols.json"
    return FileManager.default.createFile(atPath: path, contents: Data("{}".utf8)) ? 0 : 1
  }
}

@Suite struct GraphStoreTests {
  @Test func `a module that is newer than all its files is read where it lies, once`() throws {
    let house = try House()
    let first = try house.graph()
    guard case .graph(let path) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(path.hasPrefix("\(house.folder.path)/store/App/"))
    #expect(FileManager.default.fileExists(atPath: "\(path)/App.symbols.json"))
    #expect(try house.graph() == first)
    #expect(house.launches.count == 1)
  }

  @Test func `headers and module maps of C are passed on`() throws {
    let house = try House()
    try FileManager.default.createDirectory(
      atPath: "\(house.folder.path)/debug/C.build", withIntermediateDirectories: true)
    try house.folder.write("module C {}", to: "debug/C.build/module.modulemap")
    _ = try house.graph()
    let said = try #require(house.launches.first)
    #expect(said.contains("\(house.folder.path)/include"))
    #expect(said.contains("-fmodule-map-file=\(house.folder.path)/debug/C.build/module.modulemap"))
  }

  @Test func `another content of the module is another graph, and the old one goes`() throws {
    let house = try House()
    let first = try house.graph()
    try house.write("another module App", to: "debug/Modules/App.swiftmodule", age: 20)
    #expect(try house.graph() != first)
    #expect(house.launches.count == 2)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(house.folder.path)/store/App")
    #expect(names.count == 1)
  }

  @Test(arguments: ["Sources/App.swift", "Sources/Base.swift"])
  func `a source that is newer than the module asks for a build`(_ source: String) throws {
    let house = try House()
    try house.write("// changed", to: source, age: 10)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a source that is gone asks for a build`() throws {
    let house = try House()
    // What removes a file changes its directory.
    try house.age("Sources", 10)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a module that is not built asks for a build`() throws {
    let house = try House()
    try FileManager.default.removeItem(
      atPath: "\(house.folder.path)/debug/Modules/App.swiftmodule")
    #expect(try house.graph() == .needsBuild)
    house.refused = ["App"]
    #expect(try house.graph() == .unavailable)
  }

  /// The compiler leaves a module as it is if only the body of a function has changed.
  @Test func `a build that leaves the module as it was is remembered until a change`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    try house.build("App")
    guard case .graph(let path) = try house.graph() else {
      Issue.record("There is no graph after a build.")
      return
    }
    house.built = [:]
    #expect(try house.graph() == .graph(path))
    try house.write("// changed again", to: "Sources/App.swift", age: 5)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a build with another configuration says nothing of the modules here`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    house.built["App"] = .init(path: "elsewhere", start: Date().timeIntervalSince1970)
    #expect(try house.graph() == .graph("elsewhere"))
    #expect(try house.graph("Base") == .needsBuild)
    #expect(house.launches.isEmpty)
  }

  @Test func `the package manager takes the place of an extractor that fails`() throws {
    let house = try House()
    house.status = 1
    #expect(try house.graph() == .needsBuild)
    try house.build("App")
    #expect(try house.graph() == .graph("\(house.folder.path)/built"))
    let store = "\(house.folder.path)/store/App"
    #expect(try FileManager.default.contentsOfDirectory(atPath: store) == [])
  }

  @Test func `a step of a build reads what the build has compiled, and asks for nothing`() throws {
    let house = try House()
    house.isBuildStep = true
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    guard case .graph = try house.graph() else {
      Issue.record("There is no graph of a compiled module.")
      return
    }
    try FileManager.default.removeItem(
      atPath: "\(house.folder.path)/debug/Modules/App.swiftmodule")
    #expect(try house.graph() == .unavailable)
  }

  @Test func `the tool names what has to be built, and says nothing else`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    _ = try house.list
    let run = Run("doubles", "--modules", house.listPath, "--output", house.folder.path)
    #expect(run.status == 75)
    #expect(run.lines + run.errors == [])
    #expect(try house.folder.text("wanted") == "App")
    house.refused = ["App"]
    _ = try house.list
    #expect(
      Run("validate", "--modules", house.listPath).errors == [
        "error: There is no symbol graph of 'App', since it could not be built. Fix the errors"
          + " above, or see what 'swift build --target App' says, and run this again."
      ])
  }
}
