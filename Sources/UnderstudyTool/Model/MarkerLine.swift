// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A line of a documentation comment for this tool, `- Understudy: double`, or a misspelt one.
struct MarkerLine: Hashable {
  /// The words after `- Understudy:`. Words in quotation marks count as one.
  let words: [String]
  /// A message if the line is misspelt and so has no effect.
  let problem: String?

  private static let start = "- Understudy:"

  /// Reads a line, or returns `nil` if the line is not for the tool.
  init?(_ line: String) {
    let words = Self.words(of: line[...])
    if words.prefix(2) == ["-", "Understudy:"] {
      self.words = Array(words.dropFirst(2))
      problem = nil
      return
    }
    let bullets: Set<Character> = ["-", "*", "+", "•", "–", "—"]
    let text = line.drop { $0.isWhitespace || bullets.contains($0) }
    let name = text.prefix { $0.isLetter }
    guard (8...12).contains(name.count), NearMiss.distance("Understudy", String(name)) <= 2 else {
      return nil
    }
    let end = text.dropFirst(name.count).drop(while: \.isWhitespace)
    let rest = end.first == ":" ? end.dropFirst() : end
    self.words = Self.words(of: rest)
    // A line without a colon may be a sentence, or the end of one.
    let isListed = line.first { !$0.isWhitespace }.map(bullets.contains) == true
    guard end.first == ":" || isListed && self.words.count == 1 else { return nil }
    let right = Self.start + " " + Self.plain(rest)
    problem = "`\(Self.plain(line[...]))` has no effect. Did you mean `\(right)`?"
  }

  /// Whether the first word is one of these, or similar to one.
  func begins(with known: [String]) -> Bool {
    guard let word = words.first else { return false }
    return known.contains { NearMiss.distance($0, word) <= 2 }
  }

  /// A text with single spaces between words.
  private static func plain(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func words(of line: Substring) -> [String] {
    var words: [String] = []
    for (position, part) in line.split(separator: "\"", omittingEmptySubsequences: false)
      .enumerated()
    {
      if position.isMultiple(of: 2) {
        words += part.split(whereSeparator: \.isWhitespace).map(String.init)
      } else {
        words.append(String(part))
      }
    }
    return words
  }
}
