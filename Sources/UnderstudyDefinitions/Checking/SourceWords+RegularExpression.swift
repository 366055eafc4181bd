// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension SourceWords.Lexer {
  /// The end of a regular expression that begins here, or `nil`.
  ///
  /// `#/` always begins one. `/` begins one if an operand is expected, no blank follows, and it
  /// ends in its line. Otherwise it is an operator. The compiler has the same rule.
  func endOfRegularExpression(after words: [SourceWords.Word]) -> Int? {
    let signs = scalars[index...].prefix { $0 == "#" }.count
    let start = index + signs + 1
    guard start <= scalars.count, scalars[start - 1] == "/" else { return nil }
    // Most slashes are operators, for which the rest of the line must not be read.
    guard signs > 0 || isOperandExpected(after: words) else { return nil }
    let line = scalars[start...].prefix { $0 != "\n" }
    if signs > 0 {
      let isLong = line.allSatisfy(\.properties.isWhitespace)
      let body = isLong ? scalars[start...] : line
      return end(of: body, signs: signs) ?? (isLong ? scalars.count : nil)
    }
    guard let first = line.first, !first.properties.isWhitespace else { return nil }
    return end(of: line, signs: 0)
  }

  /// The end of a regular expression's body, at a slash and the same number of number signs.
  private func end(of body: ArraySlice<UnicodeScalar>, signs: Int) -> Int? {
    var next = body.startIndex
    // Brackets contain characters, and parentheses are groups.
    var (brackets, parentheses) = (0, 0)
    while next < body.endIndex {
      switch body[next] {
      case "\\": next += 1
      case "/" where body[(next + 1)...].prefix(signs).count { $0 == "#" } == signs:
        let isBlank = scalars[next - 1].properties.isWhitespace
        return signs == 0 && isBlank ? nil : next + 1 + signs
      case "[": brackets += 1
      case "]": brackets -= 1
      case "(" where brackets == 0: parentheses += 1
      case ")" where brackets == 0:
        parentheses -= 1
        // This parenthesis closes a call with an operator as its argument.
        if signs == 0, parentheses < 0 { return nil }
      default: break
      }
      next += 1
    }
    return nil
  }

  /// True if the previous word is not an operand, and does not touch this one.
  private func isOperandExpected(after words: [SourceWords.Word]) -> Bool {
    guard index > 0, let last = words.last else { return true }
    let before = scalars[index - 1]
    guard before.properties.isWhitespace || "([{,;:".unicodeScalars.contains(before) else {
      return false
    }
    switch last.text {
    // A literal is an operand.
    case "", ")", "]", "}": return false
    case "!", "?": return words.dropLast().last?.text == "try"
    default:
      guard let first = last.text.unicodeScalars.first,
        first == "_" || first.properties.isXIDContinue
      else { return true }
      return Self.wordsBeforeOperands.contains(last.text)
    }
  }

  private static let wordsBeforeOperands: Set<String> = [
    "await", "case", "catch", "consume", "copy", "else", "guard", "if", "in", "is", "repeat",
    "return", "switch", "throw", "try", "where", "while", "yield",
  ]
}
