// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Fixes an associated type where a protocol declares a parent's member again with a concrete type.
  ///
  /// `protocol User: Identifiable { var id: UUID { get } }` says what `ID` is in every type that conforms with one `id`.
  mutating func fixRestated(_ index: GraphIndex) {
    let names = Set(associatedTypes.map(\.name))
    for parent in declared {
      for child in declared
      where child.owner != parent.owner
        && index.allConformances(of: child.owner).contains(parent.owner)
        && child.declaration.mayRestate(parent.declaration)
      {
        for (general, concrete) in zip(parent.declaration.types, child.declaration.types) {
          let name = general.stored.replacing([:]).text
          let type = concrete.stored.replacing([:])
          guard let position = associatedTypes.firstIndex(where: { $0.name == name }),
            associatedTypes[position].fixed == nil, type.text != name,
            !names.contains(where: type.has), !type.has("some")
          else { continue }
          associatedTypes[position].fixed = TypeText(type.tokens)
        }
      }
    }
  }
}

extension Declaration {
  /// The types of the parameters, and the result.
  fileprivate var types: [TypeText] {
    parameters.map(\.type) + [type ?? TypeText(parsing: "Void")]
  }

  /// Whether this may be what another declaration says with associated types.
  fileprivate func mayRestate(_ other: Declaration) -> Bool {
    kind == other.kind && kind != .associatedType && title == other.title
      && isStatic == other.isStatic && generics.isEmpty && other.generics.isEmpty
  }
}
