// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A JSON object or array within a text, as it is or in base64, in which data is encoded.
struct JSONDocument {
  let json: JSON
  /// False if the document has a number that this type does not hold exactly.
  let isExact: Bool
  private let isBase64: Bool

  init?(in text: String) {
    guard let first = JSONDocument.start(of: text.utf8) else { return nil }
    let data: Data
    if JSONDocument.starts.contains(first) {
      (data, isBase64) = (Data(text.utf8), false)
    } else {
      // The first character of base64 holds six bits of a bracket, or of the space before one.
      guard "eWICD".utf8.contains(first), text.utf8.count % 4 == 0,
        let decoded = Data(base64Encoded: text),
        let start = JSONDocument.start(of: decoded), JSONDocument.starts.contains(start)
      else { return nil }
      (data, isBase64) = (decoded, true)
    }
    guard let json = try? JSONDecoder().decode(JSON.self, from: data) else { return nil }
    self.json = json
    isExact = !json.hasNumber || (try? JSONDecoder().decode(ExactNumbers.self, from: data)) != nil
  }

  /// The text, or its document with sorted keys and without spaces.
  static func sorted(_ text: String) -> String {
    guard let document = JSONDocument(in: text), document.isExact else { return text }
    return document.text(of: document.json.line)
  }

  /// Another text in the same encoding.
  func text(of text: String) -> String {
    isBase64 ? Data(text.utf8).base64EncodedString() : text
  }

  private static let starts = "{[".utf8

  private static func start(of bytes: some Sequence<UInt8>) -> UInt8? {
    bytes.first { $0 > UInt8(ascii: " ") }
  }
}
