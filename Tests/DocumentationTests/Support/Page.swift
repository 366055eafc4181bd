// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A page of the documentation.
struct Page: Sendable, CustomTestStringConvertible {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every Markdown file of the repository, with the catalogs of the reference.
  static let all: [Page] = {
    let below = ["Docs", "Sources", "Tests"].flatMap { folder in
      let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?
        .compactMap { $0 as? String }
      return (names ?? []).filter { $0.hasSuffix(".md") && !$0.contains(".build") }.sorted()
        .map { "\(folder)/\($0)" }
    }
    return (["README.md", "CHANGELOG.md"] + below).map { Page(path: $0) }
  }()

  /// The guides: the pages directly in `Docs` and in `Docs/MovingHere`.
  static let guides = all.filter { page in
    let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
    return ["Docs", "Docs/MovingHere"].contains(folder)
  }

  let path: String

  var testDescription: String { path }

  var text: String {
    get throws { try String(contentsOf: Page.root.appending(path: path), encoding: .utf8) }
  }

  /// The code blocks of a language.
  func blocks(_ language: String) throws -> [String] {
    try text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "") + "\n"
    }
  }

  /// The code in the second column of the page's tables, if that column says what to write here.
  func codeOfSecondColumn() throws -> [String] {
    var isWanted = false
    return try text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      line -> [String] in
      guard line.hasPrefix("|") else {
        isWanted = false
        return []
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count > 2 else { return [] }
      if cells[2].trimmingCharacters(in: .whitespaces) == "what you write here" {
        isWanted = true
        return []
      }
      guard isWanted else { return [] }
      return cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }
}

/// All compiled code that guides may show.
enum Compiled {
  static let texts: [String] = [
    "Tests/DocumentationTests", "Tests/BoxOfficeTests", "Tests/UnderstudyDefinitionsTests",
    "Tests/UnderstudyTests", "Tests/UnderstudyEssentialsTests", "Sources/BoxOffice",
    "Docs/Examples",
  ].flatMap { folder -> [String] in
    let folder = Page.root.appending(path: folder)
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (files ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted()
      .compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  /// The same without line breaks and indentation, since a cell of a table has one line.
  static let inOneLine = texts.map(collapsed)

  static func collapsed(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
      .replacing("( ", with: "(").replacing(" )", with: ")")
  }

  /// True if a block is a part of a compiled file, line by line, at any indentation.
  static func contains(block: String, in texts: [String] = texts) -> Bool {
    [0, 2, 4, 6, 8].contains { depth in
      let indent = String(repeating: " ", count: depth)
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : indent + $0 }
      let wanted = "\n" + lines.joined(separator: "\n")
      return texts.contains { $0.contains(wanted) }
    }
  }

  /// True if a cell is a part of a compiled file. `…` matches any text.
  static func contains(cell: String) -> Bool {
    let parts = cell.components(separatedBy: "…").map(collapsed)
    return inOneLine.contains { text in
      var rest = text[...]
      return parts.allSatisfy { part in
        guard let found = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part)
        else { return false }
        rest = rest[found.upperBound...]
        return true
      }
    }
  }
}
