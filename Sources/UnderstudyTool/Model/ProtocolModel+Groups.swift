// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Finds the SPI groups of the protocol and of its parents, of their requirements, and of the
  /// types in these.
  mutating func findGroups(_ index: GraphIndex) {
    let owner = index.symbols[usr]?.pathComponents.count ?? 0 > 1 ? index.owner(of: usr) : nil
    let needed = [usr, owner].compactMap { $0 } + declared.flatMap { [$0.owner, $0.usr] }
    for usr in Set(needed + tokens.compactMap(\.usr)) where index.symbols[usr]?.spi == true {
      groups[index.modules[usr] ?? module, default: []].insert(index.group(of: usr))
    }
  }

  /// Whether the head of the double, or the type of a requirement, names a declaration of a group.
  func isOfGroup(_ index: GraphIndex) -> Bool {
    (Array(index.allConformances(of: usr)) + tokens.compactMap(\.usr) + [usr]).contains {
      index.symbols[$0]?.spi == true
    }
  }
}
