// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

struct `The README` {
  @Test(arguments: ["FirstTest.swift", "FirstCase.swift"])
  func `shows a first test as it is compiled`(file: String) throws {
    let source = try Repository.text(of: "Tests/BoxOfficeTests/\(file)")
    let marks = #/// README: a first test.*\n((?s).*)// README: end/#
    let marked = try #require(source.firstMatch(of: marks))
    #expect(try Repository.readmeBlocks("swift").contains(String(marked.1)))
  }

  @Test func `shows the head of the till as it is`() throws {
    let till = try #require(Repository.readmeBlocks("swift").first { $0.contains("struct Till") })
    #expect(try Repository.text(of: "Sources/BoxOffice/Till/Till.swift").contains(till))
  }

  @Test func `begins with the two commands that it promises`() throws {
    let blocks = try Repository.readmeBlocks("sh").prefix(2)
    #expect(
      Array(blocks) == [
        "swift run box-office rehearse\n", "swift test --package-path Docs/Examples/FirstTest\n",
      ])
  }

  @Test func `shows what a rehearsal prints`() throws {
    let output = try Scene.play { try $0.run("rehearse").output }
    let blocks = try Repository.readmeBlocks("text")
    #expect(blocks.count == 3)
    for block in blocks.prefix(2) { #expect(output.contains(block)) }
  }

  @Test func `shows what a wrong setting is told`() throws {
    let complaint = try Scene.play { scene in
      try scene.write(#"{"pricing": {"standby": {"percent": 150}}}"#, to: "mine.json")
      return try scene.run("report", "--settings", "mine.json").complaint
    }
    #expect(try Repository.readmeBlocks("text").last == complaint)
  }

  @Test func `links to nothing that is not there`() throws {
    let links = try Repository.text(of: "README.md").matches(of: #/\]\((?!http)([^)]+)\)/#)
    #expect(!links.isEmpty)
    for link in links {
      let path = Repository.root.appending(path: String(link.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
    }
  }
}

private enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  /// The README's blocks of code in a language.
  static func readmeBlocks(_ language: String) throws -> [String] {
    let readme = try text(of: "README.md")
    return readme.components(separatedBy: "\n```\(language)\n").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "") + "\n"
    }
  }
}
