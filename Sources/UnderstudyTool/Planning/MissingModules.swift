// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension GraphIndex {
  /// The modules without a graph that a protocol's requirements, its parents and their types name.
  func missingModules(of model: ProtocolModel) -> Set<String> {
    var usrs = Set(model.tokens.compactMap(\.usr)).union(allConformances(of: model.usr))
    // What the types are made of says whether they are `Sendable`, `Codable` and can be copied.
    var open = Array(usrs)
    while let usr = open.popLast() {
      let said = (symbols[usr]?.declarationFragments ?? []).compactMap(\.preciseIdentifier)
      for other in allConformances(of: usr).union(said) where usrs.insert(other).inserted {
        open.append(other)
      }
    }
    return Set(usrs.filter { symbols[$0] == nil }.compactMap(ModuleName.written))
      .subtracting(moduleNames)
  }
}
