// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A private declaration whose documentation comment contains a line for this tool.
///
/// A compiled module has no documentation of private declarations, so only the source contains it.
struct HiddenMarker: Hashable {
  /// The word of the line: `component`, `double` …
  var word: String
  /// `private` or `fileprivate`.
  var access: String
  /// The name of the declaration.
  var name: String
  /// The position of the name, starting at 1.
  var line: Int
  var column: Int

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "func", "var", "let", "init", "extension",
  ]

  /// Finds the markers of private declarations in a source. Only `///` comments are read.
  static func all(in source: String) -> [HiddenMarker] {
    guard source.contains("Understudy:") else { return [] }
    var found: [HiddenMarker] = []
    var word: String?
    var access: String?
    for (number, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = line.drop(while: \.isWhitespace)
      if text.hasPrefix("///") {
        if let marker = MarkerLine(String(text.dropFirst(3))), marker.problem == nil {
          word = marker.words.first
        }
        continue
      }
      guard let marked = word, !text.isEmpty, !text.hasPrefix("//") else { continue }
      var position = line.startIndex
      var kind: String?
      // The head of a declaration has attributes and modifiers, a kind, and the name.
      while let start = line[position...].firstIndex(where: \.isNameLetter) {
        let end = line[start...].firstIndex { !$0.isNameLetter } ?? line.endIndex
        let name = String(line[start..<end])
        position = end
        if kind != nil || name == "init" {
          if let access {
            found.append(
              HiddenMarker(
                word: marked, access: access, name: name, line: number + 1,
                column: line.utf8.distance(from: line.startIndex, to: start) + 1))
          }
          kind = name
          break
        }
        // `private(set)` does not make the declaration private.
        if ["private", "fileprivate"].contains(name), !line[end...].hasPrefix("(") {
          access = name
        }
        if kinds.contains(name) { kind = name }
      }
      if kind != nil {
        word = nil
        access = nil
      }
    }
    return found
  }
}

extension Character {
  fileprivate var isNameLetter: Bool { isLetter || isNumber || self == "_" }
}
