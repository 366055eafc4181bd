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
