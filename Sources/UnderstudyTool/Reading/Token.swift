// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A word or a sign of a declaration, with the symbol that it refers to.
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

extension [Token] {
  /// The tokens as they were written, without a space in front.
  var text: String {
    var text = ""
    for token in self {
      if token.spaceBefore && !text.isEmpty { text += " " }
      text += token.text
    }
    return text
  }

  /// The tokens of Swift text that refers to no symbols.
  init(parsing text: String) {
    self = Self(fragments: [SymbolGraph.Fragment(kind: "text", spelling: text)])
  }

  /// The tokens of a declaration.
  init(fragments: [SymbolGraph.Fragment]) {
    self = []
    var space = false
    for fragment in fragments {
      if last?.text == "@", fragment.preciseIdentifier != nil {
        // The compiler writes `@` and the name of an actor or a builder apart.
        self[count - 1].text += fragment.spelling
        self[count - 1].usr = fragment.preciseIdentifier
        space = false
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

  /// Lets `<` and `>` be no brackets where they compare: `1<2`.
  private mutating func markOperators() {
    guard contains(where: { $0.text == "=" }) else { return }
    var open: [Int] = []
    for position in indices where position == 0 || self[position - 1].text != "func" {
      switch self[position].text {
      case "(", "[", "{": open.append(position)
      case "<":
        // What compares a value is no list of a type's arguments.
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

extension SymbolGraph.Fragment {
  /// The spelling as Swift takes it: the compiler leaves a type's name that is a keyword, or no
  /// word, as it is.
  fileprivate var written: String {
    guard kind == "typeIdentifier", !spelling.hasPrefix("`") else { return spelling }
    // What refers to a declaration is called so; what does not is Swift's own.
    guard preciseIdentifier == nil else { return spelling.escapedType }
    return ["Self", "Any", "Type", "Protocol"].contains(spelling) ? spelling : spelling.escaped
  }
}

extension Token {
  /// Whether this is, or ends, a value: a literal, a call, an expression in brackets.
  fileprivate var isValue: Bool {
    guard let first = text.first else { return false }
    return first.isNumber || "\"#)]".contains(first) || text == "true" || text == "false"
  }
}

/// Cuts Swift text into words and signs.
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
    if first == "`" {
      let end = rest.dropFirst().firstIndex(of: "`").map { rest.index(after: $0) } ?? rest.endIndex
      return take(rest[..<end])
    }
    // What a default value is made of: no bracket and no comma of it is one of the declaration.
    if let end = rest.endOfLiteral(at: rest.startIndex) { return take(rest[..<end]) }
    if last == "func" {
      let name = rest.prefix { "+-*/=<>!&|^~%?.".contains($0) }
      if !name.isEmpty, rest[name.endIndex...].first?.isWhitespace == true { return take(name) }
    }
    for sign in ["->", "...", "..<", "<<", "<=", "=="] where rest.hasPrefix(sign) {
      return take(rest.prefix(sign.count))
    }
    // Unless it is the name of a function.
    if space, last != "func", first == "<" || first == ">" {
      let sign = rest.prefix { "<>=".contains($0) }
      // With the space after it, so that it is no bracket.
      if rest[sign.endIndex...].first?.isWhitespace == true {
        return take(rest.prefix(sign.count + 1))
      }
    }
    if first == "@" { return take(rest.prefix(1) + rest.dropFirst().prefix(while: isWord)) }
    return take(isWord(first) ? rest.prefix(while: isWord) : rest.prefix(1))
  }

  private func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || !character.isASCII
  }

  private mutating func take(_ text: some StringProtocol) -> String {
    rest.removeFirst(text.count)
    last = String(text)
    return last
  }
}
