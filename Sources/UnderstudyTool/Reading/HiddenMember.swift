// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A member of a class that a graph omits, or whose setter it shows although no double can call it.
///
/// No graph has a member that is unavailable everywhere, nor the access level of the setter of a
/// computed property or of a subscript. Only the source has them.
struct HiddenMember: Hashable {
  var module: String
  /// The name of its class with the names of the outer types.
  var owner: String
  /// The declaration without attributes and body, `static func load(_ id: Int)`.
  var text: String
  /// The access level that the declaration or its extension names.
  var access: String?
  var isUnavailable = false
  /// Whether it is declared in an extension of the class, and not in the class itself.
  var isOfExtension = false
  /// The access level of the setter: `private`, `fileprivate`, `internal` or `package`.
  var setter: String?

  /// Finds the members of classes and of extensions in a source.
  static func all(in source: String, of module: String) -> [HiddenMember] {
    guard source.contains("unavailable") || source.contains("(set)") else { return [] }
    var reader = HiddenMemberReader(source, module)
    reader.read()
    return reader.found
  }
}

/// Reads the heads of declarations and the braces of a source.
private struct HiddenMemberReader {
  private struct Scope {
    /// The name of a type, or `nil` in a body.
    var path: String?
    /// The access level that an extension names for its members.
    var access: String?
    var isUnavailable = false
    var isExtension = false
  }

  private struct Word {
    var text: Substring
    var startsLine: Bool
    var spaceBefore: Bool
  }

  private(set) var found: [HiddenMember] = []
  private var words: [Word] = []
  private var scopes = [Scope(path: "")]

  private static let types: Set<Substring> = [
    "class", "struct", "enum", "actor", "protocol", "extension",
  ]
  private static let levels: Set<Substring> = [
    "public", "open", "internal", "private", "fileprivate", "package",
  ]
  private static let modifiers = levels.union([
    "static", "class", "final", "override", "required", "convenience", "lazy", "weak", "unowned",
    "dynamic", "nonisolated",
    "mutating", "nonmutating", "indirect", "isolated", "distributed", "prefix", "postfix", "infix",
  ])

  private let module: String

  init(_ source: String, _ module: String) {
    self.module = module
    var position = source[...].startIndex
    var startsLine = true
    var end = position
    func word(_ text: Substring, from start: String.Index) -> Word {
      Word(text: text, startsLine: startsLine, spaceBefore: startsLine || start > end)
    }
    while position < source.endIndex {
      let rest = source[position...]
      var next = source.index(after: position)
      if let end = rest.endOfComment {
        next = end
      } else if rest[position].endsLine {
        startsLine = true
      } else if !rest[position].isWhitespace {
        var text = rest[..<next]
        if let literal = rest.endOfText(after: source[..<position].last) {
          next = literal
          text = "\"\""
        } else {
          next = Self.end(ofWordIn: rest, after: words.last?.text)
          text = rest[..<next]
        }
        words.append(word(text, from: position))
        startsLine = false
        end = next
      }
      position = next
    }
  }

  private static func end(ofWordIn rest: Substring, after last: Substring?) -> String.Index {
    let name = rest.first == "@" ? rest.dropFirst() : rest
    let letters = name.prefix { $0.isNameLetter || $0 == "`" }
    if !letters.isEmpty { return letters.endIndex }
    if rest.hasPrefix("->") { return rest.index(rest.startIndex, offsetBy: 2) }
    // The name of an operator.
    let signs = last == "func" ? rest.prefix { "+-*/=<>!&|^~%?.".contains($0) } : ""
    return signs.isEmpty ? rest.index(after: rest.startIndex) : signs.endIndex
  }

  mutating func read() {
    var position = 0
    while position < words.count {
      let word = words[position].text
      let isMember = position > 0 && words[position - 1].text == "."
      switch word {
      case "{": scopes.append(Scope())
      case "}": if scopes.count > 1 { scopes.removeLast() }
      case "func", "var", "subscript", "init":
        if !isMember, let path = scopes.last?.path, !path.isEmpty { readMember(position, of: path) }
      case _ where Self.types.contains(word) && !isMember:
        if let end = readType(position) { position = end }
      default: break
      }
      position += 1
    }
  }

