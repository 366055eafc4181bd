// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Finds the SPI groups of the protocol, of the types in its requirements, and of requirements
  /// whose protocol is in no group.
  mutating func findGroups(_ index: GraphIndex) {
    let owner = index.symbols[usr]?.pathComponents.count ?? 0 > 1 ? index.owner(of: usr) : nil
    let members = declared.filter { index.symbols[$0.owner]?.spi != true }.map(\.usr)
    for usr in Set([usr] + [owner].compactMap { $0 } + members + tokens.compactMap(\.usr))
    where index.symbols[usr]?.spi == true {
      groups[index.modules[usr] ?? module, default: []].insert(index.groups[usr])
    }
  }
}
