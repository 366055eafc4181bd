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

  /// The words before the type that describe the parameter.
  var specifiers: [String] {
    // An isolation between them belongs to the function.
    tokens.withoutIsolation
      .prefix { Self.parameterWords.contains($0.text) || $0.text.hasPrefix("@") }
      .map(\.text).filter { Self.parameterWords.contains($0) }
  }

  /// Removes a word before the type. The parameters of a function type keep theirs.
  mutating func removeSpecifier(_ word: String) {
    var position = 0
    while position < tokens.count,
      Self.parameterWords.contains(tokens[position].text)
        || tokens[position].text.hasPrefix("@") || tokens[position].text == "nonisolated"
    {
      if tokens[position].text == word {
        tokens.remove(at: position)
        return
      }
      position += 1
      // The arguments of an attribute.
      if position < tokens.count, tokens[position].text == "(", !tokens[position].spaceBefore {
        position = tokens[...].closing(from: position) + 1
      }
    }
  }

  /// The type of a stored value.
  var stored: TypeText {
    var kept: [Token] = []
    var rest = tokens[...]
    while let first = rest.first,
      Self.parameterWords.contains(first.text) || first.text.hasPrefix("@")
        || first.text == "nonisolated"
    {
      rest.removeFirst()
      if !Self.parameterWords.contains(first.text) { kept.append(first) }
      if !Self.parameterWords.contains(first.text), rest.first?.text == "(",
        rest.first?.spaceBefore == false
      {
        let end = rest.closing(from: rest.startIndex)
        kept += rest[...end]
        rest = rest[(end + 1)...]
      }
    }
    return TypeText(kept + rest)
  }

  /// The parts of a function type, or `nil` for any other type.
  var function: FunctionType? { FunctionType(stored.tokens.withoutBrackets) }

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

extension [Token] {
  /// The tokens without `nonisolated(nonsending)` before the type.
  fileprivate var withoutIsolation: [Token] {
    guard let word = firstIndex(where: { $0.text == "nonisolated" }),
      word + 1 < endIndex, !self[..<word].contains(where: { $0.text == "(" })
    else { return self }
    return Array(self[..<word] + self[(self[...].closing(from: word + 1) + 1)...])
  }
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
    var index = tokens.startIndex
    while index < tokens.endIndex,
      tokens[index].text.hasPrefix("@") || tokens[index].text == "nonisolated"
    {
      index += 1
      if index < tokens.endIndex, tokens[index].text == "(", !tokens[index].spaceBefore {
        index = tokens[...].closing(from: index) + 1
      }
    }
    guard index < tokens.endIndex, tokens[index].text == "(" else { return nil }
    attributes = Array(tokens[..<index])
    let end = tokens[...].closing(from: index)
    guard index < end else { return nil }
    parameters = tokens[(index + 1)..<end].split(at: ",").map { TypeText(Array($0)) }
    index = end + 1
    while index < tokens.endIndex, tokens[index].text != "->" {
      switch tokens[index].text {
      case "async": isAsync = true
      case "throws":
        isThrowing = true
        if index + 1 < tokens.endIndex, tokens[index + 1].text == "(" {
          let end = tokens[...].closing(from: index + 1)
          failure = TypeText(Array(tokens[(index + 2)..<max(index + 2, end)]))
          index = end
        }
      default: return nil
      }
      index += 1
    }
    guard index < tokens.endIndex else { return nil }
    result = TypeText(Array(tokens[(index + 1)...]))
  }
}
