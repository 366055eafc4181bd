// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A place in source code.
package struct SourcePlace: Hashable, Comparable, Codable {
  package var path: String
  /// The line, starting at 1.
  package var line: Int
  /// The column, starting at 1.
  package var column: Int

  package init(path: String, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The place of a symbol's declaration, or `nil` if its graph has none.
  init?(_ location: SymbolGraph.Symbol.Location?) {
    guard let location else { return nil }
    path = location.uri.pathOfAddress
    line = location.position.line + 1
    column = location.position.character + 1
  }

  /// The same place, relative to a directory that contains it.
  package func relative(to directory: String) -> SourcePlace {
    guard path.hasPrefix(directory + "/") else { return self }
    return SourcePlace(
      path: String(path.dropFirst(directory.count + 1)), line: line, column: column)
  }

  var text: String { "\(path):\(line):\(column)" }

  package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}
