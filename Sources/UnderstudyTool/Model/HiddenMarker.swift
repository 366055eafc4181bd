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
  /// The access levels of the private types that were read, by their paths.
  private(set) var hiddenTypes: [String: String] = [:]
  /// The private types of the whole source.
  private let hidden: [String: String]
  private let source: Substring
  private var position: Substring.Index
  private var scopes: [Scope] = []
  /// The word of the last documentation comment.
  private var word: String?
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
      } else if source[position].isNameLetter {
        let name = rest.prefix(while: \.isNameLetter)
        readName(name)
        position = name.endIndex
      } else {
        readSign(source[position])
        position = source.index(after: position)
      }
    }
  }

  private mutating func readComment(_ comment: Substring) {
    if comment.hasPrefix("///") { readLine(comment.dropFirst(3)) }
    guard comment.hasPrefix("/**") else { return }
    for line in comment.dropFirst(3).dropLast(2).split(whereSeparator: \.isNewline) {
      let text = line.drop(while: \.isWhitespace)
      readLine(text.hasPrefix("*") ? text.dropFirst() : text)
    }
  }

  private mutating func readLine(_ line: Substring) {
    if let marker = MarkerLine(String(line)), marker.problem == nil { word = marker.words.first }
  }

  private mutating func readSign(_ sign: Character) {
    guard ["{", "}", ";"].contains(sign) else { return }
    if sign == "{" {
      scopes.append(declared ?? Scope(access: scopes.last?.access, path: scopes.last?.path ?? ""))
    }
    if sign == "}" { _ = scopes.popLast() }
    declared = nil
    access = nil
    kind = nil
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
      let before = source[..<name.startIndex]
      let line = before.suffix { !$0.isNewline }
      found.append(
        HiddenMarker(
          word: word, access: effective, name: String(name),
          line: before.count { $0.isNewline } + 1, column: line.utf8.count + 1))
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
