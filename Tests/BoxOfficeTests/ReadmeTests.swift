// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

struct `The page of the sample` {
  private let page = "Docs/BoxOffice.md"

  @Test(arguments: ["FirstTest.swift", "FirstCase.swift"])
  func `shows a first test as it is compiled`(file: String) throws {
    let source = try Repository.text(of: "Tests/BoxOfficeTests/\(file)")
    let marks = #/// README: a first test.*\n((?s).*)// README: end/#
    let marked = try #require(source.firstMatch(of: marks))
    #expect(try Repository.blocks("swift", of: page).contains(String(marked.1)))
  }

  @Test func `shows the start of the till as it is compiled`() throws {
    let till = try #require(
      Repository.blocks("swift", of: page).first { $0.contains("struct Till") })
    #expect(try Repository.text(of: "Sources/BoxOffice/Till/Till.swift").contains(till))
  }

  @Test func `shows the message for a wrong setting`() throws {
    let complaint = try Scene.play { scene in
      try scene.write(#"{"pricing": {"standby": {"percent": 150}}}"#, to: "mine.json")
      return try scene.run("report", "--settings", "mine.json").complaint
    }
    #expect(try Repository.blocks("text", of: page) == [complaint])
  }
}

struct `The README` {
  @Test func `begins with the two promised commands`() throws {
    let blocks = try Repository.blocks("sh", of: "README.md").prefix(2)
    #expect(
      Array(blocks) == [
        "swift run box-office rehearse\n", "swift test --package-path Docs/Examples/FirstTest\n",
      ])
  }

  @Test func `shows the whole output of a rehearsal`() throws {
    let output = try Scene.play { try $0.run("rehearse").output }
    #expect(try Repository.blocks("text", of: "README.md").contains(output))
  }

  @Test func `has its parts in the order of a newcomer's questions`() throws {
    let headings = try Repository.text(of: "README.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(
      headings == [
        "A first test", "Add it to your package", "Why Understudy, and not another library?",
        "Two commands",
        "More", "Licence",
      ])
  }

  @Test func `compares each row, and names the advantages of other libraries`() throws {
    let text = try Repository.text(of: "README.md")
    let table = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let others = table[0].dropFirst(2)
    #expect(others.count == 4)
    for other in others { #expect(text.contains("\n- **\(other)** "), "\(other)") }
    #expect(
      table.dropFirst(2).map { $0[0] } == [
        "lowest iOS", "has been run on", "macros", "parallel tests",
        "a detached task or a queue that lost the override", "counts", "a missing dependency",
        "real dependency used in a test", "doubles", "previews", "release",
      ])
    #expect(table.allSatisfy { $0.count == 2 + others.count && !$0[1...].contains("") })
  }

  /// Compares the names and numbers of the tests. Their times differ in each run.
  @Test func `shows the tests of the first package, and no others`() throws {
    let folder = "Docs/Examples/FirstTest/Tests/OrdersTests"
    let cases = try Repository.text(of: "\(folder)/CheckoutCase.swift")
      .matches(of: #/func (test\w+)\(/#).map { String($0.1) }
    let tests = try Repository.text(of: "\(folder)/CheckoutTests.swift")
      .matches(of: #/func `([^`]+)`/#).map { String($0.1) }
    let output = try #require(
      Repository.blocks("text", of: "README.md").first { $0.contains("Test run started") })
    let passedCases = output.matches(of: #/'CheckoutCase\.(\w+)' passed/#).map { String($0.1) }
    #expect(passedCases == cases)
    let passedTests = output.matches(of: #/✔ Test "([^"]+)" passed/#).map { String($0.1) }
    #expect(passedTests.sorted() == tests.sorted())
    #expect(output.contains("Executed \(cases.count) test, with 0 failures"))
    #expect(output.contains("✔ Test run with \(tests.count) tests in 1 suite passed"))
  }

  @Test func `has no dead link`() throws {
    let links = try Repository.text(of: "README.md").matches(of: #/\]\((?!http)([^)#]+)/#)
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

  /// The code blocks of a page in the given language.
  static func blocks(_ language: String, of page: String) throws -> [String] {
    try text(of: page).components(separatedBy: "\n```\(language)\n").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "") + "\n"
    }
  }
}
