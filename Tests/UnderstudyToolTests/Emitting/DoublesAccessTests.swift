// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// The access level of generated doubles.
@Suite struct DoublesAccessTests {
  private let graph = Fixtures.graph("Pier")

  private func printed(_ name: String, _ access: String) -> String {
    Run(
      "doubles", "--symbol-graph", graph, "--protocol", name, "--access", access, "--output", "-"
    ).lines.joined(separator: "\n")
  }

  /// The declarations of a double and of its types, not of local values.
  private func declarations(in text: String) -> [Substring] {
    let words = #/\b(?:class|struct|let|var|func|init|subscript|typealias)\b/#
    return text.split(separator: "\n").filter { line in
      let code = line.drop { $0 == " " }
      let depth = line.utf8.count - code.utf8.count
      guard depth <= 4, !code.hasPrefix("//"), let word = code.firstMatch(of: words) else {
        return false
      }
      let isInBody = depth == 4 && !["let ", "var ", "subscript"].contains { code.contains($0) }
      let head = code[..<word.range.lowerBound]
      let isLocal = depth == 4 && code.hasPrefix("let real = ")
      let isOfType = !isInBody && !isLocal && !code.contains("unsafe ")
      return isOfType && !head.contains { "({=.".contains($0) }
    }
  }

  @Test(arguments: ["package", "public"])
  func `every declaration has the level`(access: String) {
    for name in ["Reads", "OnOneActor", "OnTwoActors", "RenamesItem", "URLShelf"] {
      let plain = printed(name, "internal")
      let text = printed(name, access)
      let found = declarations(in: text)
      #expect(found.count > 3)
      for line in found { #expect(line.contains("\(access) "), "\(name)") }
      // Nothing else differs, but for the hash of the text, and what a public structure has to say.
      let without = text.replacing("\(access) ", with: "")
        .replacing("struct Spies: Sendable {", with: "struct Spies {")
        .split(separator: "\n").dropFirst(2)
      #expect(Array(without) == Array(plain.split(separator: "\n").dropFirst(2)))
    }
  }

  @Test func `the public spies of a Sendable double say that they are Sendable`() {
    #expect(printed("OnOneActor", "public").contains("struct Spies: Sendable {"))
    #expect(printed("URLShelf", "public").contains("struct Spies {"))
    #expect(printed("OnOneActor", "package").contains("struct Spies {"))
  }

  @Test(
    arguments: [
      ("OfModule", "internal", "package"), ("OfModule", "internal", "public"),
      ("OfPackage", "package", "public"),
    ])
  func `a double shows no protocol that other modules do not see`(
    name: String, level: String, access: String
  ) {
    let run = Run(
      "doubles", "--symbol-graph", graph, "--protocol", name, "--access", access, "--output", "-")
    #expect(run.status == 1)
    let message = run.errors.first { $0.contains("No double") } ?? ""
    #expect(
      message.hasSuffix(
        "No double for 'Pier.\(name)': it is \(level), and a \(access) double would show it to other"
          + " modules; make it \(access), or leave out the access of the doubles."))
  }

  @Test func `the level must be one`() {
    let run = Run(
      "doubles", "--symbol-graph", graph, "--access", "publik", "--output", "-")
    #expect(
      run.errors == [
        "error: '--access' is one of internal, package, public, not 'publik'. Did you mean 'public'?"
          + " See 'understudy-tool help doubles'."
      ])
  }

  @Test func `both files may name the level`() throws {
    let house = try House()
    house.modules = []
    try house.add("Pier")
    try house.folder.write(
      #"{ "targets": ["Pier"], "protocols": ["Reads"], "access": "public" }"#, to: "doubles.json")
    let step = try house.run(
      "doubles", "--choices", "\(house.folder.path)/doubles.json", "--output", "-")
    #expect(step.errors.count == 1)
    #expect(step.lines.joined(separator: "\n").contains("\npublic nonisolated final class Reads"))
    try house.folder.write(
      """
      { "doubles": [{ "target": "Pier", "protocols": ["Reads"], "access": "package",
        "output": "\(house.folder.path)/Doubles" }] }
      """, to: "understudy.json")
    let path = "\(house.folder.path)/understudy.json"
    #expect(try house.run("doubles", "--config", path).status == 0)
    let text = try house.folder.text("Doubles/ReadsDouble.swift")
    #expect(text.contains("\npackage nonisolated final class ReadsDouble"))
  }

  @Test func `a file of any level keeps the names of its spies`() throws {
    let folder = try Folder()
    func run(_ access: String) -> Run {
      Run(
        "doubles", "--symbol-graph", graph, "--protocol", "Reads", "--access", access, "--output",
        folder.path)
    }
    #expect(run("public").status == 0)
    let text = try folder.text("ReadsDouble.swift")
    let renamed = text.replacing("let load =", with: "let loadAll =")
      .replacing("spy.load(", with: "spy.loadAll(")
    try folder.write(renamed, to: "ReadsDouble.swift")
    let forced = Run(
      "doubles", "--symbol-graph", graph, "--protocol", "Reads", "--access", "public", "--output",
      folder.path, "--force")
    #expect(forced.status == 0)
    try #expect(folder.text("ReadsDouble.swift").contains("self.spy.loadAll"))
  }
}
