// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Substring {
  /// The end of the string literal at `start`, of any form, or `nil` if none starts there.
  func endOfLiteral(at start: Index) -> Index? {
    let pounds = self[start...].prefix { $0 == "#" }
    let body = self[pounds.endIndex...]
    guard body.first == "\"" else { return nil }
    let quote = body.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    let (close, escape) = (quote + pounds, "\\" + pounds)
    var position = index(pounds.endIndex, offsetBy: quote.count)
    while position < endIndex {
      let rest = self[position...]
      if rest.hasPrefix(close) { return index(position, offsetBy: close.count) }
      if rest.hasPrefix(escape + "(") {
        position = endOfInterpolation(at: index(position, offsetBy: escape.count))
      } else if rest.hasPrefix(escape) {
        position = index(position, offsetBy: escape.count + 1, limitedBy: endIndex) ?? endIndex
      } else {
        position = index(after: position)
      }
    }
    return endIndex
  }

  /// The end of the interpolation at `start`. Strings inside it may contain parentheses.
  private func endOfInterpolation(at start: Index) -> Index {
    var depth = 0
    var position = start
    while position < endIndex {
      if let end = endOfLiteral(at: position) {
        position = end
        continue
      }
      if self[position] == "(" { depth += 1 }
      if self[position] == ")" { depth -= 1 }
      position = index(after: position)
      if depth == 0 { return position }
    }
    return endIndex
  }
}

extension Substring {
  /// The end of the block comment that starts here, which may contain others.
  private var endOfBlockComment: Index {
    var depth = 0
    var position = startIndex
    while position < endIndex {
      let rest = self[position...]
      guard rest.hasPrefix("/*") || rest.hasPrefix("*/") else {
        position = index(after: position)
        continue
      }
      depth += rest.hasPrefix("/*") ? 1 : -1
      position = index(position, offsetBy: 2)
      if depth == 0 { break }
    }
    return position
  }

  /// The end of the comment that starts here, or `nil`.
  var endOfComment: Index? {
    if hasPrefix("//") { return firstIndex(where: \.endsLine) ?? endIndex }
    return hasPrefix("/*") ? endOfBlockComment : nil
  }

  /// The end of the string or the regular expression that starts here, or `nil`.
  func endOfText(after previous: Character?) -> Index? {
    endOfString ?? endOfExpression(after: previous)
  }

  /// The end of the regular expression `/…/` that starts here, or `nil`. Such an expression stands
  /// where a value begins, ends on its line, and does not begin with a space.
  private func endOfExpression(after previous: Character?) -> Index? {
    let mayBegin = previous.map { $0.isWhitespace || "(,=:[".contains($0) } ?? true
    guard mayBegin, first == "/", dropFirst().first?.isWhitespace == false else { return nil }
    var isEscaped = false
    for position in indices.dropFirst() {
      let character = self[position]
      if character.endsLine { return nil }
      if character == "/", !isEscaped { return index(after: position) }
      isEscaped = character == "\\" && !isEscaped
    }
    return nil
  }

  /// The end of the string or the regular expression `#/…/#` that starts here, or `nil`.
  private var endOfString: Index? {
    if hasPrefix("#/") { return dropFirst(2).firstRange(of: "/#")?.upperBound }
    guard first == "\"" || first == "#", let end = endOfLiteral(at: startIndex) else { return nil }
    // A quotation mark in a regular expression starts no string.
    let isWhole =
      drop { $0 == "#" }.hasPrefix("\"\"\"") || !self[..<end].contains(where: \.endsLine)
    return isWhole ? end : nil
  }
}

extension Character {
  /// Whether the compiler begins a line after it. `isNewline` is true for five more, such as a form
  /// feed.
  var endsLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }

  /// Whether it can be a part of a name without backticks, as an emoji can.
  var isNameLetter: Bool {
    isLetter || isNumber || self == "_" || !isASCII && !isWhitespace && !isOperatorSign
  }
}