  /// Reads the head of a type up to its brace.
  private mutating func readType(_ start: Int) -> Int? {
    // A label or a name: `init(actor: Actor)`, `load(class: actor)`.
    if start > 0, ["(", ",", ":"].contains(words[start - 1].text) { return nil }
    // A modifier of a member: `class func`.
    guard start + 1 < words.count, words[start + 1].text.first.map(isName) == true,
      !["func", "var", "let", "subscript", "init", "deinit"].contains(words[start + 1].text),
      !Self.modifiers.contains(words[start + 1].text), let outer = scopes.last,
      let brace = words[start...].firstIndex(where: { ["{", "}"].contains($0.text) }),
      words[brace].text == "{"
    else { return nil }
    var names = [words[start + 1].text]
    var next = start + 2
    while next + 1 < brace, words[next].text == "." {
      names.append(words[next + 1].text)
      next += 2
    }
    // Otherwise the word is a value, and the next word begins a line: `= actor`.
    guard ["{", ":", "<", "where"].contains(words[next].text) else { return nil }
    let isExtension = words[start].text == "extension"
    let name = names.joined(separator: ".").replacing("`", with: "")
    let path = outer.path.map { isExtension || $0.isEmpty ? name : "\($0).\(name)" }
    let head = head(before: start)
    let access = isExtension ? head.words.first(where: Self.levels.contains) : nil
    scopes.append(
      Scope(
        path: path, access: access.map(String.init),
        isUnavailable: head.isUnavailable || outer.isUnavailable, isExtension: isExtension))
    return brace
  }

  private func isName(_ character: Character) -> Bool {
    character.isNameLetter || character == "`"
  }

  private mutating func readMember(_ start: Int, of owner: String) {
    let head = head(before: start)
    let isUnavailable = head.isUnavailable || scopes.last?.isUnavailable == true
    guard isUnavailable || head.setter != nil else { return }
    var text = head.words.joined(separator: " ")
    for word in words[start..<end(of: start)] { text += (word.spaceBefore ? " " : "") + word.text }
    found.append(
      HiddenMember(
        module: module, owner: owner, text: String(text.trimmingPrefix(" ")),
        access: head.words.first(where: Self.levels.contains).map(String.init)
          ?? scopes.last?.access,
        isUnavailable: isUnavailable, isOfExtension: scopes.last?.isExtension == true,
        setter: head.setter))
  }

  /// The attributes and modifiers before a keyword.
  private func head(
    before start: Int
  ) -> (words: [Substring], isUnavailable: Bool, setter: String?) {
    var kept: [Substring] = []
    var isUnavailable = false
    var setter: String?
    var position = start - 1
    while position >= 0 {
      var arguments: [Substring] = []
      if words[position].text == ")" || words[position].text == ">" {
        guard let open = opening(of: position), open > 0 else { break }
        arguments = words[(open + 1)..<position].map(\.text)
        position = open - 1
      }
      let word = words[position].text
      if word.hasPrefix("@") {
        isUnavailable =
          isUnavailable || word == "@available" && arguments.prefix(3) == ["*", ",", "unavailable"]
      } else if Self.modifiers.contains(word) {
        if arguments == ["set"] { setter = String(word) }
        if arguments.isEmpty { kept.insert(word, at: 0) }
      } else {
        break
      }
      position -= 1
    }
    return (kept, isUnavailable, setter)
  }

  /// The bracket that the bracket at `end` closes.
  private func opening(of end: Int) -> Int? {
    var depth = 0
    for position in (0...end).reversed() {
      if [")", "]", ">"].contains(words[position].text) { depth += 1 }
      if ["(", "[", "<"].contains(words[position].text) { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }

  /// The end of a declaration without its body or value.
  private func end(of start: Int) -> Int {
    var depth = 0
    for position in (start + 1)..<max(start + 1, words.count) {
      let word = words[position]
      if depth == 0, ["{", "}", "=", ";", "where"].contains(word.text) { return position }
      // A line of its own continues the declaration only with one of these.
      if depth == 0, word.startsLine,
        !["->", "async", "throws", "rethrows", "(", ".", "&"].contains(word.text),
        !["->", ".", "&", ":"].contains(words[position - 1].text)
      {
        return position
      }
      if ["(", "[", "<"].contains(word.text) { depth += 1 }
      // The name of an operator may have taken the bracket that this one closes.
      if [")", "]", ">"].contains(word.text) { depth = max(0, depth - 1) }
    }
    return words.count
  }
}
