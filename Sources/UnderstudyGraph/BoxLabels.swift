// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The labels of nodes in at most two lines that fit into a box. Different labels are drawn as
/// different lines.
struct BoxLabels {
  /// How many characters a line has.
  static let lineLength = 30

  /// How many characters a second line has before it is cut. The page draws those that are wider
  /// than the box closer together.
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

  /// Draws labels that are cut to the same lines from where they differ; numbers those that are the
  /// same even then.
  private mutating func separate(_ parts: [(head: String, tail: String)], of labels: [String]) {
    for alike in Dictionary(grouping: labels.indices, by: { lines[$0] }).values {
      guard Set(alike.map { labels[$0] }).count > 1 else { continue }
      let tails = alike.map { parts[$0].tail }
      let common = tails.dropFirst().reduce(tails[0]) { $0.sharedPrefix(with: $1) }.count
      for (index, tail) in zip(alike, tails) {
        // A few characters before the difference show where it is.
        let rest = tail.dropFirst(max(0, common - 4))
        lines[index][1] = "…" + BoxLabels.cutAtTheEnd(String(rest), to: BoxLabels.lineLength - 1)
      }
      for same in Dictionary(grouping: alike, by: { lines[$0] }).values where same.count > 1 {
        for (number, index) in same.sorted().enumerated() {
          let mark = " (\(number + 1))"
          lines[index][1] =
            BoxLabels.cutAtTheEnd(lines[index][1], to: BoxLabels.lineLength - mark.count) + mark
        }
      }
    }
  }

  /// Splits before the name or the place of a key if the type fits on a line, at a blank otherwise.
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
