// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// Finds known words that are similar to an unknown one.
enum NearMiss {
  /// The known words that are most similar to a word, nearest first; at most three.
  static func candidates(for word: String, among known: [String]) -> [String] {
    let written = word.lowercased()
    let ranked = known.compactMap { candidate -> (word: String, distance: Int)? in
      let distance = distance(from: written, to: candidate.lowercased())
      let isPart = written.count > 2 && candidate.lowercased().contains(written)
      return isPart || distance <= max(1, candidate.count / 3) ? (candidate, distance) : nil
    }
    let nearest = ranked.map(\.distance).min() ?? 0
    return ranked.filter { $0.distance <= nearest + 1 }.sorted { $0.distance < $1.distance }
      .prefix(3).map(\.word)
  }

  /// The number of characters to insert, delete or replace.
  private static func distance(from left: String, to right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (character == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
