// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

@Suite struct ArchitectureTests {
  private static let folders = ["Reading", "Model", "Planning", "Emitting", "Commands"]
  private static let sources = Fixtures.folder.deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/UnderstudyTool")

  @Test func `a folder uses only types of folders before it`() throws {
    var owners: [String: Int] = [:]
    var texts: [(folder: Int, file: String, words: Set<String>)] = []
    for (position, folder) in Self.folders.enumerated() {
      let path = Self.sources.appendingPathComponent(folder)
      for file in try FileManager.default.contentsOfDirectory(atPath: path.path).sorted() {
        let text = try String(contentsOf: path.appendingPathComponent(file), encoding: .utf8)
        var words: Set<String> = []
        for line in text.split(separator: "\n") where !line.contains("//") {
          let parts = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
          // A declaration at the start of a line is a type of the module. A nested one has its
          // outer type's name.
          if !line.hasPrefix(" "),
            let kind = parts.firstIndex(where: { ["struct", "enum", "class"].contains($0) }),
            kind + 1 < parts.count
          {
            owners[parts[kind + 1]] = position
          }
          words.formUnion(parts)
        }
        texts.append((position, "\(folder)/\(file)", words))
      }
    }
    #expect(owners.count > 30)
    let wrong = texts.flatMap { text in
      text.words.compactMap { word -> String? in
        guard let owner = owners[word], owner > text.folder else { return nil }
        return "\(text.file) uses \(word) of \(Self.folders[owner])"
      }
    }
    #expect(wrong.sorted() == [])
  }

  /// The first use of the plugin compiles these modules. With the library it takes more than twice
  /// as long.
  @Test func `the tool for doubles is built from its own module alone`() throws {
    let root = Self.sources.deletingLastPathComponent().deletingLastPathComponent()
    let manifest = try String(
      contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(manifest.contains(#"    .target(name: "UnderstudyTool", swiftSettings: settings),"#))
    #expect(
      manifest.contains(
        #"name: "understudy-doubles", dependencies: ["UnderstudyTool"], swiftSettings"#))
    #expect(manifest.contains(#"dependencies: ["understudy-doubles"], path: "Sources/Underst"#))
    let plugin = try String(
      contentsOf: root.appendingPathComponent("Sources/UnderstudyPlugin/UnderstudyPlugin.swift"),
      encoding: .utf8)
    #expect(plugin.contains(#"let product = isWiring ? "understudy-tool" : "understudy-doubles""#))
    var imports: Set<String> = []
    var count = 0
    for module in ["UnderstudyTool", "understudy-doubles"] {
      let folder = root.appendingPathComponent("Sources/\(module)")
      let files = try #require(
        FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        count += 1
        let text = try String(contentsOf: file, encoding: .utf8)
        for line in text.split(separator: "\n") {
          // An import starts a line, possibly after its access.
          let words = line.split(separator: " ").map(String.init)
          guard !line.hasPrefix(" "), let keyword = words.firstIndex(of: "import"), keyword <= 1,
            words.count == keyword + 2
          else { continue }
          imports.insert(words[keyword + 1])
        }
      }
    }
    #expect(count > 80)
    #expect(imports == ["Foundation", "UnderstudyTool"])
  }
}
