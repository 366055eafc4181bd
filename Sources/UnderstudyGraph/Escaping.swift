// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// Every escape below handles one Unicode scalar at a time. A `Character` is a grapheme cluster: "<"
// after U+0600 is part of a cluster that does not equal "<", and would not be escaped.

extension String {
  /// The text between tags or in an attribute of HTML or SVG.
  var escapedForHTML: String {
    replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }

  /// The text in a quoted label of Mermaid.
  ///
  /// Mermaid reads directives (`%%{…}%%`), Markdown in backticks and its own entities (`#…;`) in a
  /// quoted text, too. It also removes the last semicolon of `style…:…#…;`, unless a space follows
  /// the colon. So any other colon is escaped.
  var escapedForMermaid: String {
    replacingScalars { scalar in
      switch scalar {
      case "&": "#amp;"
      case "<": "#lt;"
      case ">": "#gt;"
      case "\"": "#quot;"
      case "#", "%", "`", "{", "}", "\\", ";", ":": "#\(scalar.value);"
      default: nil
      }
    }.replacing("#58; ", with: ": ")
  }

  /// The text in a quoted label of Graphviz, which reads entities of HTML there.
  var escapedForDOT: String {
    replacingScalars { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "&": "&amp;"
      default: nil
      }
    }
  }

  /// The text as a string of JSON that can stand in a `script` element: without a character that
  /// HTML could read, and without an invisible one.
  var json: String {
    "\""
      + replacingScalars { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case "<", ">", "&": scalar.escapedForJSON
        default: scalar.isInvisible ? scalar.escapedForJSON : nil
        }
      } + "\""
  }
}

extension Unicode.Scalar {
  /// `\u003c`, or a surrogate pair above U+FFFF.
  fileprivate var escapedForJSON: String {
    UTF16.encode(self).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
