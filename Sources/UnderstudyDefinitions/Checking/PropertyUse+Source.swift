// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension PropertyUse {
  /// Finds the places of a Swift source that read properties whose paths are literals.
  ///
  /// It finds these forms: `@Property("path") var name: Type = default`,
  /// `.property("path", as: Type.self)`, `namedBy: "path"`, and a structure that is a
  /// `PropertyGroup`. It does not find a path that is computed at run time. It ignores comments,
  /// strings and regular expressions.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - file: The name of the source in findings.
  /// - Returns: The places, in their order.
  /// - Complexity: O(n).
  public static func uses(in source: String, named file: String) -> [PropertyUse] {
    var reader = Reader(SourceWords.read(source), SourceName(file))
    return reader.read()
  }

  /// Reads the words of a source from left to right.
  private struct Reader {
    private let words: [SourceWords.Word]
    private let file: SourceName
    private var index = 0
    private var uses: [PropertyUse] = []

    init(_ words: [SourceWords.Word], _ file: SourceName) {
      self.words = words
      self.file = file
    }

    mutating func read() -> [PropertyUse] {
      while index < words.count {
        if let count = wrapper {
          index += count
          readWrapper()
        } else if isNext(".", "property", "(") {
          readCall()
        } else if isNext("namedBy", ":"), let path = words[index...].dropFirst(2).first?.literal {
          add(path, at: words[index + 2], type: "String")
          index += 3
        } else if isNext("struct") {
          readStructure()
        } else {
          index += 1
        }
      }
      return uses
    }

    private func isNext(_ texts: String...) -> Bool { isNext(texts) }

    private func isNext(_ texts: [String]) -> Bool {
      index + texts.count <= words.count
        && texts.indices.allSatisfy { words[index + $0].text == texts[$0] }
    }

    private mutating func add(
      _ path: String, at word: SourceWords.Word, type: String?, mayBeMissing: Bool = false
    ) {
      uses.append(
        PropertyUse(
          path: path, type: type, mayBeMissing: mayBeMissing,
          origin: Origin(file, line: word.line, column: word.column)))
    }

    /// The number of words in the wrapper's name, if it comes next.
    private var wrapper: Int? {
      let module = ["@", "UnderstudyDefinitions"]
      return [["@", "Property"], module + [".", "Property"], module + [":", ":", "Property"]]
        .first { isNext($0) }?.count
    }

    /// `("path") private var name: Type = default`, or `<Type>("path") var name = default`
    private mutating func readWrapper() {
      var type = isNext("<") ? readGenericArguments() : nil
      guard isNext("(") else { return }
      index += 1
      guard index < words.count, let path = words[index].literal else { return }
      let place = words[index]
      while index < words.count, words[index].text != "var" { index += 1 }
      index += 2
      if isNext(":") { type = readType() }
      add(path, at: place, type: type, mayBeMissing: isNext("="))
    }

    /// The text between angle brackets, without blanks.
    private mutating func readGenericArguments() -> String {
      var text = ""
      var depth = 0
      repeat {
        if words[index].text == "<" { depth += 1 }
        if words[index].text == ">" { depth -= 1 }
        text += words[index].text
        index += 1
      } while depth > 0 && index < words.count
      return String(text.dropFirst().dropLast())
    }

    /// `.property("path", as: Type.self)`, `let name: Type = try resolver.property("path")` or
    /// `resolver.property("path") as Type`
    private mutating func readCall() {
      let (declared, isTolerant) = surroundings
      index += 3
      guard index < words.count, let path = words[index].literal else { return }
      let place = words[index]
      index += 1
      var type: String?
      if isNext(",", "as", ":") {
        index += 3
        var text = ""
        while index < words.count, !isNext(".", "self") {
          text += words[index].text
          index += 1
        }
        type = text
      } else if isNext(")", "as") {
        index += 1
        type = readType()
      }
      // In a condition, a call without `as:` is optional. With `try?`, the value may be missing.
      add(
        path, at: place, type: type ?? declared,
        mayBeMissing: isTolerant || isNext(")", "?", "?"))
    }

    /// The type of the constant or variable that receives the value, without blanks, and whether
    /// the value may be missing, because of a condition or `try?`.
    private var surroundings: (type: String?, isTolerant: Bool) {
      var end = index - 1
      var isTried = false
      // Goes back over the receiver of the call.
      while end > 0 {
        if ["?", "!"].contains(words[end].text) { end -= 1 }
        guard end > 0, words[end].isName else { return (nil, false) }
        end -= 1
        guard words[end].text == "." else { break }
        end -= 1
      }
      while end > 0, ["try", "await", "?", "!"].contains(words[end].text) {
        isTried = isTried || words[end].text == "?" && words[end - 1].text == "try"
        end -= 1
      }
      guard end > 0, words[end].text == "=" else { return (nil, isTried) }
      var text = ""
      var depth = 0
      for word in words[..<end].indices.reversed() {
        if depth == 0, words[word].text == ":" {
          let isDeclaration = word > 1 && ["let", "var"].contains(words[word - 2].text)
          guard isDeclaration else { return (nil, isTried) }
          let isCondition =
            word > 2 && ["if", "guard", "while", ","].contains(words[word - 3].text)
          return (text, isTried || isCondition)
        }
        if ["]", ")", ">"].contains(words[word].text) { depth += 1 }
        if ["[", "(", "<"].contains(words[word].text) { depth -= 1 }
        guard depth >= 0, !["{", "}", ";", "="].contains(words[word].text) else { break }
        text = words[word].text + text
      }
      return (nil, isTried)
    }

    /// The type after a colon, without blanks. It ends with the line, at `=` or at a brace.
    private mutating func readType() -> String {
      var text = ""
      var depth = 0
      index += 1
      let line = index < words.count ? words[index].line : 0
      while index < words.count {
        let word = words[index]
        if depth == 0, word.line != line || ["=", "{", "}", ";", ",", ")"].contains(word.text) {
          break
        }
        if ["[", "(", "<"].contains(word.text) { depth += 1 }
        if ["]", ")", ">"].contains(word.text) { depth -= 1 }
        text += word.text
        index += 1
      }
      return text
    }

    /// `static let path: String = "path"`, or `static var path: String { "path" }`
    private mutating func readPath() -> SourceWords.Word? {
      index += 3
      if isNext(":") { _ = readType() }
      if isNext("=") {
        index += 1
        return index < words.count ? words[index] : nil
      }
      let next = isNext("{", "return") ? index + 2 : index + 1
      guard isNext("{"), next + 1 < words.count, words[next + 1].text == "}" else { return nil }
      index = next + 2
      return words[next]
    }

    /// `let name: Type`, or `let name, other: Type, another: Type`
    private mutating func readMembers() -> [(name: SourceWords.Word, type: String?)] {
      let isConstant = isNext("let")
      var members: [(name: SourceWords.Word, type: String?)] = []
      var names: [SourceWords.Word] = []
      repeat {
        index += 1
        guard index < words.count else { return members }
        names.append(words[index])
        index += 1
        if isNext(",") { continue }
        let type = isNext(":") ? readType() : nil
        // A computed property is not decoded, and neither is a constant with a value.
        if !isNext("{"), !isConstant || !isNext("=") { members += names.map { ($0, type) } }
        names = []
      } while isNext(",")
      return members
    }

    /// `struct Name: PropertyGroup { static let path = "path"; let name: Type }`
    ///
    /// A structure that decodes itself or renames its keys is checked for its path only.
    private mutating func readStructure() {
      let start = index
      var isGroup = false
      while index < words.count, words[index].text != "{" {
        if words[index].text == "PropertyGroup" { isGroup = true }
        index += 1
      }
      guard isGroup else {
        index = start + 1
        return
      }
      index += 1
      var path: SourceWords.Word?
      var members: [(name: SourceWords.Word, type: String?)] = []
      var isPlain = true
      var depth = 1
      while index < words.count, depth > 0 {
        if words[index].text == "{" { depth += 1 }
        if words[index].text == "}" { depth -= 1 }
        if isNext("CodingKeys") || isNext("init", "(", "from") { isPlain = false }
        if depth == 1, isNext("static", "let", "path") || isNext("static", "var", "path") {
          path = readPath()
          continue
        } else if depth == 1, isNext("let") || isNext("var"),
          !["static", "lazy"].contains(words[index - 1].text), index + 2 < words.count,
          [":", "=", ","].contains(words[index + 2].text)
        {
          members += readMembers()
          continue
        }
        index += 1
      }
      guard let path, let text = path.literal else { return }
      let isOptional = isPlain && members.allSatisfy { $0.type?.isOptional == true }
      add(text, at: path, type: nil, mayBeMissing: isOptional)
      guard isPlain, let keys = try? PropertyPath(text) else { return }
      for (name, type) in members {
        add(keys.appending(name.text).description, at: name, type: type)
      }
    }
  }
}

extension SourceWords.Word {
  /// Whether this can be the name of a value.
  fileprivate var isName: Bool {
    text.first.map { $0.isLetter || $0 == "_" } == true
      && !["try", "await", "return", "in", "else", "case"].contains(text)
  }
}
