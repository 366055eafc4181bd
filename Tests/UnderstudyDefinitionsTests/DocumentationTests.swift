// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

private enum Repository {
  static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The code blocks of a page in the given language.
  static func blocks(_ language: String, of page: String) throws -> [String] {
    try text(of: page).components(separatedBy: "\n```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```").first ?? ""
    }
  }

  /// The parts of a source file between marks, without their common indentation.
  static func samples(of file: String) throws -> [String] {
    try String(contentsOf: tests.appending(path: file), encoding: .utf8)
      .matches(of: #/ *// Sample\n((?s).*?)\n *// End\n/#).map { match in
        let lines = match.1.components(separatedBy: "\n")
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
        return lines.map { String($0.dropFirst(indentation ?? 0)) }.joined(separator: "\n")
      }
  }
}

struct `The page about definitions` {
  @Test func `shows compiled code, and nothing else`() throws {
    let blocks = try Repository.blocks("swift", of: "Docs/Definitions.md")
    #expect(try blocks == Repository.samples(of: "DefinitionsPage.swift"))
    #expect(blocks.count == 4)
  }

  @Test func `shows a file of services that can be created`() throws {
    let blocks = try Repository.blocks("json", of: "Docs/Definitions.md")
    let text = try #require(blocks.first)
    #expect(blocks.count == 1)
    let resolver = Resolver()
    resolver.install(try Definitions([.json(text)], catalogue: DefinitionsPage.catalogue))
    let post = try resolver.resolve((any DefinitionsPage.Mailer).self, named: "post")
    let backup = try resolver.resolve((any DefinitionsPage.Mailer).self, named: "backup")
    let order = try resolver.resolve(DefinitionsPage.Order.self, named: "order")
    #expect((post as? DefinitionsPage.SMTPMailer)?.host == "mail.example")
    #expect((backup as? DefinitionsPage.SMTPMailer)?.host == "backup.example")
    #expect((backup as? DefinitionsPage.SMTPMailer)?.port == 25)
    #expect(order.mailers.withLock { $0.count } == 2)
  }

  @Test func `shows a layer that sets properties`() throws {
    let resolver = Resolver()
    try DefinitionsPage.override(resolver) {
      try #expect(resolver.property("server.url", as: String.self) == "http://localhost")
      try #expect(resolver.property("logger.storage", as: String.self) == "memory")
    }
  }

  @Test func `has no dead link`() throws {
    for page in ["Definitions.md", "PriorSystems.md"] {
      for link in try Repository.text(of: "Docs/\(page)").matches(of: #/\]\((?!http)([^)#]+)/#) {
        let path = Repository.root.appending(path: "Docs/\(link.1)").path
        #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
      }
    }
  }
}

struct `The table of prior systems` {
  static let rows =
    (1...23).map { "DO-\($0 < 10 ? "0" : "")\($0)" } + (1...6).map { "T\($0)" }
    + (30...39).map { "DE-\($0)" }

  /// The words in the first cells of a page's tables.
  static func ids(of page: String) -> Set<String> {
    Set(
      page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        .compactMap { $0.split(separator: "|").first }
        .flatMap { $0.split { $0 == " " || $0 == "," }.map(String.init) })
  }

  /// The row numbers that the names of tests begin with.
  static func testedIDs() throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.tests.path)
    return try files.filter { $0.hasSuffix("Tests.swift") }.reduce(into: []) { ids, file in
      let text = try String(contentsOf: Repository.tests.appending(path: file), encoding: .utf8)
      for name in text.matches(of: #/\n +(?:@Test\b.*)?func\s+`([^`]+)`/#) {
        ids.formUnion(name.1.split(separator: " ").map(String.init))
      }
    }
  }

  @Test(arguments: rows) func `has a test for every row`(row: String) throws {
    #expect(try Self.ids(of: Repository.text(of: "Docs/PriorSystems.md")).contains(row))
    #expect(try Self.testedIDs().contains(row))
  }

  @Test func `with a missing row is found`() throws {
    #expect(Self.ids(of: "| row | x |\n| DO-01, DO-02 | y |\nDO-03") == ["row", "DO-01", "DO-02"])
    #expect(try !Self.testedIDs().contains("DO-24"))
  }
}
