// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A JSON object or array within a text, as it is or in base64, in which data is encoded.
struct JSONDocument {
  let json: JSON
  /// False if the document has a number that this type does not hold exactly.
  let isExact: Bool

  init?(in text: String) {
    guard let source = JSONText(text) else { return nil }
    self.init(source)
  }

  /// The document, or `nil` if it cannot be decoded.
  init?(_ source: JSONText) {
    guard let json = try? JSONDecoder().decode(JSON.self, from: source.data) else { return nil }
    self.json = json
    isExact =
      !json.hasNumber
      || (try? JSONDecoder().decode(ExactNumbers.self, from: source.data)) != nil
  }

  /// The text, or its document with sorted keys and without spaces.
  static func sorted(_ text: String) -> String {
    guard let source = JSONText(text), let document = JSONDocument(source), document.isExact
    else { return text }
    return source.encoded(document.json.line)
  }
}

/// A text that starts like a JSON object or array, as it is or in base64.
struct JSONText {
  /// The decoded text, without a byte-order mark.
  let data: Data
  private let isBase64: Bool

  init?(_ text: String) {
    if let data = JSONText.document(Data(text.utf8)) {
      (self.data, isBase64) = (data, false)
      return
    }
    // The first character of base64 holds six bits of a bracket, of the space before one, or of a
    // byte-order mark.
    guard let first = text.utf8.first, "eWICD7".utf8.contains(first), text.utf8.count % 4 == 0,
      let decoded = Data(base64Encoded: text), let data = JSONText.document(decoded)
    else { return nil }
    (self.data, isBase64) = (data, true)
  }

  /// Another text in the same encoding.
  func encoded(_ text: String) -> String {
    isBase64 ? Data(text.utf8).base64EncodedString() : text
  }

  /// Whether one of the keys is somewhere in the text, also if it is not valid JSON, or the key
  /// occurs twice.
  func has(oneOf keys: Set<String>) -> Bool {
    let bytes = Array(data)
    let keys = keys.map(NSRegularExpression.escapedPattern).joined(separator: "|")
    return String(decoding: bytes.withoutEscapes ?? bytes, as: UTF8.self).range(
      of: #""(\#(keys))\\*"\s*:"#, options: [.regularExpression, .caseInsensitive]) != nil
  }

  private static func document(_ data: Data) -> Data? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
    let first = document.first { $0 > UInt8(ascii: " ") }
    return first.map("{[".utf8.contains) == true ? document : nil
  }
}
