// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The `@_spi` groups, which only the sources contain.
enum SPIGroups {
  /// The group of each symbol whose source is available.
  static func find(
    in symbols: [SymbolGraph.Symbol], source: (String) -> String?
  ) -> [String: String] {
    var groups: [String: String] = [:]
    var sources: [String: [Substring]] = [:]
    for symbol in symbols {
      guard let location = symbol.location else { continue }
      if sources[location.uri] == nil {
        sources[location.uri] =
          source(location.uri)?
          .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? []
      }
      guard let lines = sources[location.uri], lines.indices.contains(location.position.line) else {
        continue
      }
      // An attribute is on the line of the declaration, or on one of the lines before it.
      for line in lines[...location.position.line].suffix(6).reversed() {
        guard let match = line.firstMatch(of: #/@_spi\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*\)/#) else {
          continue
        }
        groups[symbol.identifier.precise] = String(match.1)
        break
      }
    }
    return groups
  }
}
