// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TypeFacts {
  /// Common types of the standard library and of Foundation that JSON preserves exactly and in one
  /// order, if it does so for their elements. Sets are not among them, and neither are integers of
  /// more than 64 bits.
  private static let codable: Set<String> = [
    "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64", "Float", "Double", "Duration", "Array", "Optional", "ContiguousArray", "ClosedRange",
    "Range", "Data", "Date", "URL", "UUID", "DateComponents", "DateInterval", "Calendar", "Locale",
    "TimeZone", "URLComponents", "PersonNameComponents",
  ]
  private static let signs: Set<String> = ["[", "]", "<", ">", ",", "?", "!", "."]

  /// Whether values of a type can be recorded. An unknown type counts as not `Codable`.
  func isCodable(_ type: TypeText) -> Bool { isCodable(type, depth: 0) }

  private func isCodable(_ type: TypeText, depth: Int) -> Bool {
    let tokens = type.stored.withoutSelf.tokens
    return tokens.indices.allSatisfy { position in
      let token = tokens[position]
      if token.text == ":" { return isOrdered(tokens[position - 1]) }
      if Self.signs.contains(token.text) { return true }
      // This is a module or an outer type.
      if position + 1 < tokens.count, tokens[position + 1].text == "." { return true }
      if let type = pinned[token.text], position == 0 || tokens[position - 1].text != "." {
        return depth < 8 && isCodable(type, depth: depth + 1)
      }
      if position > 0, let path = tokens[...].path(to: position), path.count > 1 {
        if areCodable(constraints(of: path)) { return true }
        let meanings = depth < 8 ? meanings(of: path) : []
        if meanings.contains(where: { isCodable($0, depth: depth + 1) }) { return true }
      }
      guard let usr = token.usr else { return Self.codable.contains(token.text) }
      guard let symbol = index.symbols[usr] else {
        return Self.codable.contains(token.text) && isOfPlatform(usr)
      }
      if symbol.isAlias {
        return depth < 8
          && symbol.underlyingType.map { isCodable(TypeText($0), depth: depth + 1) } ?? false
      }
      return index.allConformances(of: usr).isSuperset(of: ["s:Se", "s:SE"])
    }
  }

  /// Whether constraints contain `Codable`, or both its parts.
  private func areCodable(_ constraints: [Token]) -> Bool {
    let usrs = constraints.compactMap(\.usr)
    let all = usrs.reduce(into: Set(usrs)) { $0.formUnion(index.allConformances(of: $1)) }
    return all.contains("s:s7Codablea") || all.isSuperset(of: ["s:Se", "s:SE"])
  }

  /// Whether a dictionary with such keys is encoded in one order, as for strings and integers.
  private func isOrdered(_ key: Token) -> Bool {
    if let usr = key.usr, let symbol = index.symbols[usr] {
      return ["String", "Int"].contains(symbol.underlyingType?.text)
    }
    return ["String", "Int"].contains(key.text)
  }

  /// Whether a type is of the standard library, whose identifiers have no module, or of Foundation.
  private func isOfPlatform(_ usr: String) -> Bool {
    guard let module = ModuleName.written(in: usr) else {
      return usr.hasPrefix("s:S") || usr.hasPrefix("s:s")
    }
    return ["Foundation", "FoundationEssentials"].contains(module)
  }
}
