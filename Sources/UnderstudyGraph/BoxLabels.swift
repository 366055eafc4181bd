// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The labels of nodes in at most two lines that fit into a box. Different labels are drawn as
/// different lines.
struct BoxLabels {
  /// The number of characters in a line.
  static let lineLength = 30

  /// The number of characters in a second line before it is cut. The page condenses a line that is
  /// wider than its box.
  private static let tailLength = 34

  /// The lines of each label, in the order of the labels.
  private(set) var lines: [[String]]

  init(_ labels: [String]) {
    let parts = labels.map(BoxLabels.split)
    lines = parts.map { head, tail in
      tail.isEmpty ? [head] : [head, BoxLabels.cutInTheMiddle(tail)]
    }
    separate(parts, of: labels)
  }

  /// Makes labels distinct that would be cut to the same lines: shows each from its first
  /// difference, and numbers those that still look the same.
  private mutating func separate(_ parts: [(head: String, tail: String)], of labels: [String]) {
    for alike in Dictionary(grouping: labels.indices, by: { lines[$0] }).values {
      guard Set(alike.map { labels[$0] }).count > 1 else { continue }
      let tails = alike.map { parts[$0].tail }
      let common = tails.dropFirst().reduce(tails[0]) { $0.sharedPrefix(with: $1) }.count
      for (index, tail) in zip(alike, tails) {
        // A few characters before the difference show its place.
        let rest = tail.dropFirst(max(0, common - 4))
        lines[index][1] = "…" + BoxLabels.cutAtTheEnd(String(rest), to: BoxLabels.lineLength - 1)
      }
    }
    // Labels that were cut to different lines may look the same from their first difference.
    for same in Dictionary(grouping: labels.indices, by: { lines[$0] }).values {
      guard Set(same.map { labels[$0] }).count > 1 else { continue }
      for (number, index) in same.sorted().enumerated() {
        let mark = " (\(number + 1))"
        lines[index][1] =
          BoxLabels.cutAtTheEnd(lines[index][1], to: BoxLabels.lineLength - mark.count) + mark
      }
    }
  }

  /// Splits before the key's name or place if the type fits in a line, and at a space otherwise.
  private static func split(_ label: String) -> (head: String, tail: String) {
    guard label.count > lineLength else { return (label, "") }
    for separator in [" named ", " declared at ", " in "] {
      let parts = label.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].count <= lineLength else { continue }
      return (String(parts[0]), String(separator.dropFirst() + parts[1]))
    }
    let start = label.prefix(lineLength)
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return (String(label[..<end]), label[end...].trimmingPrefix(" ").description)
  }

  private static func cutInTheMiddle(_ text: String) -> String {
    guard text.count > tailLength else { return text }
    return String(text.prefix(tailLength / 2 - 1) + "…" + text.suffix(tailLength / 2))
  }

  static func cutAtTheEnd(_ text: String, to length: Int) -> String {
    text.count <= length ? text : String(text.prefix(length - 1)) + "…"
  }
}

extension String {
  fileprivate func sharedPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
