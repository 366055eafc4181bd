// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension String {
  /// The text with an escape for each scalar that has no shape of its own: control and format
  /// characters, and line and paragraph separators. On a terminal or a page, such a scalar of a
  /// name could move the cursor, or reverse the text. Each scalar is judged alone, never a cluster.
  package var withInvisibleScalarsEscaped: String {
    replacingScalars { $0.isInvisible ? $0.escape : nil }
  }

  /// The text with a replacement of each scalar that has one.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) {
        text.append(contentsOf: replacement.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The same of a text of several lines, which keep their ends.
  package var withInvisibleScalarsOfLinesEscaped: String {
    replacingScalars { $0.isInvisible && $0 != "\n" ? $0.escape : nil }
  }
}

extension Unicode.Scalar {
  package var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
