// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension String {
  /// The word as an identifier, in backticks if it needs them.
  var escaped: String {
    if isWord, self != "_", !Self.keywords.contains(self) { return self }
    // No character may end the backticks, whatever a symbol graph contains.
    let name = unicodeScalars.map { scalar in
      scalar == "`" || scalar.properties.generalCategory == .control ? "_" : Character(scalar)
    }
    return "`\(String(name))`"
  }

  /// The word as the name of a type, in backticks also if it is a word that may precede a type.
  var escapedType: String { Self.typeWords.contains(self) ? "`\(self)`" : escaped }

  /// The word as an argument label, for which only one keyword needs backticks.
  var escapedArgument: String { self == "inout" ? "`inout`" : isWord ? self : escaped }

  /// Whether it can be an identifier without backticks, unless it is a keyword.
  var isWord: Bool {
    first?.isNumber != true
      && unicodeScalars.allSatisfy { !$0.isASCII || $0.isASCIIWord }
  }

  /// The word as a label, for which only three keywords need backticks.
  var escapedLabel: String {
    if ["inout", "var", "let"].contains(self) { return "`\(self)`" }
    return self == "_" || Self.keywords.contains(self) ? self : escaped
  }

  /// Whether the word consists of operator characters.
  var isOperator: Bool { !isEmpty && allSatisfy(\.isOperatorSign) }

  private static let typeWords: Set<String> = [
    "any", "borrowing", "consuming", "each", "isolated", "nonisolated", "sending", "some",
  ]

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

extension String {
  /// The text inside a string literal. It is escaped by Unicode scalar, because a quotation mark
  /// with a combining mark is another `Character` but still ends a literal.
  var literal: String {
    var literal = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\", "\"": literal.unicodeScalars.append(contentsOf: ["\\", scalar])
      case _ where scalar.isInvisible: literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal
  }
}

extension Character {
  var isOperatorSign: Bool {
    if isASCII { return "/=-+!*%<>&|^~?.".contains(self) }
    guard let sign = unicodeScalars.first?.value else { return false }
    return Self.signs.contains { $0.contains(sign) }
  }

  /// The other operator heads in the Swift grammar.
  private static let signs: [ClosedRange<UInt32>] = [
    0xA1...0xA7, 0xA9...0xA9, 0xAB...0xAC, 0xAE...0xAE, 0xB0...0xB1, 0xB6...0xB6, 0xBB...0xBB,
    0xBF...0xBF, 0xD7...0xD7, 0xF7...0xF7, 0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E,
    0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF,
    0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3020, 0x3030...0x3030,
  ]
}

extension Unicode.Scalar {
  /// Whether it is a letter or a digit of ASCII, or an underscore. The properties of characters are
  /// looked up in tables, which is slow.
  var isASCIIWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
