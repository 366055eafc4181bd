// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Sequence<String> {
  /// At most three names with a similar spelling.
  ///
  /// - Complexity: O(names). Comparing two names costs the product of their lengths, so names that
  /// are longer than anyone types are skipped.
  package func nearMisses(of name: String) -> [String] {
    let longest = 256
    guard name.utf8.count <= longest else { return [] }
    let wanted = name.lowercased()
    let last = wanted.split(separator: ".").last
    // Most mistakes are in the last part.
    let limit = Swift.max(1, (last?.count ?? 0) / 4)
    return compactMap { candidate -> (name: String, distance: Int)? in
      guard candidate.utf8.count <= longest else { return nil }
      let text = candidate.lowercased()
      // The whole tree has no name.
      guard !text.isEmpty else { return nil }
      guard abs(text.count - wanted.count) <= limit else {
        // The same last part under another path, or in another module.
        return last != nil && text.split(separator: ".").last == last ? (candidate, limit) : nil
      }
      let distance = text.editDistance(to: wanted)
      return distance <= limit ? (candidate, distance) : nil
    }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(3).map(\.name)
  }
}
