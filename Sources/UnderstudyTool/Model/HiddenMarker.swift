// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A private declaration whose documentation comment contains a line for this tool.
///
/// A compiled module has no documentation of private declarations, so only the source contains it.
struct HiddenMarker: Hashable {
  /// The word of the line: `component`, `double` …
  var word: String
  /// `private` or `fileprivate`, of the declaration or of one around it.
  var access: String
  /// The name of the declaration.
  var name: String
  /// The position of the name, starting at 1.
  var line: Int
  var column: Int

  /// Finds the markers of private declarations in a source.
  static func all(in source: String) -> [HiddenMarker] {
    guard source.contains("Understudy:") else { return [] }
    // An extension may come before its type, which is in the same file if it is private.
    var types = HiddenMarkerReader(source, hidden: [:])
    types.read()
    var reader = HiddenMarkerReader(source, hidden: types.hiddenTypes)
    reader.read()
    return reader.found
  }
}

/// A line for this tool below an attribute or a modifier. Swift reads it as no documentation
/// comment of the declaration, so no graph contains it.
struct MisplacedMarker: Hashable {
  /// The word of the line: `component`, `double` …
  var word: String
  /// The position of the comment, starting at 1.
  var line: Int
  var column: Int

  /// The errors about the lines with some words in a source.
  static func problems(of words: [String], in source: String, at path: String) -> [Diagnostic] {
    all(in: source).filter { words.contains($0.word) }.map { marker in
      Diagnostic(
        place: SourcePlace(path: path, line: marker.line, column: marker.column),
        message: "`- Understudy: \(marker.word)` has no effect: it stands below an attribute or a "
          + "modifier. Move it above them.")
    }
  }

  /// Finds the lines in a source.
  static func all(in source: String) -> [MisplacedMarker] {
    guard source.contains("Understudy:") else { return [] }
    var reader = HiddenMarkerReader(source, hidden: [:])
    reader.read()
    return reader.misplaced
  }
}

/// Reads the documentation comments, the heads of declarations and the braces of a source.
private struct HiddenMarkerReader {
  /// The declaration around others.
  private struct Scope {
    var access: String?
    var isExtension = false
    /// The name of the type with the names of its outer types.
    var path = ""
  }

