// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The `@_spi` groups of the declarations in a source. A graph does not contain them.
struct SPIGroups {
  private struct Mark {
    var line: Int
    var column: Int
    var group: String?
  }

  /// The keyword of each declaration, with the declaration's group.
  private var marks: [Mark] = []
  private let source: Substring
  private var position: Substring.Index
  private var line = 0
  private var lineStart: Substring.Index
  /// The group of each declaration around the position.
  private var scopes: [String?] = []
  /// The group of the declaration whose braces come next.
  private var declared: String?
  /// The group in an attribute of the declaration that comes next.
  private var attribute: String?

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "func", "var", "let", "init", "extension",
    "subscript", "typealias", "associatedtype", "import", "case", "macro",
  ]

  /// The group of each symbol whose source is available.
  static func find(
    in symbols: [SymbolGraph.Symbol], source: (String) -> String?
  ) -> [String: String] {
    var groups: [String: String] = [:]
    var read: [String: SPIGroups] = [:]
    for symbol in symbols {
      guard let location = symbol.location else { continue }
      let known = read[location.uri] ?? SPIGroups(source(location.uri) ?? "")
      read[location.uri] = known
      groups[symbol.identifier.precise] = known.group(at: location.position)
    }
    return groups
  }

  private init(_ text: String) {
    source = text[...]
    position = source.startIndex
    lineStart = source.startIndex
    read()
  }

  /// The group of the declaration whose name is at a position.
  private func group(at position: SymbolGraph.Symbol.Location.Position) -> String? {
    marks.last { ($0.line, $0.column) <= (position.line, position.character) }?.group
  }

  private mutating func read() {
    while position < source.endIndex {
      let rest = source[position...]
      if let end = rest.endOfComment ?? rest.endOfText(after: source[..<position].last) {
        move(to: end)
      } else if rest.first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        move(to: source.index(after: end))
      } else if rest.first == "@",
        let match = rest.prefixMatch(of: #/@_spi\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*\)/#)
      {
        attribute = String(match.1)
        move(to: match.range.upperBound)
      } else if rest.first?.isNameLetter == true {
        readWord(rest.prefix(while: \.isNameLetter))
      } else {
        readSign(source[position])
        move(to: source.index(after: position))
      }
    }
  }

  private mutating func move(to end: Substring.Index) {
    while let newline = source[position..<end].firstIndex(where: \.endsLine) {
      line += 1
      position = source.index(after: newline)
      lineStart = position
    }
    position = end
  }

  private mutating func readWord(_ word: Substring) {
    if Self.keywords.contains(String(word)), source[..<position].last != ".",
      word != "class" || !isModifier(before: word.endIndex)
    {
      declared = attribute ?? scopes.last ?? nil
      attribute = nil
      let column = source.utf8.distance(from: lineStart, to: position)
      marks.append(Mark(line: line, column: column, group: declared))
    }
    position = word.endIndex
  }

  /// Whether `class` is a modifier, as in `class func`.
  private func isModifier(before rest: Substring.Index) -> Bool {
    let next = source[rest...].drop(while: \.isWhitespace).prefix(while: \.isNameLetter)
    return ["func", "var", "let", "subscript", "override", "final"].contains(next)
  }

  private mutating func readSign(_ sign: Character) {
    switch sign {
    case "{": scopes.append(declared ?? scopes.last ?? nil)
    case "}": _ = scopes.popLast()
    default: return
    }
    declared = nil
    attribute = nil
  }
}
