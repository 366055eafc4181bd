// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

@testable import UnderstudyTool

/// A build folder with the modules App and Base, and a fake extractor that writes a graph and
/// counts its runs.
final class House {
  let folder: Folder
  var modules: [ModuleList.Module]
  var built: [String: ModuleList.Built] = [:]
  var refused: [String] = []
  var broken: [String] = []
  var isBuildStep = false
  var tests: [ModuleList.Tests] = []
  /// The arguments that the user gave to the plugin.
  var arguments = ["doubles"]
  private(set) var launches: [[String]] = []
  var status: Int32 = 0
  /// The graph of each module that is not among the committed ones.
  var text = "{}"
  /// The directory of the sources that the graphs name.
  lazy var sources = "\(folder.path)/Sources"

  init() throws {
    folder = try Folder()
    for name in ["Sources", "debug", "debug/Modules"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    modules = [
      .init(
        id: "App", target: "App", name: "App", isSwift: true, isChosen: true,
        directory: "\(folder.path)/Sources",
        files: ["\(folder.path)/Sources/App.swift"], dependencies: ["Base", "C"]),
      .init(
        id: "Base", target: "Base", name: "Base", isSwift: true, isChosen: false,
        files: ["\(folder.path)/Sources/Base.swift"], dependencies: []),
      .init(
        id: "C", target: "C", name: "C", isSwift: false, isChosen: false, files: [],
        headers: "\(folder.path)/include", dependencies: []),
    ]
    for name in ["App", "Base"] {
      try write("// \(name)", to: "Sources/\(name).swift", age: 60)
      try write("module \(name)", to: "debug/Modules/\(name).swiftmodule", age: 30)
    }
    try age("Sources", 60)
    try write("{}", to: "debug/description.json", age: 30)
  }

  func write(_ text: String, to name: String, age minutes: Double) throws {
    try folder.write(text, to: name)
    try age(name, minutes)
  }

  /// In minutes, since a test may be stopped for seconds between two of them.
  func age(_ name: String, _ minutes: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60 * minutes)],
      ofItemAtPath: "\(folder.path)/\(name)")
  }

  /// Adds a library with a committed graph.
  func add(_ name: String) throws {
    modules.append(
      .init(
        id: name, target: name, name: name, isSwift: true, isChosen: true,
        files: ["\(folder.path)/Sources/\(name).swift"], dependencies: []))
    try write("// \(name)", to: "Sources/\(name).swift", age: 60)
    try age("Sources", 60)
    try write("module \(name)", to: "debug/Modules/\(name).swiftmodule", age: 30)
  }

  /// Runs the tool as the plugin does.
  func run(
    _ arguments: String..., launch: ((String, [String]) -> ProgramEnd)? = nil
  ) throws -> Run {
    try run(arguments, launch: launch)
  }

  func run(
    _ arguments: [String], launch: ((String, [String]) -> ProgramEnd)? = nil
  ) throws -> Run {
    _ = try list
    return Run(
      arguments + ["--modules", listPath, "--package", folder.path, Tool.pluginMark],
      launch: launch ?? self.launch)
  }

  /// Simulates a build by the plugin, which writes its description and returns a graph.
  func build(_ id: String) throws {
    built[id] = .init(path: "\(folder.path)/built", start: Date().timeIntervalSince1970 - 1)
    try write("{}", to: "debug/description.json", age: 0)
  }

  var list: ModuleList {
    get throws {
      struct Text: Encodable {
        var modules: [ModuleList.Module]
        var tests: [ModuleList.Tests]
        var arguments: [String]
        var folders: [String]
        var extractor: String
        var store: String
        var wanted: String
        var built: [String: ModuleList.Built]
        var refused: [String]
        var broken: [String]
        var isBuildStep: Bool
      }
      let text = Text(
        modules: modules, tests: tests, arguments: arguments,
        folders: ["\(folder.path)/debug/Modules"],
        extractor: "extract",
        store: "\(folder.path)/store", wanted: "\(folder.path)/wanted", built: built,
        refused: refused, broken: broken, isBuildStep: isBuildStep)
      try JSONEncoder().encode(text).write(to: URL(fileURLWithPath: listPath))
      return try ModuleList(contentsOf: listPath)
    }
  }

  var listPath: String { "\(folder.path)/list.json" }

  /// The store's answer for the graph of a module.
  func graph(_ id: String = "App") throws -> GraphStore.Answer {
    try GraphStore(list, launch: launch).graph(of: id)
  }

  func launch(_ program: String, _ arguments: [String]) -> ProgramEnd {
    launches.append([program] + arguments)
    guard status == 0, let output = arguments.firstIndex(of: "-output-dir"),
      let module = arguments.firstIndex(of: "-module-name")
    else { return ProgramEnd(status: status, errors: "Failed to load.\n") }
    let path = "\(arguments[output + 1])/\(arguments[module + 1]).symbols.json"
    let graph = Fixtures.graph(arguments[module + 1])
    let text = (try? String(contentsOfFile: graph, encoding: .utf8)) ?? text
    let data = Data(text.replacing("file:///", with: "file://\(sources)/").utf8)
    return ProgramEnd(
      status: FileManager.default.createFile(atPath: path, contents: data) ? 0 : 1)
  }
}
