// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type as a declaration writes it.
struct TypeText: Hashable {
  var tokens: [Token]

  init(_ tokens: [Token]) {
    self.tokens = tokens
  }

  init(parsing text: String) {
    tokens = [Token](parsing: text)
  }

  var text: String { tokens.text }

  /// Words before a type that describe the parameter, not the value.
  private static let parameterWords: Set<String> = [
    "inout", "borrowing", "consuming", "__owned", "__shared", "sending", "isolated", "@escaping",
    "@autoclosure", "_const",
  ]

  func has(_ word: String) -> Bool { tokens.contains { $0.text == word } }

  /// The words that describe the parameter, and the attributes and the isolation of a function
  /// type, each with its arguments.
  fileprivate var words: [ArraySlice<Token>] {
    var words: [ArraySlice<Token>] = []
    var rest = tokens[...]
    while let first = rest.first {
      var end = rest.startIndex
      if !Self.parameterWords.contains(first.text) {
        guard first.text.hasPrefix("@") || first.text == "nonisolated" else { break }
        let next = rest.dropFirst().first
        if next?.text == "(", next?.spaceBefore == false { end = rest.closing(from: end + 1) }
      }
      words.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return words
  }

  /// The words before the type that describe the parameter.
  var specifiers: [String] {
    words.compactMap(\.first?.text).filter(Self.parameterWords.contains)
  }

  /// Removes a word before the type. The parameters of a function type keep theirs.
  mutating func removeSpecifier(_ word: String) {
    if let found = words.first(where: { $0.first?.text == word }) {
      tokens.remove(at: found.startIndex)
    }
  }

  /// The type of a stored value.
  var stored: TypeText {
    let words = self.words
    guard let last = words.last else { return self }
    let kept = words.filter { !Self.parameterWords.contains($0[$0.startIndex].text) }
    return TypeText(Array(kept.joined()) + tokens[last.endIndex...])
  }

  /// The parts of a function type, or `nil` for any other type.
  var function: FunctionType? { FunctionType(stored.tokens.withoutBrackets) }

  /// The type without `Self` before associated types.
  var withoutSelf: TypeText { TypeText(tokens.withoutSelf) }

  /// Replaces words: `Self`, and associated types that are fixed.
  func replacing(_ names: [String: String]) -> TypeText {
    TypeText(tokens.replacing(names))
  }

  /// Whether it is the empty tuple. An associated type may have the name `Void`.
  var isVoid: Bool { text == "()" || isStandard("Void", "s:s4Voida") }

  /// Whether it is the type without values, so that a call can never happen.
  var isNever: Bool { stored.isStandard("Never", "s:s5NeverO") }

  /// Whether it is a type of the standard library, whose name a type without a symbol also means.
  private func isStandard(_ name: String, _ usr: String) -> Bool {
    [name, "Swift.\(name)"].contains(text) && tokens.last?.usr ?? usr == usr
  }

  /// Whether it is an optional, or a pack of optionals.
  var isOptional: Bool { ["?", "!"].contains(tokens.last?.text) && function == nil }
}

/// The parts of a function type.
struct FunctionType: Hashable {
  var attributes: [Token]
  var parameters: [TypeText]
  var isAsync = false
  var isThrowing = false
  /// The type of the errors, if it is not any.
  var failure: TypeText?
  var result: TypeText

  init?(_ tokens: [Token]) {
    let words = TypeText(tokens).words.prefix { word in
      word.first?.text.hasPrefix("@") == true || word.first?.text == "nonisolated"
    }
    var index = words.last?.endIndex ?? tokens.startIndex
    guard index < tokens.endIndex, tokens[index].text == "(" else { return nil }
    attributes = Array(tokens[..<index])
    let end = tokens[...].closing(from: index)
    guard index < end else { return nil }
    parameters = tokens[...].inside(from: index).split(at: ",").map { TypeText(Array($0)) }
    index = end + 1
    while index < tokens.endIndex, tokens[index].text != "->" {
      switch tokens[index].text {
      case "async": isAsync = true
      case "throws":
        isThrowing = true
        if index + 1 < tokens.endIndex, tokens[index + 1].text == "(" {
          failure = TypeText(Array(tokens[...].inside(from: index + 1)))
          index = tokens[...].closing(from: index + 1)
        }
      default: return nil
      }
      index += 1
    }
    guard index < tokens.endIndex else { return nil }
    result = TypeText(Array(tokens[(index + 1)...]))
  }
}
