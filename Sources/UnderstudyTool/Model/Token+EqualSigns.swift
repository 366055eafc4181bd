// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Writes with the same punctuation the types for which the two producers of graphs differ. An
// emitted graph has the punctuation of the source.
extension [Token] {
  /// A type without parameter names and needless parentheses, with sorted attributes and with the
  /// full names of types like `[Int]` in front of members. An extracted graph has its own form of
  /// each.
  var withEqualSigns: [Token] {
    withoutParameterNames.withEqualAttributes.withoutBrackets.withWholeNames
  }

  /// A type without the parameter names of functions, which an extracted graph does not have.
  var withoutParameterNames: [Token] {
    var kept: [Token] = []
    var position = startIndex
    while position < endIndex {
      if self[position].text == "_", position + 2 < endIndex, self[position + 2].text == ":",
        position > startIndex, ["(", ","].contains(self[position - 1].text)
      {
        let space = self[position].spaceBefore
        position += 3
        guard position < endIndex else { break }
        kept.append(self[position])
        kept[kept.count - 1].spaceBefore = space
      } else {
        kept.append(self[position])
      }
      position += 1
    }
    return kept
  }

  /// The attributes of each function in one order, without a `@Sendable` that a global actor
  /// implies.
  private var withEqualAttributes: [Token] { mapAttributes { attributes, _ in attributes } }

  /// A type in which each asynchronous function has an isolation.
  func saying(_ isolation: [Token]) -> [Token] {
    mapAttributes { attributes, rest in
      guard rest.isAsynchronousFunction, !attributes.contains(where: { $0[0].isIsolation }) else {
        return attributes
      }
      return attributes + [isolation]
    }
  }

  /// The numbers of asynchronous functions that are nonsending, and that have no isolation.
  var isolationsOfFunctions: (nonsending: Int, unsaid: Int) {
    var count = (nonsending: 0, unsaid: 0)
    _ = mapAttributes { attributes, rest in
      if attributes.contains(where: { $0[0].text == "nonisolated" }) {
        count.nonsending += 1
      } else if rest.isAsynchronousFunction, !attributes.contains(where: { $0[0].isIsolation }) {
        count.unsaid += 1
      }
      return attributes
    }
    return count
  }

  /// Changes the attributes in front of each type. `change` receives the attributes, which may be
  /// none, and the tokens that follow.
  private func mapAttributes(_ change: ([[Token]], ArraySlice<Token>) -> [[Token]]) -> [Token] {
    var equal: [Token] = []
    var position = startIndex
    while position < endIndex {
      var attributes: [[Token]] = []
      let space = self[position].spaceBefore
      while position < endIndex, self[position].isAttribute {
        var end = position
        if end + 1 < endIndex, self[end + 1].text == "(", !self[end + 1].spaceBefore {
          end = self[...].closing(from: end + 1)
        }
        attributes.append(Array(self[position...end]))
        position = end + 1
      }
      attributes = change(attributes, self[position...])
      if attributes.contains(where: { $0[0].isActor }) {
        attributes.removeAll { $0[0].text == "@Sendable" }
      }
      attributes.sort { ($0[0].rank, $0.text) < ($1[0].rank, $1.text) }
      for index in attributes.indices { attributes[index][0].spaceBefore = index > 0 || space }
      equal += attributes.joined()
      guard position < endIndex else { break }
      equal.append(self[position])
      if !attributes.isEmpty { equal[equal.count - 1].spaceBefore = true }
      position += 1
    }
    return equal
  }

  /// A type without parentheses around a single type if they have no effect.
  var withoutBrackets: [Token] {
    var bare = self
    var position = bare.startIndex
    while position < bare.endIndex {
      guard bare[position].text == "(", let end = bare.needlessBracket(from: position) else {
        position += 1
        continue
      }
      let space = bare[position].spaceBefore
      bare.remove(at: end)
      bare.remove(at: position)
      bare[position].spaceBefore = space
    }
    return bare
  }

  /// The end of a parenthesis that starts at `start`, if it has no effect.
  private func needlessBracket(from start: Int) -> Int? {
    let end = self[...].closing(from: start)
    guard start < end else { return nil }
    let inside = self[(start + 1)..<end]
    let next = end + 1 < endIndex ? self[end + 1].text : ""
    guard !inside.isEmpty, inside.first([":", ","]) == nil, inside.first?.text != "repeat",
      !["->", "async", "throws", "rethrows", "&"].contains(next)
    else { return nil }
    // Without the parentheses, the sign would apply only to the last part of such a type.
    if ["?", "!", "."].contains(next), inside.first(["->", "any", "some", "each", "&", "~"]) != nil
    {
      return nil
    }
    // These belong to the word before them: an attribute, `throws(E)`, `nonisolated(nonsending)`.
    if start > startIndex, !self[start].spaceBefore,
      !["(", "[", "<"].contains(self[start - 1].text)
    {
      return nil
    }
    return end
  }

