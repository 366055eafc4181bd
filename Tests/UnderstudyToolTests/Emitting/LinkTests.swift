// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// A generated file that is a symbolic link is written to the link's target.
@Suite struct LinkTests {
  private let folder: Folder
  private let package: String

  init() throws {
    folder = try Folder()
    package = "\(folder.path)/Package"
    for name in ["Package/Out", "Package/Kept", "Elsewhere"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(package)/Out/\(name)", withDestinationPath: target)
  }

  private func target(of name: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(package)/Out/\(name)")
  }

  private func run(_ command: String) -> Run {
    let output = command == "wire" ? "\(package)/Out/Wiring.swift" : "\(package)/Out"
    return Run(
      command, "--symbol-graph", Fixtures.graph(command == "wire" ? "Mill" : "Shop"), "--output",
      output, "--package", package)
  }

  @Test(arguments: [("doubles", "CellarDouble.swift"), ("wire", "Wiring.swift")])
  func `a link stays, whether or not its target exists`(command: String, name: String)
    throws
  {
    try link(name, to: "../Kept/\(name)")
    #expect(run(command).errors == [])
    #expect(target(of: name) == "../Kept/\(name)")
    let text = try folder.text("Package/Kept/\(name)")
    #expect(GeneratedFile.inspect(text) == .generated)

    let older = GeneratedFile(body: "/// Older.\n", format: "0.6.0").text
    try folder.write(older, to: "Package/Kept/\(name)")
    #expect(run(command).errors == [])
    #expect(target(of: name) == "../Kept/\(name)")
    #expect(try folder.text("Package/Kept/\(name)") == text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(package)/Kept") == [name])
  }

  @Test(arguments: [("doubles", "CellarDouble.swift"), ("wire", "Wiring.swift")])
  func `a link out of the package is refused`(command: String, name: String) throws {
    try link(name, to: "\(folder.path)/Elsewhere/\(name)")
    let run = run(command)
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "error: The output '\(package)/Out/\(name)' is outside the package '\(package)'."
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(package)/Out") == [name])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/Elsewhere").isEmpty)
  }

  @Test func `links in a circle are refused`() throws {
    try link("CellarDouble.swift", to: "Other.swift")
    try link("Other.swift", to: "CellarDouble.swift")
    let run = run("doubles")
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "error: The file '\(package)/Out/CellarDouble.swift' cannot be written: "
          + "the file system refuses it."
      ])
    #expect(target(of: "CellarDouble.swift") == "Other.swift")
  }
}
