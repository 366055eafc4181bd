// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Similar names.
enum NearMiss {
  /// The nearest of some words, as a sentence in quotation marks with a leading space, or an empty
  /// text if none is near.
  static func sentence(for word: String, among known: [String], within limit: Int = 3) -> String {
    // No word that is known is as long, and the distance takes long to find.
    guard word.utf8.count <= 300 else { return "" }
    let nearest = known.map { ($0, distance($0, word)) }.min { $0.1 < $1.1 }
    // A word without a common letter is not a misspelling.
    guard let nearest, nearest.1 <= limit, nearest.1 < word.count else { return "" }
    return " Did you mean '\(nearest.0)'?"
  }

  /// The number of letters that have to change.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.lowercased())
    let right = Array(right.lowercased())
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let cost = corner + (letter == other ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
