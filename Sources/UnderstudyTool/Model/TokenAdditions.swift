// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ArraySlice<Token> {
  /// The position at which the bracket at `start` is closed.
  func closing(from start: Int) -> Int {
    var depth = 0
    for index in start..<endIndex {
      switch self[index].text {
      case "(", "[", "{", "<": depth += 1
      case ")", "]", "}", ">":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return endIndex - 1
  }

  /// The tokens between the bracket at `start` and the one that closes it.
  func inside(from start: Int) -> ArraySlice<Token> {
    self[(start + 1)..<Swift.max(start + 1, closing(from: start))]
  }

  /// The parts between separators that are outside brackets.
  func split(at separator: String) -> [ArraySlice<Token>] {
    var parts: [ArraySlice<Token>] = []
    var depth = 0
    var start = startIndex
    for index in indices {
      switch self[index].text {
      case "(", "[", "{", "<": depth += 1
      case ")", "]", "}", ">": depth -= 1
      case separator where depth == 0:
        parts.append(self[start..<index])
        start = index + 1
      default: break
      }
    }
    if start < endIndex { parts.append(self[start...]) }
    return parts
  }

  /// The position of the first of these words outside brackets.
  func first(_ words: Set<String>) -> Int? {
    var depth = 0
    for index in indices {
      if depth == 0, words.contains(self[index].text) { return index }
      switch self[index].text {
      case "(", "[", "{", "<": depth += 1
      case ")", "]", "}", ">": depth -= 1
      default: break
      }
    }
    return nil
  }
}

extension ArraySlice<Token> {
  /// The generic arguments of a type.
  var genericArguments: [ArraySlice<Token>] {
    firstIndex { $0.text == "<" }.map { inside(from: $0).split(at: ",") } ?? []
  }

  /// The names of the generic parameters in the head of a type.
  var genericParameters: [String] { genericArguments.compactMap(\.first?.text) }
}

extension SymbolGraph.Symbol {
  /// The type that an alias stands for, or `nil` for any other symbol.
  var underlyingType: [Token]? {
    guard isAlias else { return nil }
    let tokens = self.tokens
    let end = tokens[...].first(["where"]) ?? tokens.endIndex
    return tokens[...].first(["="]).map { Array(tokens[..<end].dropFirst($0 + 1)) }
  }
}

extension [Token] {
  /// The associated types without `Self`: `Self.Key` becomes `Key`. `Self.Type` stays, since `Type`
  /// is not a member.
  var withoutSelf: [Token] { replacing { _ in nil } }

  /// Replaces words in the same way, but not members of another type: `Child.Key` stays.
  func replacing(_ names: [String: String]) -> [Token] {
    replacing { names[$0].map { [Token($0)] } }
  }

  /// Replaces words with types in the same way, and keeps the identifiers of the types.
  func replacing(types: [String: TypeText]) -> [Token] {
    replacing { types[$0]?.tokens }
  }

  private func replacing(_ type: (String) -> [Token]?) -> [Token] {
    var replaced: [Token] = []
    var index = 0
    while index < count {
      var token = self[index]
      if token.text == "Self", index + 2 < count, self[index + 1].text == ".",
        !["Type", "Protocol"].contains(self[index + 2].text)
      {
        let space = token.spaceBefore
        index += 2
        token = self[index]
        token.spaceBefore = space
      } else if replaced.last?.text == "." {
        replaced.append(token)
        index += 1
        continue
      }
      var type = type(token.text) ?? [token]
      if !type.isEmpty { type[0].spaceBefore = token.spaceBefore }
      replaced += type
      index += 1
    }
    return replaced
  }
}
