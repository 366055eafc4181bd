// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Declaration {
  /// Removes the differences between the two producers of graphs.
  ///
  /// An extracted graph replaces the alias of a function type with that type. In the arguments of
  /// an opaque type it loses opaque types and generic parameters.
  mutating func equalise(_ index: GraphIndex) {
    func equal(_ type: TypeText) -> TypeText {
      TypeText(type.tokens.withEqualSigns.equalised(index).withSendingLast)
    }
    let names = Set(generics.map(\.name))
    attributes.sort { $0.text < $1.text }
    type = type.map { equal($0) }
    if case .typed(let failure) = throwing { throwing = .typed(equal(failure)) }
    for position in generics.indices {
      generics[position].constraint = generics[position].constraint.equalised(index, isType: false)
    }
    constraint = constraint.equalised(index, isType: false)
    whereClause = whereClause.equalised(index, isType: false)
    for position in parameters.indices {
      var type = parameters[position].type
      if !parameters[position].isVariadic,
        let function = AliasExpander(index: index).function(type.tokens)
      {
        type = TypeText(function.spelledOut(index))
      }
      type = equal(type)
      type.tokens.dropOpaqueArguments(of: names)
      parameters[position].type = type
    }
  }
}

extension [Token] {
  /// An emitted graph has `sending inout`, which does not compile, and `sending consuming`. An
  /// extracted graph has both in the reverse order.
  var withSendingLast: [Token] {
    var tokens = self
    for position in indices.dropLast()
    where tokens[position].text == "sending"
      && ["inout", "consuming", "borrowing"].contains(tokens[position + 1].text)
    {
      tokens[position].text = tokens[position + 1].text
      tokens[position + 1].text = "sending"
    }
    return tokens
  }

  fileprivate mutating func dropOpaqueArguments(of names: Set<String>) {
    guard let some = firstIndex(where: { $0.text == "some" }),
      let start = self[some...].firstIndex(where: { $0.text == "<" })
    else { return }
    let end = self[...].closing(from: start)
    let isLost = self[start...end].contains { $0.text == "some" || names.contains($0.text) }
    if isLost { removeSubrange(start...end) }
  }

  /// Qualifies nested types with their outer types, since a double is nested in none of them. The
  /// types in a generic class have short names in its subclasses.
  func spelledOut(_ index: GraphIndex) -> [Token] {
    enumerated().map { position, token in
      guard position == 0 || self[position - 1].text != ".", !token.text.hasPrefix("@"),
        let usr = token.usr, let symbol = index.symbols[usr], symbol.pathComponents.count > 1,
        symbol.isType, !index.inheritedAliases.contains(usr), !symbol.isInsideGeneric
      else { return token }
      var token = token
      token.text = symbol.pathComponents.map(\.escapedType).joined(separator: ".")
      return token
    }
  }
}

extension SymbolGraph.Symbol {
  /// Whether a type around this one has generic parameters, and this one has none of its own.
  fileprivate var isInsideGeneric: Bool {
    swiftGenerics?.parameters?.isEmpty == false
      && !tokens.prefix { !["=", ":", "where"].contains($0.text) }.contains { $0.text == "<" }
  }
}
