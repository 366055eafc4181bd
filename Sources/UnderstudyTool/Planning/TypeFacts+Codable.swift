// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TypeFacts {
  /// Types of the standard library and of Foundation that are common and `Codable`, if what they hold is.
  private static let codable: Set<String> = [
    "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16",
    "UInt32", "UInt64", "UInt128", "Float", "Float16", "Double", "Duration", "Array", "Set",
    "Dictionary", "Optional", "ContiguousArray", "ClosedRange", "Range", "Data", "Date", "URL",
    "UUID",
    "Decimal", "DateComponents", "DateInterval", "Calendar", "Locale", "TimeZone", "IndexSet",
    "CharacterSet", "URLComponents", "PersonNameComponents",
  ]
  private static let signs: Set<String> = ["[", "]", "<", ">", ",", ":", "?", "!", "."]

  /// Whether a recording can keep values of a type; what is unknown is taken not to be `Codable`.
  func isCodable(_ type: TypeText) -> Bool { isCodable(type, depth: 0) }

  private func isCodable(_ type: TypeText, depth: Int) -> Bool {
    let tokens = type.stored.tokens
    return tokens.indices.allSatisfy { position in
      let token = tokens[position]
      if Self.signs.contains(token.text) { return true }
      // A module, or the type around a type.
      if position + 1 < tokens.count, tokens[position + 1].text == "." { return true }
      guard let usr = token.usr, let symbol = index.symbols[usr] else {
        return Self.codable.contains(token.text)
      }
      if symbol.kind.identifier == "swift.typealias" {
        return depth < 8
          && underlying(symbol).map { isCodable($0, depth: depth + 1) } ?? false
      }
      return index.allConformances(of: usr).isSuperset(of: ["s:Se", "s:SE"])
    }
  }
}
