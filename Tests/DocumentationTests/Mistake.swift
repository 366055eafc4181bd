// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

/// A row of Docs/Mistakes.md.
struct MistakeRow: Hashable, CustomStringConvertible {
  var mistake: String
  /// The headline, and the labels of facts, since two mistakes may have the same headline.
  var said: [String]
  var weight: String

  /// The rows of all tables of the page.
  static let all: [MistakeRow] =
    (try? Page(path: "Docs/Mistakes.md").text)?.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, cells[1] != "mistake", !cells[1].hasPrefix("---") else { return nil }
      let code = cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return MistakeRow(mistake: cells[1], said: code, weight: cells[3])
    } ?? []

  var description: String {
    "| \(mistake) | \(said.map { "`\($0)`" }.joined(separator: " with ")) | \(weight) |"
  }
}

/// A mistake as code.
struct Mistake: Sendable, CustomTestStringConvertible {
  let name: String
  /// The labels of facts that the row names.
  let facts: [String]
  let make: @Sendable @concurrent (Resolver) async throws -> Void

  init(
    _ name: String, facts: [String] = [],
    make: @escaping @Sendable @concurrent (Resolver) async throws -> Void
  ) {
    self.name = name
    self.facts = facts
    self.make = make
  }

  var testDescription: String { name }

  func row(_ text: String, weight: String) -> MistakeRow {
    let headline = text.split(separator: "\n").first.map(String.init) ?? ""
    let labels = facts.filter { text.contains("\n  \($0)  ") }
    return MistakeRow(
      mistake: name,
      said: [
        headline.replacing(#/of the test '[^']*'/#, with: "of the test '…'")
          .replacing(#/[A-Za-z]+/[A-Za-z]+\.swift:\d+/#, with: "…")
      ] + labels,
      weight: weight)
  }
}
