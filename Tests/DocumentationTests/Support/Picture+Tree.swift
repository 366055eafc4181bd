// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Picture {
  /// A log's tree: each request below its requester, with the answering level in its colour.
  static func tree(_ tree: String) -> Picture {
    let rows = tree.split(separator: "\n").map { Row($0) }
    let rowHeight = 30
    var picture = Picture(
      "The resolution tree of a rehearsal",
      "What swift run box-office rehearse prints: who asked for what, and who answered.",
      width: 700, height: 64 + rowHeight * rows.count)
    picture.text("Each request, and its answer", .bold, x: 24, y: 34)
    /// The positions of the vertical lines, one for each depth.
    var stems: [Int] = []
    for (index, row) in rows.enumerated() {
      let y = 64 + rowHeight * index
      let x = 24 + 26 * row.depth
      stems = stems.prefix(row.depth) + [y + 12]
      if row.depth > 0 {
        picture.line("M\(x - 16) \(stems[row.depth - 1]) V\(y - 5) H\(x - 4)")
        stems[row.depth - 1] = y - 5
      }
      picture.text(row.name, .code, x: x, y: y)
      picture.box(row.part, x: 440, y: y - 16, width: 236, height: 22, radius: 4)
      picture.text(row.answer, .sub, x: 452, y: y)
    }
    return picture
  }

  /// `├─ any Mailer  made by layer 'rehearsal'`
  private struct Row {
    let depth: Int
    let name: String
    let answer: String

    init(_ line: Substring) {
      let text = line.drop { "│├└─ ".contains($0) }
      depth = (line.count - text.count) / 3
      let parts = text.split(separator: "  ", maxSplits: 1)
      name = String(parts[0]).replacing(#/ declared at \S+/#, with: "")
      answer = parts.count > 1 ? String(parts[1]) : ""
    }

    var part: Part {
      if answer.contains(" layer '") { return .layer }
      return answer.contains("production") ? .production : .neither
    }
  }
}
