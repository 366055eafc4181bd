// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A word or a sign of a declaration, with the symbol to which it refers.
struct Token: Hashable {
  var text: String
  /// The symbol's unique identifier, if the compiler gave one.
  var usr: String?
  var spaceBefore = false

  init(_ text: String, usr: String? = nil, spaceBefore: Bool = false) {
    self.text = text
    self.usr = usr
    self.spaceBefore = spaceBefore
  }
}

extension Sequence<Token> {
  /// The text of the tokens, without a space in front.
  var text: String {
    var text = ""
    for token in self {
      if token.spaceBefore && !text.isEmpty { text += " " }
      text += token.text
    }
    return text
  }
}

extension String {
  /// Whether the name of an actor or a builder is to follow: `@Database.`
  fileprivate var isAttributePath: Bool { first == "@" && last == "." }
}

extension [Token] {
  /// The tokens of Swift text without references to symbols.
  init(parsing text: String) {
    self = Self(fragments: [SymbolGraph.Fragment(kind: "text", spelling: text)])
  }

  /// The tokens of a declaration.
  init(fragments: [SymbolGraph.Fragment]) {
    self = []
    var space = false
    for fragment in fragments {
      if let text = last?.text, text == "@" || text.isAttributePath,
        fragment.preciseIdentifier != nil
      {
        // The compiler separates `@` from the name of an actor or a builder, and its parts.
        self[count - 1].text += fragment.spelling
        self[count - 1].usr = fragment.preciseIdentifier
        space = false
      } else if fragment.spelling == ".", last?.usr != nil, last?.text.first == "@" {
        self[count - 1].text += "."
      } else if ["text", "keyword", "attribute"].contains(fragment.kind) {
        var scanner = TokenScanner(fragment.spelling)
        while let text = scanner.next(&space) {
          append(Token(text, usr: fragment.preciseIdentifier, spaceBefore: space))
          space = false
        }
      } else {
        append(Token(fragment.written, usr: fragment.preciseIdentifier, spaceBefore: space))
        space = false
      }
    }
    markOperators()
  }

  /// Makes `<` and `>` comparison operators if they are not brackets, as in `1<2`.
  private mutating func markOperators() {
    guard contains(where: { $0.text == "=" }) else { return }
    var open: [Int] = []
    for position in indices where position == 0 || self[position - 1].text != "func" {
      switch self[position].text {
      case "(", "[", "{": open.append(position)
      case "<":
        // A sign after a value is a comparison, not a list of generic arguments.
        if position > 0, self[position - 1].isValue {
          self[position].text = "< "
        } else {
          open.append(position)
        }
      case ">":
        if let last = open.last, self[last].text == "<" {
          open.removeLast()
        } else {
          self[position].text = "> "
        }
      case ")", "]", "}":
        while let last = open.popLast(), self[last].text == "<" { self[last].text = "< " }
      default: break
      }
    }
  }
}

extension SymbolGraph.Symbol {
  /// The tokens of its declaration.
  var tokens: [Token] { [Token](fragments: declarationFragments ?? []) }

  /// The type that an alias stands for, or `nil` for any other symbol.
  var underlyingType: [Token]? {
    guard isAlias else { return nil }
    let tokens = self.tokens
    let end = tokens[...].first(["where"]) ?? tokens.endIndex
    return tokens[...].first(["="]).map { Array(tokens[..<end].dropFirst($0 + 1)) }
  }
}

extension SymbolGraph.Fragment {
  /// The spelling in Swift source. The compiler omits the backticks of a type with the name of a
  /// keyword, or with a raw identifier.
  fileprivate var written: String {
    guard kind == "typeIdentifier", !spelling.hasPrefix("`") else { return spelling }
    // A name that refers to a declaration is a type's name. Any other one is a keyword, or a
    // generic parameter, for which extracted graphs have no identifier.
    if let usr = preciseIdentifier, !usr.hasSuffix("mfp") { return spelling.escapedType }
    return ["Self", "Any", "Type", "Protocol"].contains(spelling) ? spelling : spelling.escaped
  }
}

extension Token {
  /// Whether this is a value or ends one: a literal, a call, an expression in parentheses.
  fileprivate var isValue: Bool {
    guard let first = text.first else { return false }
    return first.isNumber || "\"#)]".contains(first) || text == "true" || text == "false"
  }
}

/// Splits Swift text into words and signs.
private struct TokenScanner {
  private var rest: Substring
  private var last = ""

  init(_ text: String) {
    rest = text[...]
  }

  mutating func next(_ space: inout Bool) -> String? {
    while let first = rest.first, first.isWhitespace {
      space = true
      rest.removeFirst()
    }
    guard let first = rest.first else { return nil }
    if isWord(first) { return take(rest[..<endOfWord(from: rest.startIndex)]) }
    if first == "`" {
      let end = rest.dropFirst().firstIndex(of: "`").map { rest.index(after: $0) } ?? rest.endIndex
      return take(rest[..<end])
    }
    // The brackets and commas in a literal do not belong to the declaration.
    if let end = rest.endOfLiteral(at: rest.startIndex) { return take(rest[..<end]) }
    if last == "func" {
      let name = rest.prefix { "+-*/=<>!&|^~%?.".contains($0) }
      if !name.isEmpty, rest[name.endIndex...].first?.isWhitespace == true { return take(name) }
    }
    for sign in Self.signs where rest.hasPrefix(sign) { return take(rest.prefix(sign.count)) }
    // An exception is the name of an operator function.
    if space, last != "func", first == "<" || first == ">" {
      let sign = rest.prefix { "<>=".contains($0) }
      // The space after it shows that it is no bracket.
      if rest[sign.endIndex...].first?.isWhitespace == true {
        return take(rest.prefix(sign.count + 1))
      }
    }
    let end = rest.index(after: rest.startIndex)
    return take(rest[..<(first == "@" ? endOfWord(from: end) : end)])
  }

  /// The signs of several characters.
  private static let signs = ["->", "...", "..<", "<<", "<=", "=="]

  /// The end of the word that starts at a position, which is the same position if none does.
  private func endOfWord(from start: Substring.Index) -> Substring.Index {
    let word = rest.utf8[start...].prefix { Unicode.Scalar($0).isASCIIWord }
    // Only a word with other letters has to be read by characters.
    guard let next = rest.utf8[word.endIndex...].first, next >= 0x80 else { return word.endIndex }
    return rest[start...].prefix(while: isWord).endIndex
  }

  private func isWord(_ character: Character) -> Bool {
    character.unicodeScalars.first.map { !$0.isASCII || $0.isASCIIWord } ?? false
  }

  /// Takes a text at the start of the rest.
  private mutating func take(_ text: Substring) -> String {
    rest = rest[text.endIndex...]
    last = String(text)
    return last
  }
}
