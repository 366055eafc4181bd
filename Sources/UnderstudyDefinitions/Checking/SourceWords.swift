// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The words of a Swift source: names, single symbols and literals, without comments. A regular
/// expression is a literal.
enum SourceWords {
  struct Word {
    /// The name or the symbol, or an empty text for a literal.
    let text: String
    /// The contents of a string literal without interpolations, with its escapes resolved, or `nil`
    /// for any other word.
    let literal: String?
    let line: Int
    let column: Int
  }

  /// Reads a source.
  ///
  /// - Complexity: O(n).
  static func read(_ source: String) -> [Word] {
    var lexer = Lexer(source)
    return lexer.words()
  }

  struct Lexer {
    let scalars: [UnicodeScalar]
    private(set) var index = 0
    /// The number of literals that enclose this one.
    private var nesting = 0
    private var line = 1
    private var lineStart = 0

    init(_ source: String) {
      scalars = Array(source.unicodeScalars)
    }

    private func starts(with text: String) -> Bool {
      scalars[index...].starts(with: text.unicodeScalars)
    }

    private mutating func advance() {
      if scalars[index] == "\n" {
        line += 1
        lineStart = index + 1
      }
      index += 1
    }

    mutating func words() -> [Word] {
      var words: [Word] = []
      while index < scalars.count {
        let (line, column) = (line, index - lineStart + 1)
        if scalars[index].properties.isWhitespace {
          advance()
        } else if starts(with: "//") {
          while index < scalars.count, scalars[index] != "\n" { advance() }
        } else if starts(with: "/*") {
          skipComment()
        } else if let fence = fence() {
          let literal = literal(fence)
          words.append(Word(text: "", literal: literal, line: line, column: column))
        } else if let end = endOfRegularExpression(after: words) {
          while index < end { advance() }
          words.append(Word(text: "", literal: nil, line: line, column: column))
        } else {
          words.append(Word(text: name(), literal: nil, line: line, column: column))
        }
      }
      return words
    }

    private mutating func skipComment() {
      var depth = 0
      repeat {
        if starts(with: "/*") {
          depth += 1
          index += 2
        } else if starts(with: "*/") {
          depth -= 1
          index += 2
        } else {
          advance()
        }
      } while depth > 0 && index < scalars.count
    }

    /// The opening delimiter of a literal that begins here: `"` or `"""`, with or without number
    /// signs. Its reverse ends the literal.
    private func fence() -> (quotes: String, signs: String)? {
      let signs = scalars[index...].prefix { $0 == "#" }.count
      let quotes = scalars[(index + signs)...].prefix { $0 == "\"" }
      guard let start = quotes.indices.first else { return nil }
      let isLong = quotes.count >= 3 && (signs == 0 || !endsInLine(from: start + 2, signs))
      return (isLong ? "\"\"\"" : "\"", String(repeating: "#", count: signs))
    }

    /// True if a quote with the number signs of a literal follows in the same line. Then the
    /// compiler reads `#"""#` as a literal of one line that contains one quote.
    private func endsInLine(from start: Int, _ signs: Int) -> Bool {
      for (index, scalar) in zip(start..., scalars[start...]) {
        if scalar == "\n" || scalar == "\r" { break }
        let after = scalars[(index + 1)...].prefix(signs)
        if scalar == "\"", after.count == signs, after.allSatisfy({ $0 == "#" }) { return true }
      }
      return false
    }

    private mutating func literal(_ fence: (quotes: String, signs: String)) -> String? {
      let escape = "\\" + fence.signs
      let end = fence.quotes + fence.signs
      var text = ""
      var isPlain = fence.quotes.count == 1
      index += end.count
      while index < scalars.count, !starts(with: end) {
        if starts(with: escape) {
          index += escape.count
          guard index < scalars.count else { return nil }
          if scalars[index] == "(" {
            isPlain = false
            skipInterpolation()
          } else if let scalar = escaped() {
            text.unicodeScalars.append(scalar)
          } else {
            isPlain = false
          }
          continue
        }
        text.unicodeScalars.append(scalars[index])
        advance()
      }
      guard index < scalars.count else { return nil }
      index += end.count
      return isPlain ? text : nil
    }

    /// The scalar of an escape sequence, or `nil` if it is invalid.
    private mutating func escaped() -> UnicodeScalar? {
      let letter = scalars[index]
      advance()
      switch letter {
      case "\"", "'", "\\": return letter
      case "0": return "\0"
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "u" where starts(with: "{"):
        let digits = scalars[(index + 1)...].prefix(9).prefix { $0.properties.isASCIIHexDigit }
        guard digits.count <= 8, digits.endIndex < scalars.count, scalars[digits.endIndex] == "}",
          let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        else { return nil }
        index = digits.endIndex + 1
        return UnicodeScalar(value)
      default: return nil
      }
    }

    private mutating func skipInterpolation() {
      // The compiler does not read it either.
      guard nesting < 128 else { return index = scalars.count }
      nesting += 1
      defer { nesting -= 1 }
      var depth = 0
      repeat {
        if let fence = fence() {
          _ = literal(fence)
          continue
        }
        if scalars[index] == "(" { depth += 1 }
        if scalars[index] == ")" { depth -= 1 }
        advance()
      } while depth > 0 && index < scalars.count
    }

    /// A name, or one symbol. Backticks are not part of a name.
    private mutating func name() -> String {
      func isPart(_ scalar: UnicodeScalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDContinue
      }
      var text = ""
      if scalars[index] == "`" {
        index += 1
        while index < scalars.count, scalars[index] != "`" {
          text.unicodeScalars.append(scalars[index])
          advance()
        }
        index = min(index + 1, scalars.count)
        return text
      }
      while index < scalars.count, isPart(scalars[index]) {
        text.unicodeScalars.append(scalars[index])
        index += 1
      }
      guard text.isEmpty else { return text }
      text.unicodeScalars.append(scalars[index])
      advance()
      return text
    }
  }
}
