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
}