  private(set) var found: [HiddenMarker] = []
  private(set) var misplaced: [MisplacedMarker] = []
  /// The access levels of the private types that were read, by their paths.
  private(set) var hiddenTypes: [String: String] = [:]
  /// The private types of the whole source.
  private let hidden: [String: String]
  private let source: Substring
  private var position: Substring.Index
  private var scopes: [Scope] = []
  /// The word of the last documentation comment.
  private var word: String?
  /// Whether an attribute or a modifier came before, but not yet the keyword of its declaration.
  private var isBelowAttribute = false
  /// The open parentheses and square brackets.
  private var depth = 0
  /// The last sign or letter outside comments.
  private var last: Character?
  /// The access level that the declaration itself has.
  private var access: String?
  private var kind: String?
  /// The declaration whose braces come next.
  private var declared: Scope?

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "func", "var", "let", "init", "extension",
    "subscript", "typealias", "associatedtype", "import", "case",
  ]
  private static let levels: Set<String> = [
    "private", "fileprivate", "internal", "package", "public", "open",
  ]

  private static let modifiers = levels.union([
    "final", "static", "nonisolated", "indirect", "override", "required", "convenience", "lazy",
    "weak", "unowned", "dynamic", "mutating", "nonmutating", "distributed",
  ])
  /// The signs after which a type continues in the next line.
  private static let typeSigns = ":,=([&-"
  private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol"]

  init(_ source: String, hidden: [String: String]) {
    self.hidden = hidden
    self.source = source[...]
    position = self.source.startIndex
  }

  mutating func read() {
    while position < source.endIndex {
      let rest = source[position...]
      if let end = rest.endOfComment {
        readComment(rest[..<end])
        position = end
      } else if let end = rest.endOfText(after: source[..<position].last) {
        position = end
        last = "\""
      } else if source[position].isNameLetter {
        let name = rest.prefix(while: \.isNameLetter)
        readStart(with: name)
        readName(name)
        position = name.endIndex
        last = name.last
      } else {
        readSign(source[position])
        // The end of an arrow is no bracket.
        let isArrow = source[position] == ">" && last == "-"
        if !source[position].isWhitespace, !isArrow { last = source[position] }
        position = source.index(after: position)
      }
    }
  }

  private mutating func readComment(_ comment: Substring) {
    if comment.hasPrefix("///") {
      readLine(comment.dropFirst(3), at: comment.startIndex)
    }
    guard comment.hasPrefix("/**") else { return }
    for line in comment.dropFirst(3).dropLast(2).split(whereSeparator: \.isNewline) {
      let text = line.drop(while: \.isWhitespace)
      readLine(text.hasPrefix("*") ? text.dropFirst() : text, at: text.startIndex)
    }
  }

  private mutating func readLine(_ line: Substring, at place: Substring.Index) {
    guard let word = Self.word(of: line) else { return }
    if isBelowAttribute {
      let (line, column) = numbers(of: place)
      misplaced.append(MisplacedMarker(word: word, line: line, column: column))
    } else {
      self.word = word
    }
  }

  /// The word of a line for the tool, or `nil` for any other line.
  private static func word(of line: Substring) -> String? {
    MarkerLine(String(line)).flatMap { $0.problem == nil ? $0.words.first : nil }
  }

  /// Reads a word of which a declaration may consist, up to its keyword.
  private mutating func readStart(with name: Substring) {
    guard depth == 0, ![".", "`"].contains(last), kind == nil else { return }
    let text = String(name)
    guard last != "@" else { return }
    let isModifier = Self.modifiers.contains(text) && source[name.endIndex...].first != "("
    isBelowAttribute =
      Self.modifiers.contains(text) && isBelowAttribute
      || isModifier && (startsLine(name.startIndex) || isBelowAttribute)
  }

  /// Whether a place is the first one of its line, or of a body, and no type continues there.
  private func startsLine(
    _ place: Substring.Index, unlessAfter signs: String = typeSigns + "|+*/%^~<."
  ) -> Bool {
    guard let last else { return true }
    if ["{", "}", ";"].contains(last) { return true }
    return !signs.contains(last)
      && source[..<place].suffix { !$0.endsLine }.allSatisfy(\.isWhitespace)
  }

  /// The line and the column of a place, starting at 1.
  private func numbers(of place: Substring.Index) -> (line: Int, column: Int) {
    let before = source[..<place]
    return (
      before.count { $0.endsLine } + 1, before.suffix { !$0.endsLine }.utf8.count + 1
    )
  }

  private mutating func readSign(_ sign: Character) {
    switch sign {
    case "(", "[": depth += 1
    case ")", "]": depth = max(0, depth - 1)
    case "@":
      // An attribute at the start of a line continues no expression.
      if depth == 0, startsLine(position, unlessAfter: Self.typeSigns) { isBelowAttribute = true }
    default: break
    }
    guard ["{", "}", ";"].contains(sign) else { return }
    if sign == "{" {
      scopes.append(declared ?? Scope(access: scopes.last?.access, path: scopes.last?.path ?? ""))
    }
    if sign == "}" { _ = scopes.popLast() }
    declared = nil
    access = nil
    kind = nil
    isBelowAttribute = false
  }

  private mutating func readName(_ name: Substring) {
    let text = String(name)
    let isMember = source[..<name.startIndex].last == "."
    let isNameless = ["init", "subscript"].contains(text) && !isMember
    // `private(set)` does not make the declaration private.
    let isModifier = !isMember && source[name.endIndex...].first?.isWhitespace == true
    if Self.levels.contains(text), kind == nil, isModifier {
      access = text
    } else if kind == "class", Self.kinds.contains(text) {
      kind = text
    } else if kind != nil || isNameless {
      readHead(name, kind: kind ?? text)
    } else if Self.kinds.contains(text), !isMember {
      kind = text
    }
  }

  /// Reads the name of a declaration, which ends its head.
  private mutating func readHead(_ name: Substring, kind: String) {
    let isPrivate = access?.hasSuffix("private") == true
    let isOpened = access != nil && scopes.last?.isExtension == true
    let isExtension = kind == "extension"
    let path = isExtension ? extended(from: name) : [scopes.last?.path ?? "", String(name)]
    let names = path.filter { !$0.isEmpty }
    let outer = isExtension ? access(of: names) : scopes.last?.access
    let effective = isPrivate ? access : isOpened ? nil : outer
    if Self.types.contains(kind), let effective {
      hiddenTypes[names.joined(separator: ".")] = effective
    }
    if let word, let effective {
      let (line, column) = numbers(of: name.startIndex)
      found.append(
        HiddenMarker(
          word: word, access: effective, name: String(name), line: line, column: column))
    }
    declared = Scope(
      access: effective, isExtension: isExtension, path: names.joined(separator: "."))
    word = nil
    access = nil
    self.kind = nil
  }

  /// The names of an extended type, from the first one.
  private func extended(from name: Substring) -> [String] {
    source[name.startIndex...].prefix { $0.isNameLetter || $0 == "." }.split(separator: ".")
      .map(String.init)
  }

  /// The access level of a private type, or of a private type around it.
  private func access(of names: [String]) -> String? {
    names.indices.lazy.compactMap { hidden[names[...$0].joined(separator: ".")] }.first
  }
}

extension Substring {
  fileprivate func suffix(_ isPart: (Character) -> Bool) -> Substring {
    self[(lastIndex { !isPart($0) }.map(index(after:)) ?? startIndex)...]
  }
}
