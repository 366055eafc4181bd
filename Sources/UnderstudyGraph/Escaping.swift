// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension String {
  func escaped(_ replacements: [Character: String]) -> String {
    var text = ""
    for character in self { text += replacements[character] ?? String(character) }
    return text
  }

  /// As a JSON string that may also stand in a script element.
  var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "<", ">", "&", "\u{2028}", "\u{2029}": text += scalar.unicodeEscape
      default:
        if scalar.value < 0x20 {
          text += scalar.unicodeEscape
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var unicodeEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
