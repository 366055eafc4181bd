// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// `Docs/PriorSystems.md` has a row for each feature of Guise, Blade and Deli, with its equivalent
/// here and a test, or with a reason why there is none.
@Suite struct `The page about prior systems` {
  /// One row of one of its tables.
  struct Row: Hashable {
    let ids: [String]
    let text: String
    let test: String

    init?(_ line: some StringProtocol) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 3 else { return nil }
      ids = cells[0].matches(of: /\b(?:G9|G4|BL|DE)-\d\d\b|\bX\d+\b/).map { String($0.0) }
      guard !ids.isEmpty else { return nil }
      text = cells[1]
      test = cells[2]
    }

    /// The beginnings of test names in the row.
    var tests: [String] { test.matches(of: /`([^`…]+?)\s*…?`/).map { String($0.1) } }

    var isTaken: Bool { !text.hasPrefix("–") }
  }

  /// The identifiers of all rows.
  static let expected: [String] = {
    func ids(_ system: String, _ ranges: ClosedRange<Int>...) -> [String] {
      ranges.flatMap { $0 }.map { "\(system)-\($0 < 10 ? "0" : "")\($0)" }
    }
    return ids("G9", 1...16, 20...25, 30...38, 40...47, 50...54, 60...71, 80...81)
      + ids("G4", 1...7, 10...25)
      + ids("BL", 1...20) + ids("DE", 1...25, 40...48)
  }()

  /// The mistakes of a page, given the names of all tests.
  static func findings(_ page: String, tests: [String]) -> [String] {
    // The tables of Dose and of Deli's properties have other columns.
    let rows = page.split(separator: "\n").compactMap { Row($0) }.filter { row in
      row.ids.allSatisfy { $0.hasPrefix("X") } || row.ids.contains { expected.contains($0) }
    }
    let known = Set(rows.flatMap(\.ids))
    var findings = expected.filter { !known.contains($0) }.map { "\($0) has no row" }
    for row in rows {
      let name = row.ids[0]
      guard row.isTaken else {
        if row.text.count < 12 || row.test != "–" { findings.append("\(name) has no reason") }
        continue
      }
      if row.tests.isEmpty { findings.append("\(name) names no test") }
      findings += row.tests.filter { test in !tests.contains { $0.hasPrefix("\(test) ") } }
        .map { "\(name): no test begins with '\($0)'" }
    }
    for id in expected where known.contains(id) {
      let own = rows.filter { $0.ids.contains(id) }
      guard own.contains(where: \.isTaken) else { continue }
      if !own.contains(where: { $0.tests.contains(id) }) {
        findings.append("\(id) names no test of its own")
      }
    }
    return findings
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func page() throws -> String {
    try String(contentsOf: root.appending(path: "Docs/PriorSystems.md"), encoding: .utf8)
  }

  /// The names of all tests that are written in backticks.
  private static func tests() throws -> [String] {
    try ["Tests", "Docs/Examples"].flatMap { folder in
      let folder = root.appending(path: folder)
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        .filter { $0.hasSuffix("Tests.swift") && !$0.contains(".build") }.sorted()
        .flatMap { path in
          try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            .matches(of: /func `([^`]+)`/).map { String($0.1) }
        }
    }
  }

  @Test func `has every row, each with an existing test or a reason`() throws {
    let page = try Self.page()
    try #expect(Self.findings(page, tests: Self.tests()) == [])
  }

  @Test func `has the rows of Deli's properties, each with a test`() throws {
    let page = try Self.page()
    let tests = try Self.tests()
    for id in (30...39).map({ "DE-\($0)" }) {
      #expect(page.contains("\n| \(id) | "), "\(id)")
      #expect(tests.contains { $0.hasPrefix("\(id) ") }, "\(id)")
    }
  }

  @Test func `without a row, a test or a reason is found`() {
    var rows = Self.expected.map { "| \($0) what | how | `\($0) …` |" }
    let tests = Self.expected.map { "\($0) is so" }
    #expect(Self.findings(rows.joined(separator: "\n"), tests: tests) == [])
    // The rows of the other systems are complete.
    let ids = ["G9-09", "G9-10", "G9-11", "G9-30", "G9-31", "G9-32"]
    let others = rows.filter { row in !ids.contains { row.hasPrefix("| \($0) ") } }
    rows = rows.filter { !others.contains($0) }
    rows.removeFirst()
    rows[0] = "| G9-10 what | how | `G9-99 …` |"
    rows[1] = "| G9-11 what | how | the other tests |"
    rows[2] = "| G9-30 what | – | – |"
    rows[3] = "| G9-31 what | – It cannot be done here | – |"
    rows[4] = "| G9-32 what | how | `G9-33 …` |"
    #expect(
      Self.findings((rows + others).joined(separator: "\n"), tests: tests) == [
        "G9-09 has no row", "G9-10: no test begins with 'G9-99'", "G9-11 names no test",
        "G9-30 has no reason", "G9-10 names no test of its own", "G9-11 names no test of its own",
        "G9-32 names no test of its own",
      ])
  }
}
