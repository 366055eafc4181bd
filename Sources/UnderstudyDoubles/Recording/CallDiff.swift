// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Expected and actual calls as a difference: `-` for expected, `+` for made, two blanks for both.
struct CallDiff: CustomStringConvertible {
  /// One line. Two lines are the same call if their tokens are equal.
  struct Line: Hashable, Sendable {
    let token: String
    let text: String

    static func == (left: Line, right: Line) -> Bool { left.token == right.token }
    func hash(into hasher: inout Hasher) { hasher.combine(token) }
  }

  let expected: [Line]
  let actual: [Line]
  /// Why missing calls are not those that were made, though both print alike.
  var differences: [String] = []

  /// The facts of a message.
  var facts: [Message.Fact] {
    let reasons = Set(differences).sorted().joined(separator: "\n")
    return [Message.Fact("Calls", "\(self)")]
      + (reasons.isEmpty ? [] : [Message.Fact("Differs", reasons)])
  }

  var description: String {
    guard !expected.isEmpty || !actual.isEmpty else { return "none" }
    let difference = actual.difference(from: expected)
    var removed: [Int: Line] = [:]
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, let line, _): removed[offset] = line
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var rows: [String] = []
    var old = 0
    var new = 0
    while old < expected.count || new < actual.count {
      if let line = removed[old] {
        rows.append("- \(line.text)")
        old += 1
      } else if new < actual.count, inserted.contains(new) {
        rows.append("+ \(actual[new].text)")
        new += 1
      } else {
        rows.append("  \(actual[new].text)")
        old += 1
        new += 1
      }
    }
    // The marks have a column of their own.
    return rows.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .map { $0.joined(separator: "\n  ") }.joined(separator: "\n")
  }
}
