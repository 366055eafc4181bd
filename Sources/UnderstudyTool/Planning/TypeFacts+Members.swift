// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Member types of associated types, such as `Entity.ID`. Their declaration says less than the
/// clauses of a protocol do, and than the type to which an associated type is fixed.
extension TypeFacts {
  /// The protocols that clauses require of a member type: `Sendable` in
  /// `where Entity.ID: Sendable`.
  func constraints(of path: [Token]) -> [Token] {
    clauses.flatMap { words -> [Token] in
      guard let colon = words[...].first([":"]), words[..<colon].isEqual(to: path) else {
        return []
      }
      return Array(words[(colon + 1)...])
    }
  }

  /// The types that are the same as a member type: by a clause such as `where Entity.ID == Int`, or
  /// because the graph has the member of a concrete type.
  func meanings(of path: [Token], depth: Int = 0) -> [TypeText] {
    var found = clauses.flatMap { words -> [TypeText] in
      guard let sign = words[...].first(["=="]) else { return [] }
      let (left, right) = (words[..<sign], words[(sign + 1)...])
      return (left.isEqual(to: path) ? [right] : []).map { TypeText(Array($0)) }
        + (right.isEqual(to: path) ? [left] : []).map { TypeText(Array($0)) }
    }
    guard path.count > 2, depth < 4 else { return found }
    let outer = Array(path.dropLast(2))
    let types =
      outer.count == 1
      ? [pinned[outer[0].text] ?? TypeText(outer)] : meanings(of: outer, depth: depth + 1)
    for type in types {
      if let member = member(path[path.count - 1].text, of: type) {
        found.append(member)
      } else if !type.tokens[...].isEqual(to: outer), type.tokens.isPath {
        found += meanings(of: type.tokens + path.suffix(2), depth: depth + 1)
      }
    }
    return found
  }

  /// The type of a member type's name in a concrete type that is not generic: an alias, a nested
  /// type, or the type of the property `id` for `ID`.
  private func member(_ name: String, of type: TypeText, depth: Int = 0) -> TypeText? {
    guard type.tokens.isPath, let usr = type.tokens.last?.usr, let symbol = index.symbols[usr]
    else {
      return nil
    }
    if let underlying = symbol.underlyingType {
      return depth < 4 ? member(name, of: TypeText(underlying), depth: depth + 1) : nil
    }
    guard ["swift.class", "swift.struct", "swift.enum"].contains(symbol.kind.identifier),
      symbol.swiftGenerics?.parameters?.isEmpty ?? true
    else { return nil }
    let members = index.memberSymbols(of: usr)
    for member in members where member.isType && member.pathComponents.last == name {
      return TypeText([Token(name, usr: member.identifier.precise)])
    }
    guard name == "ID" else { return nil }
    let id = members.first {
      $0.kind.identifier == "swift.property" && $0.pathComponents.last == "id"
    }
    return id.flatMap { ProtocolCollector.declaration(of: $0, index)?.type }
  }
}

extension ArraySlice<Token> {
  /// Whether the words are the same, without their spaces.
  fileprivate func isEqual(to other: [Token]) -> Bool { map(\.text) == other.map(\.text) }
}

extension [Token] {
  /// Whether this is a name, or names with dots between them.
  fileprivate var isPath: Bool {
    !isEmpty && allSatisfy { $0.text == "." || $0.text.isWord || $0.text.hasPrefix("`") }
  }
}

extension ArraySlice<Token> {
  /// The name that ends at a position, with the names of its outer types, or `nil` if an outer type
  /// is no name.
  func path(to position: Int) -> [Token]? {
    var start = position
    while start - 1 > startIndex, self[start - 1].text == "." {
      start -= 2
      guard self[start].text.isWord || self[start].text.hasPrefix("`") else { return nil }
    }
    return Array(self[start...position])
  }
}
