// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension GraphIndex {
  /// The modules without a graph that the requirements, the parents and their types need.
  func missingModules(of model: ProtocolModel) -> Set<String> {
    var usrs = Set(model.tokens.compactMap(\.usr)).union(allConformances(of: model.usr))
    // The parts of a type determine whether it is `Sendable`, `Codable` and copyable.
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