  /// Types with members by their full names: `Array<Int>.Index` for `[Int].Index`.
  private var withWholeNames: [Token] {
    var whole = self
    while let dot = whole.indices.dropFirst().first(where: whole.isMemberOfSign) {
      let close = dot - 1
      let start = whole.start(ofTypeTo: close)
      var name = Token("Optional", usr: "s:Sq")
      var arguments = [whole[start..<close]]
      if whole[close].text == "]" {
        let inside = whole[(start + 1)..<close]
        name = Token("Array", usr: "s:Sa")
        arguments = [inside]
        if inside.first([":"]) != nil {
          name = Token("Dictionary", usr: "s:SD")
          arguments = inside.split(at: ":")
        } else if inside.first(["of"]) != nil {
          name = Token("InlineArray", usr: "s:s11InlineArrayV")
          arguments = inside.split(at: "of")
        }
      }
      name.spaceBefore = whole[start].spaceBefore
      var type = [name, Token("<")]
      for (index, argument) in arguments.enumerated() where !argument.isEmpty {
        if index > 0 { type.append(Token(",")) }
        var argument = Array(argument)
        argument[0].spaceBefore = index > 0
        type += argument
      }
      whole.replaceSubrange(start...close, with: type + [Token(">")])
    }
    return whole
  }

  /// Whether a member of a type with a short name follows.
  private func isMemberOfSign(_ dot: Int) -> Bool {
    self[dot].text == "." && ["]", "?"].contains(self[dot - 1].text)
      && (dot + 1 == endIndex || !["Type", "Protocol"].contains(self[dot + 1].text))
  }

  /// The start of a type that ends with a sign.
  private func start(ofTypeTo end: Int) -> Int {
    var start = end
    while start > startIndex, self[start].text == "?" { start -= 1 }
    while true {
      if [")", "]", ">"].contains(self[start].text) {
        var depth = 0
        repeat {
          if [")", "]", ">"].contains(self[start].text) { depth += 1 }
          if ["(", "[", "<"].contains(self[start].text) { depth -= 1 }
          if depth > 0 { start -= 1 }
        } while depth > 0 && start > startIndex
        // Generic arguments belong to the name before them.
        if self[start].text == "<", start > startIndex { start -= 1 }
      }
      guard start > startIndex + 1, self[start - 1].text == "." else { return start }
      start -= 2
    }
  }
}

extension [Token] {
  /// Whether a declaration or a type, or an alias in it, lacks the function after its
  /// `nonisolated(nonsending)`. An emitted graph omits the rest of such a type.
  func isCutShort(_ index: GraphIndex, depth: Int = 0) -> Bool {
    let keywords = [
      "func", "var", "let", "subscript", "init", "typealias", "associatedtype", "protocol",
    ]
    // Before the keyword, the word is a modifier of the declaration.
    let start = firstIndex { keywords.contains($0.text) } ?? startIndex
    let isCut = indices[start...].contains { position in
      guard self[position].text == "nonisolated", position + 1 < endIndex,
        self[position + 1].text == "("
      else { return false }
      let next = self[(self[...].closing(from: position + 1) + 1)...].first
      return next.map { !["(", "sending"].contains($0.text) && !$0.text.hasPrefix("@") } ?? true
    }
    guard !isCut, depth < 8 else { return isCut }
    return contains { token in
      guard let usr = token.usr, let type = index.symbols[usr]?.underlyingType else { return false }
      return type.isCutShort(index, depth: depth + 1)
    }
  }
}

extension ArraySlice<Token> {
  /// Whether the tokens begin with an asynchronous function type, without its attributes. A
  /// parameter can say where the function runs.
  fileprivate var isAsynchronousFunction: Bool {
    guard first?.text == "(" else { return false }
    let end = closing(from: startIndex)
    let parameters = inside(from: startIndex).split(at: ",")
    if parameters.contains(where: { $0.first?.text == "isolated" }) { return false }
    return end + 1 < endIndex && self[end + 1].text == "async"
  }
}

extension Token {
  /// Whether this is the attribute of a global actor, on a function type.
  var isActor: Bool { text == "@MainActor" || text.hasPrefix("@") && usr != nil }

  /// Whether this is a function's attribute, or a word that may stand between attributes.
  fileprivate var isAttribute: Bool {
    text.hasPrefix("@") || ["sending", "nonisolated"].contains(text)
  }

  /// Whether this is an isolation.
  fileprivate var isIsolation: Bool {
    isActor || ["nonisolated", "@concurrent", "@isolated"].contains(text)
  }

  /// The order of attributes: words first, then attributes of a parameter, then those of a
  /// function.
  fileprivate var rank: Int {
    ["sending", "nonisolated", "@autoclosure", "@escaping"].firstIndex(of: text) ?? 4
  }
}
