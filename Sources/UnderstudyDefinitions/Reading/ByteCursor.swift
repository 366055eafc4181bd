// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Moves over bytes, tracks line and column, and keeps the limits of a reader.
///
/// Lines end with a line feed. A column is a number of Unicode scalars.
struct ByteCursor {
  let bytes: ArraySlice<UInt8>
  let source: SourceName
  private(set) var index: Int
  private var line = 1
  /// The start of the line, moved by the number of continuation bytes in it.
  private var lineStart: Int
  private let limits: ReadingLimits
  private var depth = 0
  private var valueCount = 0

  init(
    _ bytes: [UInt8], source: SourceName, limits: ReadingLimits
  ) throws(DefinitionError) {
    try limits.check(bytes, from: source)
    self.limits = limits
    self.bytes = bytes[...]
    self.source = source
    // A byte-order mark is not part of the contents.
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    lineStart = index
  }

  /// Counts a value that begins here. Throws if there are too many.
  mutating func countValue() throws(DefinitionError) {
    valueCount += 1
    guard valueCount <= limits.valueCount else {
      throw failure(.tooManyValues(limit: limits.valueCount))
    }
  }

  /// Enters an array or an object. Throws if they nest too deep.
  mutating func descend() throws(DefinitionError) {
    depth += 1
    guard depth <= limits.appliedDepth else { throw failure(.tooDeep(limit: limits.appliedDepth)) }
  }

  mutating func ascend() { depth -= 1 }

  var origin: Origin { Origin(source, line: line, column: index - lineStart + 1) }

  var isAtEnd: Bool { index >= bytes.endIndex }

  var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  func byte(after distance: Int) -> UInt8? {
    index + distance < bytes.endIndex ? bytes[index + distance] : nil
  }

  mutating func advance() {
    let byte = bytes[index]
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = index
    } else if byte & 0xC0 == 0x80 {
      lineStart += 1
    }
  }

  /// Advances over ASCII bytes without line feeds.
  mutating func advance(by count: Int) {
    index += count
  }

  mutating func skipWhitespace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
  }

  /// Advances over the bytes if they come next. They must not contain a line feed.
  mutating func consume(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    index += text.utf8CodeUnitCount
    return true
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.endIndex else { return false }
    // Safety: the buffer has as many bytes as the text, and is valid until this returns.
    return text.withUTF8Buffer { buffer in
      (0..<count).allSatisfy { unsafe bytes[index + $0] == buffer[$0] }
    }
  }

  /// Moves behind the next occurrence of the bytes. Returns false if there is none.
  mutating func skip(past text: StaticString) -> Bool {
    while !isAtEnd {
      if consume(text) { return true }
      advance()
    }
    return false
  }

  /// The text of some bytes.
  ///
  /// - Parameters:
  ///   - range: The indices of the bytes.
  ///   - start: The place that an error names.
  func text(_ range: Range<Int>, from start: Origin) throws(DefinitionError) -> String {
    guard !range.isEmpty else { return "" }
    guard let text = String(validUTF8: bytes[range]) else {
      throw DefinitionError(.invalidUTF8, at: start)
    }
    return text
  }

  /// A description of the next character, or of the end, for messages.
  var found: String {
    guard let byte else { return "the end" }
    switch byte {
    case 0x21...0x7E: return "'\(Character(UnicodeScalar(byte)))'"
    case 0x0A: return "a line end"
    case 0x80...: return "a character outside ASCII"
    default: return "the byte 0x" + String(byte, radix: 16, uppercase: true)
    }
  }

  func failure(_ problem: Finding.Problem) -> DefinitionError {
    DefinitionError(problem, at: origin)
  }

  /// The error for a text that is not the expected one.
  func unexpected(_ expected: String) -> DefinitionError {
    failure(
      isAtEnd ? .truncated(expected: expected) : .unexpected(found: found, expected: expected))
  }
}
