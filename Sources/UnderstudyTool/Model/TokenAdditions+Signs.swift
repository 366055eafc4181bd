// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// What the two producers of graphs write with different signs, written with the same: an emitted
// graph has the signs of the source.
extension [Token] {
  /// A type without the names of parameters, the brackets, the order of attributes and the short
  /// names of types around types that an extracted graph has in its own way.
  var withEqualSigns: [Token] {
    withoutParameterNames.withEqualAttributes.withoutBrackets.withWholeNames
  }

  /// A type without the names that the parameters of functions have in it: an extracted graph has
  /// none.
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

  /// The attributes of each function in one order, and without the `@Sendable` that a global actor
  /// says already.
  private var withEqualAttributes: [Token] { mapAttributes { attributes, _ in attributes } }

  /// A type in which each asynchronous function says where it runs.
  func saying(_ isolation: [Token]) -> [Token] {
    mapAttributes { attributes, rest in
      guard rest.isAsynchronousFunction, !attributes.contains(where: { $0[0].isIsolation }) else {
        return attributes
      }
      return attributes + [isolation]
    }
  }

  /// How many asynchronous functions say that they run where they are called, and how many say
  /// nothing.
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

  /// Changes the attributes before each type, of which there may be none: `change` gets them, and
  /// what follows.
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

  /// A type without brackets around one type that would be the same without.
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

  /// Where the bracket at `start` is closed, if neither is needed.
  private func needlessBracket(from start: Int) -> Int? {
    let end = self[...].closing(from: start)
    guard start < end else { return nil }
    let inside = self[(start + 1)..<end]
    let next = end + 1 < endIndex ? self[end + 1].text : ""
    guard !inside.isEmpty, inside.first([":", ","]) == nil, inside.first?.text != "repeat",
      !["->", "async", "throws", "rethrows", "&"].contains(next)
    else { return nil }
    // Of a type that is more than a name it would be only the last part that the sign is of.
    if ["?", "!", "."].contains(next), inside.first(["->", "any", "some", "each", "&", "~"]) != nil
    {
      return nil
    }
    // What belongs to the word before it: an attribute, `throws(E)`, `nonisolated(nonsending)`.
    if start > startIndex, !self[start].spaceBefore,
      !["(", "[", "<"].contains(self[start - 1].text)
    {
      return nil
    }
    return end
  }

  /// Types with members by their whole names: `Array<Int>.Index` for `[Int].Index`.
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

  /// Whether a member of a type follows that is written with a sign.
  private func isMemberOfSign(_ dot: Int) -> Bool {
    self[dot].text == "." && ["]", "?"].contains(self[dot - 1].text)
      && (dot + 1 == endIndex || !["Type", "Protocol"].contains(self[dot + 1].text))
  }

  /// Where the type begins that ends with a sign, or before it if that is `?`.
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
        // Arguments belong to the name before them.
        if self[start].text == "<", start > startIndex { start -= 1 }
      }
      guard start > startIndex + 1, self[start - 1].text == "." else { return start }
      start -= 2
    }
  }
}

extension ArraySlice<Token> {
  /// Whether this begins with an asynchronous function, without its attributes.
  fileprivate var isAsynchronousFunction: Bool {
    guard first?.text == "(" else { return false }
    let end = closing(from: startIndex)
    return end + 1 < endIndex && self[end + 1].text == "async"
  }
}

extension Token {
  /// Whether this is the attribute of a global actor, on a function type.
  var isActor: Bool { text == "@MainActor" || text.hasPrefix("@") && usr != nil }

  /// Whether this is an attribute of a function, or a word that may stand between them.
  fileprivate var isAttribute: Bool {
    text.hasPrefix("@") || ["sending", "nonisolated"].contains(text)
  }

  /// Whether this says where a function runs.
  fileprivate var isIsolation: Bool {
    isActor || ["nonisolated", "@concurrent", "@isolated"].contains(text)
  }

  /// Words go first, and attributes of a parameter go before those of a function.
  fileprivate var rank: Int {
    ["sending", "nonisolated", "@autoclosure", "@escaping"].firstIndex(of: text) ?? 4
  }
}
