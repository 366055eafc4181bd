// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Reads JSON strictly (RFC 8259), with the place of every value.
///
/// A duplicate key is an error. So is an integer that fits neither `Int64` nor `UInt64`, since
/// nothing is rounded silently.
///
/// - Complexity: O(n) time and memory. The depth of recursion is limited.
package struct JSONReader {
  private var cursor: ByteCursor

  /// Reads one document.
  package static func read(
    _ bytes: [UInt8], from source: SourceName, limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) -> Node {
    var reader = JSONReader(cursor: try ByteCursor(bytes, source: source, limits: limits))
    reader.cursor.skipWhitespace()
    let node = try reader.value()
    reader.cursor.skipWhitespace()
    guard reader.cursor.isAtEnd else { throw reader.cursor.unexpected("the end") }
    return node
  }

  private mutating func value() throws(DefinitionError) -> Node {
    try cursor.countValue()
    let origin = cursor.origin
    switch cursor.byte {
    case UInt8(ascii: "{"): return Node(.object(try object()), at: origin)
    case UInt8(ascii: "["): return Node(.array(try array()), at: origin)
    case UInt8(ascii: "\""): return Node(.scalar(.string(try string())), at: origin)
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
      return Node(.scalar(try number()), at: origin)
    case UInt8(ascii: "t") where cursor.consume("true"):
      return Node(.scalar(.bool(true)), at: origin)
    case UInt8(ascii: "f") where cursor.consume("false"):
      return Node(.scalar(.bool(false)), at: origin)
    case UInt8(ascii: "n") where cursor.consume("null"):
      return Node(.scalar(.null), at: origin)
    default: throw cursor.unexpected("a value")
    }
  }

  private mutating func descend() throws(DefinitionError) {
    try cursor.descend()
    cursor.advance()
    cursor.skipWhitespace()
  }

  private mutating func array() throws(DefinitionError) -> [Node] {
    try descend()
    defer { cursor.ascend() }
    var elements: [Node] = []
    if cursor.consume("]") { return elements }
    while true {
      elements.append(try value())
      cursor.skipWhitespace()
      if cursor.consume("]") { return elements }
      guard cursor.consume(",") else { throw cursor.unexpected("',' or ']'") }
      cursor.skipWhitespace()
    }
  }

  private mutating func object() throws(DefinitionError) -> [Node.Member] {
    try descend()
    defer { cursor.ascend() }
    var members = MemberList()
    if cursor.consume("}") { return members.list }
    while true {
      let origin = cursor.origin
      guard cursor.byte == UInt8(ascii: "\"") else { throw cursor.unexpected("a key in quotes") }
      let key = try string()
      guard members.reserve(key) else {
        throw DefinitionError(.duplicateKey(key), at: origin)
      }
      cursor.skipWhitespace()
      guard cursor.consume(":") else { throw cursor.unexpected("':'") }
      cursor.skipWhitespace()
      members.append(Node.Member(key, at: origin, try value()))
      cursor.skipWhitespace()
      if cursor.consume("}") { return members.list }
      guard cursor.consume(",") else { throw cursor.unexpected("',' or '}'") }
      cursor.skipWhitespace()
    }
  }

  // MARK: Strings

  private mutating func string() throws(DefinitionError) -> String {
    let start = cursor.origin
    cursor.advance()
    var first = cursor.index
    var text = ""
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "\""):
        text += try cursor.text(first..<cursor.index, from: start)
        cursor.advance()
        return text
      case UInt8(ascii: "\\"):
        text += try cursor.text(first..<cursor.index, from: start)
        text.unicodeScalars.append(try escape())
        first = cursor.index
      case ..<0x20:
        throw cursor.failure(
          .unexpected(found: cursor.found, expected: "an escape or the end of the string"))
      default: cursor.advance()
      }
    }
    throw cursor.unexpected("the end of the string")
  }

  private mutating func escape() throws(DefinitionError) -> UnicodeScalar {
    let start = cursor.origin
    cursor.advance()
    guard let byte = cursor.byte else { throw cursor.unexpected("an escape") }
    let scalar: UnicodeScalar
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = UnicodeScalar(byte)
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(from: start)
    default: throw cursor.unexpected("an escape")
    }
    cursor.advance()
    return scalar
  }

  /// `\uXXXX`, or a surrogate pair of two of them. A lone surrogate is an error.
  private mutating func unicodeEscape(from start: Origin) throws(DefinitionError) -> UnicodeScalar {
    let high = try hexadecimal()
    var code = UInt32(high)
    if 0xD800...0xDBFF ~= high, cursor.consume("\\") {
      guard cursor.byte == UInt8(ascii: "u") else {
        throw cursor.unexpected("the second half of a surrogate pair")
      }
      let low = try hexadecimal()
      if 0xDC00...0xDFFF ~= low {
        code = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
      }
    }
    guard let scalar = UnicodeScalar(code) else {
      throw DefinitionError(
        .unexpected(found: "half of a surrogate pair", expected: "a character"), at: start)
    }
    return scalar
  }

  private mutating func hexadecimal() throws(DefinitionError) -> UInt16 {
    cursor.advance()
    var code: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = cursor.byte, let digit = byte.hexadecimalDigit else {
        throw cursor.unexpected("four hexadecimal digits")
      }
      code = code << 4 | UInt16(digit)
      cursor.advance()
    }
    return code
  }

  // MARK: Numbers

  private mutating func number() throws(DefinitionError) -> PropertyValue {
    let start = cursor.origin
    let first = cursor.index
    var isInteger = true
    _ = cursor.consume("-")
    if cursor.consume("0") {
      if let byte = cursor.byte, byte.isDigit { throw cursor.unexpected("no digit after 0") }
    } else {
      try digits()
    }
    if cursor.consume(".") {
      isInteger = false
      try digits()
    }
    if cursor.consume("e") || cursor.consume("E") {
      isInteger = false
      if !cursor.consume("+") { _ = cursor.consume("-") }
      try digits()
    }
    let text = String(decoding: cursor.bytes[first..<cursor.index], as: UTF8.self)
    if let value = isInteger ? PropertyValue(integer: text) : PropertyValue(number: text) {
      return value
    }
    throw DefinitionError(.numberOutOfRange, at: start)
  }

  private mutating func digits() throws(DefinitionError) {
    guard let byte = cursor.byte, byte.isDigit else { throw cursor.unexpected("a digit") }
    while let byte = cursor.byte, byte.isDigit { cursor.advance(by: 1) }
  }
}

extension PropertyValue {
  /// An integer from its digits, or `nil` if it fits neither `Int64` nor `UInt64`.
  init?(integer text: String) {
    if let value = Int64(text) {
      self = .integer(value)
    } else if let value = UInt64(text) {
      self = .unsigned(value)
    } else {
      return nil
    }
  }

  /// A number from its digits, or `nil` if it is not finite.
  init?(number text: String) {
    guard let value = Double(text), value.isFinite else { return nil }
    self = .number(value)
  }
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
