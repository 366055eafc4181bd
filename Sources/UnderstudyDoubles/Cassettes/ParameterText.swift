// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Blanks the values of parameters in a text, as a query, a form or a cookie has them. The text may
/// be in base64.
struct ParameterText {
  static var redacted: String { "redacted" }

  /// The names of the parameters, in lower case.
  let keys: Set<String>
  /// Called with each value that is blanked.
  let note: (String) -> Void
  /// Blanks a text that was encoded within the text.
  let blankInner: (String) -> String

  /// The text without the values of the parameters.
  func blanked(_ text: String) -> String {
    let plain = blankedPlain(text)
    guard plain == text, text.utf8.count % 4 == 0, let data = Data(base64Encoded: text)
    else { return plain }
    // A text in another encoding has no byte that is zero. Beside data that is no text, only a form
    // in several parts has texts.
    let encoding = String(data: data, encoding: .utf8) == nil ? String.Encoding.isoLatin1 : .utf8
    guard encoding == .utf8 || !data.contains(0) || Self.isForm(data),
      let decoded = String(data: data, encoding: encoding)
    else { return text }
    let blanked = blankedPlain(decoded)
    if blanked == decoded { return text }
    // A document in it that is written anew may have characters beyond the encoding.
    return (blanked.data(using: encoding) ?? Data(JSON.redactedText.utf8)).base64EncodedString()
  }

  private func blankedPlain(_ text: String) -> String {
    Self.isForm(text.utf8) ? blankedParts(of: text) : blankedParameters(of: text)
  }

  /// Whether a text may be a form in several parts. Its first line separates them.
  private static func isForm(_ text: some Sequence<UInt8>) -> Bool {
    text.drop { $0 <= UInt8(ascii: " ") }.starts(with: "--".utf8)
  }

  /// The text without the parts of these names.
  private func blankedParts(of text: String) -> String {
    let boundary = String(text.drop(while: \.isWhitespace).prefix { !$0.isNewline })
    let parts = text.components(separatedBy: boundary)
    // A separator starts a line.
    guard parts.dropFirst().dropLast().allSatisfy({ $0.last?.isNewline == true })
    else { return blankedParameters(of: text) }
    let blanked = parts.map { part in
      // An empty line ends the head.
      let ends = zip(part.indices, part.indices.dropFirst())
      guard let end = ends.first(where: { part[$0].isNewline && part[$1].isNewline })?.1
      else { return blankedParameters(of: part) }
      let (head, contents) = (String(part[...end]), part[part.index(after: end)...])
      let value = contents.dropLast(contents.last?.isNewline == true ? 1 : 0)
      var names: [String] = []
      let name = ParameterText(keys: ["name"], note: { names.append($0) }, blankInner: \.self)
      _ = name.blankedParameters(of: head)
      let isSecret = !value.isEmpty && names.contains(where: isKey)
      if isSecret { note(String(value)) }
      // The name of a part is not a value.
      let keys = keys.subtracting(["name"])
      let other = ParameterText(keys: keys, note: note, blankInner: blankInner)
      return other.blankedParameters(of: head)
        + (isSecret ? Self.redacted : blankInner(String(value))) + contents[value.endIndex...]
    }
    return blanked.joined(separator: blankedParameters(of: boundary))
  }

  private func blankedParameters(of text: String) -> String {
    var (blanked, rest) = ("", text[...])
    while true {
      let piece = rest.prefix(upTo: Self.signs)
      rest = rest[piece.endIndex...]
      blanked += blankedInner(piece)
      guard let sign = rest.unicodeScalars.popFirst() else { return blanked }
      blanked.unicodeScalars.append(sign)
      guard sign == "=", isKey(piece.suffix(after: Self.separators)) else { continue }
      let isQuoted = rest.utf8.first == UInt8(ascii: "\"")
      if isQuoted { blanked.unicodeScalars.append(rest.unicodeScalars.removeFirst()) }
      let value = isQuoted ? rest.quoted : rest.prefix(upTo: Self.ends)
      rest = rest[value.endIndex...]
      if value.isEmpty { continue }
      note(String(value))
      note(Self.decoded(String(value)))
      blanked += Self.redacted
    }
  }

  /// A text between two signs that may be percent-encoded, as an address or a document within a
  /// parameter is. What was not encoded in it stays so.
  private func blankedInner(_ piece: Substring) -> String {
    guard piece.utf8.contains(UInt8(ascii: "%")) else { return String(piece) }
    let inner = Self.decoded(String(piece))
    guard inner != piece, case let blanked = blankInner(inner), blanked != inner else {
      return String(piece)
    }
    let open = CharacterSet(charactersIn: "-._~" + piece.filter { !"%+".contains($0) })
    return blanked.addingPercentEncoding(withAllowedCharacters: open.union(.alphanumerics))
      ?? Self.redacted
  }

  /// Whether a name, or a part of it as in `user[password]` or `user.password`, is a key. A longer
  /// text is not a name.
  private func isKey(_ name: some StringProtocol) -> Bool {
    guard name.utf8.count < 1_000 else { return false }
    let name = Self.decoded(String(name)).lowercased()
    return keys.contains(name)
      || name.split { "[].".contains($0) || $0.isWhitespace }.contains { keys.contains(String($0)) }
  }

  /// The characters that cannot be a part of a name, beside those that end a value.
  private static var separators: String { "?,'({<" }
  /// The characters that end a value. In a query, a value may contain `?` and `,`.
  private static var ends: String { "&;#\" \t\r\n" }
  private static var signs: String { "=\(ends)" }

  private static func decoded(_ text: String) -> String {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes.withoutPercents ?? bytes, as: UTF8.self)
  }
}

extension Substring {
  /// The text before the first of some characters of ASCII.
  fileprivate func prefix(upTo ends: String) -> Substring {
    let ends = Array(ends.utf8)
    return self[..<(utf8.firstIndex { ends.contains($0) } ?? endIndex)]
  }

  /// The text before the quotation mark that ends it. A mark behind a backslash is a part of it.
  fileprivate var quoted: Substring {
    var isEscaped = false
    let end = utf8.firstIndex { byte in
      if isEscaped {
        isEscaped = false
        return false
      }
      isEscaped = byte == UInt8(ascii: "\\")
      return byte == UInt8(ascii: "\"")
    }
    return self[..<(end ?? endIndex)]
  }

  /// The text after the last of some characters of ASCII.
  fileprivate func suffix(after starts: String) -> Substring {
    let starts = Array(starts.utf8)
    return utf8.lastIndex { starts.contains($0) }.map { self[utf8.index(after: $0)...] } ?? self
  }
}
