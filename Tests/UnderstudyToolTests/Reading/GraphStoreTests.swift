// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct GraphStoreTests {
  @Test func `a module that is newer than all its files is extracted once`() throws {
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

  @Test func `a changed module has a new graph, and the old one is removed`() throws {
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

  @Test func `a removed source asks for a build`() throws {
    let house = try House()
    // Removing a file changes the date of its directory.
    try house.age("Sources", 10)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a source that is removed with its directory asks for a build`() throws {
    let house = try House()
    try house.write("// More", to: "Sources/Empty/More/More.swift", age: 60)
    for name in ["Sources/Empty/More", "Sources/Empty", "Sources"] { try house.age(name, 60) }
    #expect(try house.graph() != .needsBuild)
    try FileManager.default.removeItem(atPath: "\(house.folder.path)/Sources/Empty/More")
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a build folder among the sources does not count`() throws {
    let house = try House()
    try house.write("", to: "Sources/.build/debug.yaml", age: 0)
    try house.age("Sources", 60)
    #expect(try house.graph() != .needsBuild)
  }

  @Test func `a module of the same name from another package asks for a build`() throws {
    let house = try House()
    house.text = #"{ "uri": "file:///App.swift" }"#
    guard case .graph(let path) = try house.graph() else {
      Issue.record("There is no graph.")
      return
    }
    try FileManager.default.removeItem(atPath: path)
    house.sources = "/Elsewhere"
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a module may be a directory with the files of one triple`() throws {
    let house = try House()
    let module = "\(house.folder.path)/debug/Modules/App.swiftmodule"
    try FileManager.default.removeItem(atPath: module)
    try FileManager.default.createDirectory(atPath: module, withIntermediateDirectories: true)
    #expect(try house.graph() == .needsBuild)
    for file in ["x86_64-unknown-linux-gnu.swiftmodule", "x86_64-unknown-linux-gnu.swiftdoc"] {
      try house.write("module App", to: "debug/Modules/App.swiftmodule/\(file)", age: 30)
    }
    guard case .graph = try house.graph() else {
      Issue.record("There is no graph of a module with one triple.")
      return
    }
    try house.write(
      "module App", to: "debug/Modules/App.swiftmodule/arm64-apple-macos.swiftmodule", age: 30)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a module that is not built asks for a build`() throws {
    let house = try House()
    try FileManager.default.removeItem(
      atPath: "\(house.folder.path)/debug/Modules/App.swiftmodule")
    #expect(try house.graph() == .needsBuild)
    house.refused = ["App"]
    #expect(try house.graph() == .unavailable(nil))
  }

  /// The compiler does not rewrite a module if only the body of a function has changed.
  @Test func `a build that does not rewrite the module is remembered until a change`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    try house.build("App")
    guard case .graph(let path) = try house.graph() else {
      Issue.record("There is no graph after a build.")
      return
    }
    house.built = [:]
    #expect(try house.graph() == .graph(path))
    // Another build has written another module since, but from an older source.
    try house.age("debug/Modules/App.swiftmodule", 20)
    #expect(try house.graph() == .needsBuild)
    try house.age("debug/Modules/App.swiftmodule", 30)
    try house.write("// changed again", to: "Sources/App.swift", age: 5)
    #expect(try house.graph() == .needsBuild)
  }

  @Test func `a build with another configuration does not validate the modules here`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    house.built["App"] = .init(path: "elsewhere", start: Date().timeIntervalSince1970)
    #expect(try house.graph() == .graph("elsewhere"))
    #expect(try house.graph("Base") == .needsBuild)
    #expect(house.launches.isEmpty)
  }

  @Test func `the package manager replaces an extractor that fails`() throws {
    let house = try House()
    house.status = 1
    #expect(try house.graph() == .needsBuild)
    try house.build("App")
    #expect(try house.graph() == .graph("\(house.folder.path)/built"))
    let store = "\(house.folder.path)/store/App"
    #expect(try FileManager.default.contentsOfDirectory(atPath: store) == [])
  }

  @Test func `a build step reads the compiled modules, and asks for nothing`() throws {
    let house = try House()
    house.isBuildStep = true
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    guard case .graph = try house.graph() else {
      Issue.record("There is no graph of a compiled module.")
      return
    }
    try FileManager.default.removeItem(
      atPath: "\(house.folder.path)/debug/Modules/App.swiftmodule")
    #expect(try house.graph() == .unavailable(nil))
  }

  @Test func `a build step says why the extractor cannot read a compiled module`() throws {
    let house = try House()
    house.isBuildStep = true
    house.status = 1
    let run = try house.run("doubles", "--output", "\(house.folder.path)/Doubles.swift")
    let error = "error: The symbol graph of 'App' cannot be extracted (status 1: Failed to load.)."
    #expect(run.errors.count == 1)
    #expect(
      run.errors.first?.hasPrefix("\(error) The command is: extract -module-name App ") == true)
  }

  @Test func `the command of a failed extraction can be run again`() throws {
    let house = try House()
    house.isBuildStep = true
    house.status = 1
    house.modules[2].flags = ["-DTEXT=a b"]
    let error = try #require(try house.run("validate").errors.first)
    #expect(error.contains(" -output-dir \(house.folder.path)/store -I "))
    #expect(FileManager.default.fileExists(atPath: "\(house.folder.path)/store"))
    #expect(error.contains(" -Xcc '-DTEXT=a b' "))
  }

  @Test func `the flags of a system library are passed to the extractor`() throws {
    let house = try House()
    house.modules[2].flags = ["-I/opt/c/include", "-DC=1"]
    _ = try house.graph()
    let launch = try #require(house.launches.first)
    #expect(launch.joined(separator: " ").contains("-Xcc -I/opt/c/include -Xcc -DC=1"))
  }

  @Test func `the tool lists only the modules to build`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    _ = try house.list
    let run = Run("doubles", "--modules", house.listPath, "--output", house.folder.path)
    #expect(run.status == 75)
    #expect(run.lines + run.errors == [])
    #expect(try house.folder.text("wanted") == "App")
    house.refused = ["App"]
    house.modules[0].target = "my-app"
    _ = try house.list
    #expect(
      Run("validate", "--modules", house.listPath).errors == [
        "error: There is no symbol graph of 'App', since it could not be built. Fix the errors"
          + " above, or see what 'swift build --target my-app' says, and run this again."
      ])
    let wiring = GeneratedFile(body: "let wiring = 1\n", format: "0.6.0").text
    try house.write(wiring, to: "Sources/App.swift", age: 10)
    #expect(
      Run("validate", "--modules", house.listPath).errors == [
        "error: There is no symbol graph of 'App', since it could not be built. If the reason is in"
          + " what this tool has generated, remove '\(house.folder.path)/Sources/App.swift' and run"
          + " this again."
      ])
  }

  @Test func `an executable without a graph is refused with the way to split it`() throws {
    let house = try House()
    try house.write("// changed", to: "Sources/App.swift", age: 10)
    house.refused = ["App"]
    house.modules[0].target = "my-app"
    house.modules[0].isExecutable = true
    for command in ["validate", "doubles"] {
      let run = try house.run(command)
      #expect(
        run.errors == [
          "error: There is no symbol graph of 'my-app', an executable. Move its components and its"
            + " protocols to a library target that it depends on, and name that one."
        ])
      #expect(run.status == 1)
    }
    // One that does not compile has another reason.
    house.broken = ["my-app"]
    #expect(
      try house.run("validate").errors == [
        "error: There is no symbol graph of 'App', since it could not be built. Fix the errors"
          + " above, or see what 'swift build --target my-app' says, and run this again."
      ])
  }
}
