// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What went wrong, as facts; and the one place that turns the facts into prose.
///
/// The layout is fixed: a headline, one fact a line with aligned labels, ways to fix it, a hint.
/// Control and bidirectional characters are shown as escapes, since a terminal obeys them.
package struct Message: Hashable, Sendable, CustomStringConvertible {
  package struct Fact: Hashable, Sendable {
    package let label: String
    package let text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  package var headline: String
  package var facts: [Fact]
  package var remedies: [String]
  package var hint: String?

  package init(
    _ headline: String, facts: [Fact] = [], remedies: [String] = [], hint: String? = nil
  ) {
    self.headline = headline
    self.facts = facts
    self.remedies = remedies
    self.hint = hint
  }

  package var description: String {
    var lines = [headline]
    let width = facts.map(\.label.count).max() ?? 0
    for fact in facts {
      let label = fact.label + String(repeating: " ", count: width - fact.label.count)
      let rows = fact.text.split(separator: "\n", omittingEmptySubsequences: false)
      lines.append("  \(label)  \(rows.first ?? "")")
      let indent = String(repeating: " ", count: width + 4)
      lines += rows.dropFirst().map { indent + $0 }
    }
    switch remedies.count {
    case 0: break
    case 1: lines.append("To fix:  \(remedies[0])")
    default:
      lines.append("To fix, do one of these:")
      lines += remedies.map { "  • \($0)" }
    }
    if let hint { lines.append(hint) }
    return lines.joined(separator: "\n").withoutAddresses.withInvisibleScalarsOfLinesEscaped
  }

  /// The same in one line: the headline, and the rest in parentheses.
  package var inOneLine: String {
    let rest = facts.map { "\($0.label) \($0.text)" } + remedies + (hint.map { [$0] } ?? [])
    let line = rest.isEmpty ? headline : "\(headline) (\(rest.joined(separator: "; ")))"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ").withoutAddresses
      .withInvisibleScalarsEscaped
  }
}

/// `1 call`, `2 calls`
package func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

extension [String] {
  /// The first five different texts, in order: thousands of tests may be running, and a test with
  /// arguments has a layer for each case.
  package var firstFive: [String] {
    let texts = Set(self).ordered { $0 }
    return texts.prefix(5) + (texts.count > 5 ? ["and others"] : [])
  }
}

extension String {
  /// The text without the addresses that stand for the file of a private type, or for the function
  /// of a local type. They differ from run to run.
  package var withoutAddresses: String {
    let mark = "(unknown context at $"
    guard utf8.contains(UInt8(ascii: "$")) else { return self }
    var kept = ""
    var rest = self[...]
    while let bracket = rest.firstIndex(of: "(") {
      kept += rest[..<bracket]
      rest = rest[bracket...]
      if rest.hasPrefix(mark), let end = rest.firstIndex(of: ")") {
        rest = rest[end...].dropFirst()
        if rest.first == "." { rest.removeFirst() }
      } else {
        kept.append(rest.removeFirst())
      }
    }
    return kept + rest
  }
}

extension String {
  /// How many characters must be inserted, removed or replaced to turn this into `other`.
  ///
  /// - Complexity: O(n × m).
  package func editDistance(to other: String) -> Int {
    let target = Array(other)
    var row = Array(0...target.count)
    for (index, character) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in target.indices {
        let replaced = diagonal + (character == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[target.count]
  }
}
