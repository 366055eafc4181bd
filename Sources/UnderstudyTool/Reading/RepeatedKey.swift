// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A key that an object of a JSON document has twice. `JSONSerialization` keeps one of its values
/// and discards the other.
enum RepeatedKey {
  /// The first repeated key of a valid document and the line of its second place, or `nil`.
  static func first(in document: Data) -> (key: String, line: Int)? {
    let bytes = [UInt8](document)
    // The keys of each object around the position. An array has no keys.
    var open: [Set<String>] = []
    var line = 1
    var text: (start: Int, line: Int, end: Int)?
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: "\""):
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        text = (start, line, position)
      case UInt8(ascii: ":"):
        // Only a key stands before a colon.
        guard let text, !open.isEmpty else { break }
        let key = spelled(bytes[text.start...text.end])
        guard open[open.count - 1].insert(key).inserted else { return (key, text.line) }
      default: break
      }
      position += 1
    }
    return nil
  }

  /// A key without its quotation marks and escapes: `"a"` and `"\u0061"` are one key.
  private static func spelled(_ literal: ArraySlice<UInt8>) -> String {
    let text = try? JSONSerialization.jsonObject(with: Data(literal), options: .fragmentsAllowed)
    return text as? String ?? String(decoding: literal, as: UTF8.self)
  }
}
