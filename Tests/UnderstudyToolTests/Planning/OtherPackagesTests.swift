// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct OtherPackagesTests {
  private func files(_ module: String, isOfOtherPackage: Bool) throws -> [SymbolGraphFile] {
    var files = try Fixtures.read(module)
    for index in files.indices { files[index].isOfOtherPackage = isOfOtherPackage }
    return files
  }

  private func doubles(
    _ pattern: String, isOfOtherPackage: Bool
  ) throws -> [String] {
    try DoublesOutput(
      files("Quay", isOfOtherPackage: isOfOtherPackage), Selection(patterns: [pattern])
    ).files.map(\.plan.name)
  }

  @Test func `a pattern chooses the public protocols of another package`() throws {
    #expect(try doubles("Quay.*", isOfOtherPackage: false) == ["CargoDouble"])
    #expect(throws: ToolError.self) { try doubles("Quay.*", isOfOtherPackage: true) }
    #expect(try doubles("Cargo", isOfOtherPackage: true) == ["CargoDouble"])
  }

  @Test(
    arguments: [
      ("public", "public", true), ("open", "public", true), ("internal", "public", false),
      ("public", "package", false),
    ])
  func `a nested type is as public as its outer type`(
    outer: String, inner: String, isPublic: Bool
  ) throws {
    let symbols = [("s:A", #"["A"]"#, outer), ("s:B", #"["A", "B"]"#, inner)].map {
      """
      {
        "kind": {"identifier": "swift.class"}, "identifier": {"precise": "\($0)"},
        "pathComponents": \($1), "accessLevel": "\($2)"
      }
      """
    }
    let text = """
      {
        "metadata": {"formatVersion": {"major": 0, "minor": 6}}, "module": {"name": "Nest"},
        "symbols": [\(symbols.joined(separator: ", "))],
        "relationships": [{"kind": "memberOf", "source": "s:B", "target": "s:A"}]
      }
      """
    let index = GraphIndex([try SymbolGraphFile(Data(text.utf8), path: "Nest.symbols.json")])
    #expect(index.isPublic("s:B") == isPublic)
  }

  @Test func `a package protocol of another package is refused`() throws {
    for isOfOtherPackage in [false, true] {
      let index = GraphIndex(try files("Quay", isOfOtherPackage: isOfOtherPackage))
      var models = try Selection(patterns: ["Cargo"]).models(in: index)
      models[0].accessLevel = "package"
      let refusal: DoublePlanner.Refusal? =
        switch DoublePlanner.plan(models[0], index) {
        case .success: nil
        case .failure(let refusal): refusal
        }
      #expect(refusal == (isOfOtherPackage ? .otherPackage : nil))
    }
  }

  @Test func `the list of modules marks those of another package`() throws {
    let house = try House()
    house.modules = []
    try house.add("Quay")
    #expect(try house.run("doubles", "--protocol", "Quay.*", "--explain").status == 0)
    house.modules[0].isOfOtherPackage = true
    #expect(
      try house.run("doubles", "--protocol", "Quay.*", "--explain").errors.first?
        .hasPrefix("error: No protocol") == true)
  }
}
