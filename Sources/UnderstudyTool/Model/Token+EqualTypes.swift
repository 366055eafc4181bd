// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Writes in one way the types that the two producers of graphs write in two.
extension [Token] {
  /// Sorts the parts of each composition, since an extracted graph has an order of its own, and
  /// drops implied parts. Types of the graphs come before others. Adds `any` to a type that is a
  /// protocol, which source in an older language mode may omit, and removes it from `Any` and
  /// `AnyObject`.
  ///
  /// `isType` is false for a constraint, such as the right side of a conformance.
  func equalised(_ index: GraphIndex, isType: Bool = true) -> [Token] {
    var equal: [Token] = []
    var position = startIndex
    while position < endIndex {
      if self[position].text == "any", position + 1 < endIndex,
        self[position + 1].text == "Any" || isLoneObject(at: position + 1)
      {
        equal.append(
          Token(
            self[position + 1].text, usr: self[position + 1].usr,
            spaceBefore: self[position].spaceBefore))
        position += 2
        continue
      }
      var parts = [part(from: position, index)]
      var end = position + parts[0].length
      while end + 1 < endIndex, self[end].text == "&" {
        parts.append(part(from: end + 1, index))
        end += 1 + parts[parts.count - 1].length
      }
      let space = self[position].spaceBefore
      let isOpaque = equal.last?.text == "some"
      if isOpaque { parts = parts.flatMap(\.withoutCodable) }
      if parts.count > 1 {
        parts = parts.withoutImplied(index)
        parts.sort {
          ($0.isForeign ? 1 : 0, $0.tokens.text) < ($1.isForeign ? 1 : 0, $1.tokens.text)
        }
      }
      var tokens: [Token] = []
      for (number, part) in parts.enumerated() {
        if number > 0 { tokens.append(Token("&", spaceBefore: true)) }
        tokens += part.tokens
        tokens[tokens.count - part.tokens.count].spaceBefore = number > 0 || space
      }
      let isBare =
        isType && !isOpaque && !["any", "~", ".", "@"].contains(equal.last?.text)
        // In `any (P & Q).Type` the parentheses follow the `any`.
        && equal.suffix(2).map(\.text) != ["any", "("]
        && parts.contains { $0.isExistential(index) }
      equal += isBare ? Self.existential(tokens, before: end < endIndex ? self[end] : nil) : tokens
      position = end
    }
    return equal
  }

  /// One or several protocols as an existential type, in parentheses if a sign follows.
  private static func existential(_ tokens: [Token], before next: Token?) -> [Token] {
    var tokens = tokens
    let any = Token("any", spaceBefore: tokens[0].spaceBefore)
    tokens[0].spaceBefore = true
    guard ["?", "!"].contains(next?.text) else { return [any] + tokens }
    return [Token("(", spaceBefore: any.spaceBefore), Token("any")] + tokens + [Token(")")]
  }

  /// Whether this is an `AnyObject` that is not part of a composition.
  private func isLoneObject(at position: Int) -> Bool {
    self[position].text == "AnyObject"
      && (position + 1 == endIndex || self[position + 1].text != "&")
  }

  /// One part of a composition, or another token: a name with its outer types and its generic
  /// arguments.
  fileprivate struct Part {
    var tokens: [Token]
    /// The number of its tokens.
    var length: Int
    /// Whether no graph contains it.
    var isForeign: Bool

    /// The declaration that the last name refers to.
    var usr: String? { tokens.prefix { $0.text != "<" }.last { $0.usr != nil }?.usr }

    /// Whether it is a protocol, or an alias of protocols.
    func isExistential(_ index: GraphIndex) -> Bool {
      guard !tokens[0].text.hasPrefix("@"), tokens.last?.text != "Protocol" else { return false }
      return usr.map { index.isExistential($0) } ?? false
    }

    /// The parts of `Codable`, which an extracted graph writes separately in an opaque type.
    var withoutCodable: [Part] {
      guard tokens.count == 1, usr == "s:s7Codablea" else { return [self] }
      return [("Decodable", "s:Se"), ("Encodable", "s:SE")].map { name, usr in
        Part(tokens: [Token(name, usr: usr)], length: 0, isForeign: true)
      }
    }
  }

  private func part(from start: Int, _ index: GraphIndex) -> Part {
    var end = start + 1
    while end + 1 < endIndex, self[end].text == "." { end += 2 }
    var tokens = Array(self[start..<end])
    if end < endIndex, self[end].text == "<", tokens[0].usr != nil {
      let arguments = self[...].inside(from: end)
      let close = self[...].closing(from: end)
      tokens += [self[end]] + Array(arguments).equalised(index) + [self[close]]
      end = close + 1
    }
    let isForeign = !tokens.contains { $0.usr.map { index.symbols[$0] != nil } ?? false }
    return Part(tokens: tokens, length: end - start, isForeign: isForeign)
  }

  /// A declaration without module names in front of types, since only an emitted graph has some.
  func withoutModules(_ index: GraphIndex) -> [Token] {
    var kept: [Token] = []
    var position = startIndex
    while position < endIndex {
      var token = self[position]
      if position + 2 < endIndex, token.usr == nil, self[position + 1].text == ".",
        kept.last?.text != ".", let usr = self[position + 2].usr,
        // A parameter with an associated type may have the name of a module.
        !usr.hasSuffix("Qa"),
        SourceImports.isForeign(usr) || (index.modules[usr] ?? ModuleName.naming(usr)) == token.text
          || token.text == "Swift" && usr.hasPrefix("s:S")
      {
        let space = token.spaceBefore
        position += 2
        token = self[position]
        token.spaceBefore = space
      }
      kept.append(token)
      position += 1
    }
    return kept
  }
}

extension [[Token].Part] {
  /// The parts that no other part implies.
  fileprivate func withoutImplied(_ index: GraphIndex) -> Self {
    let usrs = map(\.usr)
    return enumerated().filter { position, _ in
      guard let usr = usrs[position] else { return true }
      return !usrs.enumerated().contains { other, by in
        by.map { other != position && ($0 != usr || other < position) && index.implies($0, usr) }
          ?? false
      }
    }.map(\.element)
  }
}

extension GraphIndex {
  /// Whether a type is a protocol, or an alias of protocols, and so needs `any`.
  fileprivate func isExistential(_ usr: String, depth: Int = 0) -> Bool {
    guard let symbol = symbols[usr] else {
      return usr == "s:s7Codablea" || StandardProtocol.isProtocol(usr)
    }
    guard symbol.isAlias, depth < 8, !inheritedAliases.contains(usr)
    else { return symbol.isProtocol }
    guard let type = symbol.underlyingType else { return false }
    return !type.contains { !($0.text == "&" || $0.text == "." || $0.usr != nil) }
      && type.contains { $0.usr.map { isExistential($0, depth: depth + 1) } ?? false }
  }

  /// Whether conformance to one protocol implies conformance to another.
  fileprivate func implies(_ usr: String, _ other: String) -> Bool {
    guard isExistential(usr) else { return false }
    if usr == other { return true }
    let all = allConformances(of: usr).union([usr])
    return all.contains { one in
      guard let recipe = StandardProtocol.all[one] else { return one == other }
      return one == other || recipe.isSendable && other == StandardProtocol.sendable
        || recipe.inherited.contains(other)
    }
  }
}
