// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// The command keeps the names of the spies in the files that it replaces.
@Suite struct KeptFilesTests {
  private let folder: Folder
  private static let send = "func send(_ x: Int)"
  private static let fresh = ["let send = Spy<Void", "let sendInt = Spy<Int"]
  private static let kept = ["let send = Spy<Int", "let sendReturningVoid = Spy<Void"]

  init() throws {
    folder = try Folder()
  }

  private func write(_ requirements: String..., to name: String = "Mail.symbols.json") throws {
    let graph = try JSONEncoder().encode(Mail.graph(["Post": requirements]))
    try folder.write(String(decoding: graph, as: UTF8.self), to: name)
  }

  private func run(_ output: String, _ more: String...) -> Run {
    Run(
      [
        "doubles", "--symbol-graph", "\(folder.path)/Mail.symbols.json", "--protocol", "Post",
        "--output", output == "-" ? "-" : "\(folder.path)/\(output)",
      ] + more)
  }

  /// The spies in a text, up to their first types, in the order of their names.
  private func spies(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).filter { $0.contains(" = Spy<") }
      .map { String($0.dropFirst(4).prefix { !",>(".contains($0) }) }.sorted()
  }

  @Test(arguments: [("out", "out/PostDouble.swift"), ("Doubles.swift", "Doubles.swift")])
  func `a new overload that is simpler renames no spy of a file`(
    output: String, file: String
  ) throws {
    try write(Self.send)
    #expect(run(output).status == 0)
    try write(Self.send, "func send()")
    #expect(
      run(output, "--check").errors == [
        "error: '\(folder.path)/\(file)' is stale: generate it again."
      ])
    #expect(run(output).lines.last?.hasPrefix("1 written, 0 unchanged, ") == true)
    #expect(try spies(folder.text(file)) == Self.kept)
    #expect(run(output, "--check").status == 0)
    #expect(run(output).lines.last?.hasPrefix("0 written, 1 unchanged, ") == true)
    // Without the file, the names are those of a new one.
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
    #expect(run(output).status == 0)
    #expect(try spies(folder.text(file)) == Self.fresh)
  }

  @Test func `the names of files that version control changed stay`() throws {
    try write(Self.send)
    #expect(run("out").status == 0)
    let name = "out/PostDouble.swift"
    let old = try folder.text(name)
    try write(Self.send, "func send()")
    for text in [
      old.replacing("\n", with: "\r\n"), old + "// mine\n",
      "<<<<<<< ours\n\(old)=======\n\(old)>>>>>>> theirs\n",
    ] {
      try folder.write(text, to: name)
      #expect(run("out", "--force").status == 0)
      #expect(try spies(folder.text(name)) == Self.kept)
    }
  }

  @Test func `printed doubles have the names of new files`() throws {
    try write(Self.send)
    #expect(run("out").status == 0)
    try write(Self.send, "func send()")
    #expect(spies(run("-").lines.joined(separator: "\n")) == Self.fresh)
  }

  @Test(arguments: [false, true])
  func `a step of a build keeps no name of the last build`(isBuildStep: Bool) throws {
    let house = try House()
    house.isBuildStep = isBuildStep
    house.modules = []
    try house.add("Mail")
    let output = "\(house.folder.path)/Doubles.swift"
    for requirements in [[Self.send], [Self.send, "func send()"]] {
      let graph = try JSONEncoder().encode(Mail.graph(["Post": requirements]))
      house.text = String(decoding: graph, as: UTF8.self)
      try house.write(requirements.joined(), to: "debug/Modules/Mail.swiftmodule", age: 20)
      let run = try house.run("doubles", "--protocol", "Post", "--output", output)
      #expect(run.errors == [])
    }
    #expect(
      try spies(house.folder.text("Doubles.swift")) == (isBuildStep ? Self.fresh : Self.kept))
  }

  @Test func `the files of a configuration keep their names, also in a trial`() throws {
    let house = try House()
    house.modules = []
    try house.add("Mail")
    house.tests = [
      .init(name: "MailTests", directory: "\(house.folder.path)/Tests", dependencies: ["Mail"])
    ]
    for requirements in [[Self.send], [Self.send, "func send()"]] {
      let graph = try JSONEncoder().encode(Mail.graph(["Post": requirements]))
      house.text = String(decoding: graph, as: UTF8.self)
      try house.write(requirements.joined(), to: "debug/Modules/Mail.swiftmodule", age: 20)
      #expect(try house.run("doubles", "--protocol", "Post", "--write").errors == [])
    }
    #expect(try spies(house.folder.text("Tests/Doubles/PostDouble.swift")) == Self.kept)
    let trial = try house.run("doubles", "--protocol", "Post").lines
    #expect(trial.contains { $0.hasPrefix("  unchanged  ") })
  }
}
