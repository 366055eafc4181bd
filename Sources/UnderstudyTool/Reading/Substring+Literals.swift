// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Substring {
  /// The end of the string literal at `start`, of any form, or `nil` if none starts there.
  func endOfLiteral(at start: Index) -> Index? {
    let pounds = self[start...].prefix { $0 == "#" }
    let body = self[pounds.endIndex...]
    guard body.first == "\"" else { return nil }
    let quote = body.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    let (close, escape) = (quote + pounds, "\\" + pounds)
    var position = index(pounds.endIndex, offsetBy: quote.count)
    while position < endIndex {
      let rest = self[position...]
      if rest.hasPrefix(close) { return index(position, offsetBy: close.count) }
      if rest.hasPrefix(escape + "(") {
        position = endOfInterpolation(at: index(position, offsetBy: escape.count))
      } else if rest.hasPrefix(escape) {
        position = index(position, offsetBy: escape.count + 1, limitedBy: endIndex) ?? endIndex
      } else {
        position = index(after: position)
      }
    }
    return endIndex
  }

  /// The end of the interpolation at `start`. Strings inside it may contain parentheses.
  private func endOfInterpolation(at start: Index) -> Index {
    var depth = 0
    var position = start
    while position < endIndex {
      if let end = endOfLiteral(at: position) {
        position = end
        continue
      }
      if self[position] == "(" { depth += 1 }
      if self[position] == ")" { depth -= 1 }
      position = index(after: position)
      if depth == 0 { return position }
    }
    return endIndex
  }
}
