// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Finds the SPI groups of the protocol and of the types in its requirements.
  mutating func findGroups(_ index: GraphIndex) {
    let owner = index.symbols[usr]?.pathComponents.count ?? 0 > 1 ? index.owner(of: usr) : nil
    for usr in Set([usr] + [owner].compactMap { $0 } + tokens.compactMap(\.usr))
    where index.symbols[usr]?.spi == true {
      groups[index.modules[usr] ?? module, default: []].insert(index.groups[usr])
    }
  }
}
