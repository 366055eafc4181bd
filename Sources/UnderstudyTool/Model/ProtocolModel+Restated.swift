// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Fixes an associated type if a protocol declares a parent's member again with a concrete type.
  ///
  /// `protocol User: Identifiable { var id: UUID { get } }` fixes `ID` in every type with one `id`.
  mutating func fixRestated(_ index: GraphIndex) {
    let names = Set(associatedTypes.map(\.name))
    for parent in declared {
      for child in declared
      where child.owner != parent.owner
        && index.allConformances(of: child.owner).contains(parent.owner)
        && child.declaration.mayRestate(parent.declaration)
      {
        let results = child.declaration.parameters.count
        for (place, general) in parent.declaration.typesOfCall.enumerated() {
          guard let (name, type) = Self.match(general, child.declaration.typesOfCall[place], names),
            let position = associatedTypes.firstIndex(where: { $0.name == name }),
            associatedTypes[position].fixed == nil,
            // An overload may take any type, also one that violates a constraint.
            place == results
              ? !violates(type, associatedTypes[position])
              : meets(type, associatedTypes[position], index)
          else { continue }
          associatedTypes[position].fixed = type
        }
      }
    }
  }

  /// Whether a type of the standard library certainly does not conform to a constraint.
  private func violates(_ type: TypeText, _ general: AssociatedType) -> Bool {
    let values = ["s:Sb", "s:Si", "s:Su", "s:Sd", "s:Sf", "s:SS"]
    let others: Set<String> = ["IteratorProtocol", "AsyncIteratorProtocol", "Error", "Actor"]
    return type.tokens.count == 1 && type.tokens[0].usr.map(values.contains) == true
      && general.constraint.contains { others.contains($0.text) }
  }

  /// True if a type is known to meet the constraints of an associated type.
  private func meets(_ type: TypeText, _ general: AssociatedType, _ index: GraphIndex) -> Bool {
    let clauses = whereClause + associatedTypes.map(\.whereClause)
    if clauses.joined().contains(where: { $0.text == general.name }) { return false }
    let constraint = general.constraint
    if constraint.isEmpty { return true }
    let wanted = constraint.compactMap(\.usr)
    guard type.tokens.count == 1, let usr = type.tokens.first?.usr,
      wanted.count == constraint.count(where: { $0.text != "&" })
    else { return false }
    return index.allConformances(of: usr).isSuperset(of: wanted)
  }

  /// The associated type in the first type, and the part of the second type in its place, as in
  /// `Element?` and `Int?`.
  static func match(
    _ general: TypeText, _ concrete: TypeText, _ names: Set<String>
  ) -> (String, TypeText)? {
    let general = general.stored.withoutSelf.tokens
    let concrete = concrete.stored.withoutSelf.tokens
    let positions = general.indices.filter { position in
      names.contains(general[position].text)
        && (position == 0 || general[position - 1].text != ".")
    }
    guard positions.count == 1, concrete.count >= general.count else { return nil }
    let position = positions[0]
    let rest = general.count - position - 1
    let type = TypeText(Array(concrete[position..<(concrete.count - rest)]))
    guard general[..<position].map(\.text) == concrete[..<position].map(\.text),
      general.suffix(rest).map(\.text) == concrete.suffix(rest).map(\.text),
      !names.contains(where: type.has), !type.has("some"), !type.tokens.isEmpty
    else { return nil }
    return (general[position].text, type)
  }
}

extension Declaration {
  /// The types of the parameters and of the result, which may be `Void`.
  fileprivate var typesOfCall: [TypeText] {
    parameters.map(\.type) + [type ?? TypeText(parsing: "Void")]
  }

  /// Whether this may be the same declaration as another one with associated types.
  fileprivate func mayRestate(_ other: Declaration) -> Bool {
    kind == other.kind && kind != .associatedType && title == other.title
      && isStatic == other.isStatic && generics.isEmpty && other.generics.isEmpty
  }
}
