// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Reads a property list in XML, with the place of every value.
///
/// It accepts only the XML that property lists need: the five predefined entities, and Apple's
/// document type, which is never loaded. So no entity expands and no file is loaded.
///
/// - Complexity: O(n) time and memory. The depth of recursion is limited.
package struct XMLPropertyListReader {
  private var cursor: ByteCursor

  /// Reads one document.
  package static func read(
    _ bytes: [UInt8], from source: SourceName, limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) -> Node {
    var reader = XMLPropertyListReader(
      cursor: try ByteCursor(bytes, source: source, limits: limits))
    try reader.prolog()
    let root = try reader.tag(expected: "<plist>")
    guard root.name == "plist", root.kind == .opening else { throw root.unexpected("<plist>") }
    let node = try reader.value(try reader.nextTag(expected: "a value"))
    try reader.close("plist")
    try reader.skipMiscellany()
    guard reader.cursor.isAtEnd else { throw reader.cursor.unexpected("the end") }
    return node
  }

  // MARK: Markup

  private struct Tag {
    enum Kind { case opening, closing, empty }
    let name: String
    let kind: Kind
    let origin: Origin

    /// The tag as it is written, without its attributes.
    var text: String {
      switch kind {
      case .opening: "<\(name)>"
      case .closing: "</\(name)>"
      case .empty: "<\(name)/>"
      }
    }

    func unexpected(_ expected: String) -> DefinitionError {
      DefinitionError(.unexpected(found: text, expected: expected), at: origin)
    }
  }

  private mutating func prolog() throws(DefinitionError) {
    if cursor.starts(with: "<?xml") {
      let origin = cursor.origin
      let first = cursor.index
      guard cursor.skip(past: "?>") else { throw cursor.unexpected("'?>'") }
      let text = String(decoding: cursor.bytes[first..<cursor.index], as: UTF8.self).lowercased()
      if text.contains("encoding"), !text.contains(#/\sencoding\s*=\s*(["'])(?:utf-8|us-ascii)\1/#)
      {
        throw DefinitionError(.refused("an encoding other than UTF-8"), at: origin)
      }
    }
    try skipMiscellany()
    guard cursor.starts(with: "<!DOCTYPE") else { return }
    try documentType()
    try skipMiscellany()
  }

  private mutating func documentType() throws(DefinitionError) {
    let origin = cursor.origin
    let first = cursor.index
    while let byte = cursor.byte, byte != UInt8(ascii: ">") {
      guard byte != UInt8(ascii: "[") else {
        throw cursor.failure(.refused("a document type with declarations of its own"))
      }
      cursor.advance()
    }
    guard !cursor.isAtEnd else { throw cursor.unexpected("'>'") }
    let text = String(decoding: cursor.bytes[first..<cursor.index], as: UTF8.self)
    cursor.advance()
    let words = text.split(whereSeparator: \.isWhitespace)
    let isPropertyList = words.count > 1 && words[1] == "plist"
    let isApples =
      text.contains("PUBLIC \"-//Apple//DTD PLIST 1.0//EN\"")
      || text.contains("PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\"")
    guard isPropertyList, words.count == 2 || isApples else {
      throw DefinitionError(.refused("an external document type"), at: origin)
    }
  }

  /// Skips white space and comments. A processing instruction is an error.
  private mutating func skipMiscellany() throws(DefinitionError) {
    while true {
      cursor.skipWhitespace()
      guard cursor.consume("<!--") else { break }
      guard cursor.skip(past: "-->") else { throw cursor.unexpected("'-->'") }
    }
    if cursor.starts(with: "<?") { throw cursor.failure(.refused("a processing instruction")) }
  }

  private mutating func nextTag(expected: String) throws(DefinitionError) -> Tag {
    try skipMiscellany()
    return try tag(expected: expected)
  }

  private mutating func tag(expected: String) throws(DefinitionError) -> Tag {
    let origin = cursor.origin
    guard cursor.consume("<") else { throw cursor.unexpected(expected) }
    var kind: Tag.Kind = cursor.consume("/") ? .closing : .opening
    let first = cursor.index
    while let byte = cursor.byte, byte.isLetter { cursor.advance(by: 1) }
    // A name must match completely, not only at its start.
    if cursor.index > first {
      while let byte = cursor.byte, byte.isOfName, cursor.index - first <= 16 { cursor.advance() }
    }
    let name = String(decoding: cursor.bytes[first..<cursor.index], as: UTF8.self)
    guard !name.isEmpty, name.utf8.count <= 16 else { throw cursor.unexpected(expected) }
    let nameEnd = cursor.index
    // Attributes have no meaning in a property list.
    while let byte = cursor.byte, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
      if byte == UInt8(ascii: "/"), cursor.byte(after: 1) == UInt8(ascii: ">"), kind == .opening {
        kind = .empty
      }
      cursor.advance()
      // A ">" in quotes does not end the tag.
      guard byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") else { continue }
      while let next = cursor.byte, next != byte { cursor.advance() }
      guard !cursor.isAtEnd else { throw cursor.unexpected("a quotation mark") }
      cursor.advance()
    }
    // A closing tag has no attributes, and is not empty.
    let rest = cursor.bytes[nameEnd..<cursor.index]
    guard kind != .closing || rest.allSatisfy({ $0 <= 0x20 }) else {
      throw DefinitionError(.unexpected(found: "an attribute", expected: "</\(name)>"), at: origin)
    }
    guard cursor.consume(">") else { throw cursor.unexpected("'>'") }
    return Tag(name: name, kind: kind, origin: origin)
  }

  private mutating func close(_ name: String) throws(DefinitionError) {
    let tag = try nextTag(expected: "</\(name)>")
    guard tag.kind == .closing, tag.name == name else { throw tag.unexpected("</\(name)>") }
  }

  // MARK: Values

  private mutating func value(_ tag: Tag) throws(DefinitionError) -> Node {
    try cursor.countValue()
    guard tag.kind != .closing else { throw tag.unexpected("a value") }
    let isEmpty = tag.kind == .empty
    switch tag.name {
    case "dict": return Node(.object(isEmpty ? [] : try dictionary()), at: tag.origin)
    case "array": return Node(.array(isEmpty ? [] : try array()), at: tag.origin)
    case "true", "false":
      if !isEmpty { try close(tag.name) }
      return Node(.scalar(.bool(tag.name == "true")), at: tag.origin)
    case "string", "integer", "real", "date", "data":
      let text = isEmpty ? "" : try text(of: tag.name)
      return Node(.scalar(try scalar(tag.name, text, at: tag.origin)), at: tag.origin)
    default: throw tag.unexpected("a value")
    }
  }

  private mutating func array() throws(DefinitionError) -> [Node] {
    try cursor.descend()
    defer { cursor.ascend() }
    var elements: [Node] = []
    while true {
      let tag = try nextTag(expected: "a value or </array>")
      if tag.kind == .closing, tag.name == "array" { return elements }
      elements.append(try value(tag))
    }
  }

  private mutating func dictionary() throws(DefinitionError) -> [Node.Member] {
    try cursor.descend()
    defer { cursor.ascend() }
    var members = MemberList()
    while true {
      let tag = try nextTag(expected: "<key> or </dict>")
      if tag.kind == .closing, tag.name == "dict" { return members.list }
      guard tag.name == "key", tag.kind != .closing else { throw tag.unexpected("<key>") }
      let key = tag.kind == .empty ? "" : try text(of: "key")
      guard members.reserve(key) else {
        throw DefinitionError(.duplicateKey(key), at: tag.origin)
      }
      members.append(
        Node.Member(key, at: tag.origin, try value(try nextTag(expected: "a value"))))
    }
  }

  // MARK: Text

  private mutating func text(of name: String) throws(DefinitionError) -> String {
    let start = cursor.origin
    var first = cursor.index
    var text = ""
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "&"):
        text += try cursor.text(first..<cursor.index, from: start)
        text.unicodeScalars.append(try reference())
        first = cursor.index
      case UInt8(ascii: "<"):
        text += try cursor.text(first..<cursor.index, from: start)
        if cursor.consume("<![CDATA[") {
          let begin = cursor.index
          guard cursor.skip(past: "]]>") else { throw cursor.unexpected("']]>'") }
          text += try cursor.text(begin..<cursor.index - 3, from: start)
        } else if cursor.consume("<!--") {
          guard cursor.skip(past: "-->") else { throw cursor.unexpected("'-->'") }
        } else {
          try close(name)
          return text
        }
        first = cursor.index
      default: cursor.advance()
      }
    }
    throw cursor.unexpected("</\(name)>")
  }

  /// `&amp;`, `&#65;`, `&#x41;`. Any other entity would need a declaration.
  private mutating func reference() throws(DefinitionError) -> UnicodeScalar {
    let start = cursor.origin
    cursor.advance()
    let first = cursor.index
    while let byte = cursor.byte, byte.isLetter || byte.isDigit || byte == UInt8(ascii: "#"),
      cursor.index - first < 12
    {
      cursor.advance(by: 1)
    }
    let name = String(decoding: cursor.bytes[first..<cursor.index], as: UTF8.self)
    guard cursor.consume(";") else { throw cursor.unexpected("';'") }
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let code =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
    if let code, code != 0, let scalar = UnicodeScalar(code) { return scalar }
    throw DefinitionError(.refused("the entity '&\(name);'"), at: start)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
  }

  /// True for a byte that can follow the first letter of a name.
  fileprivate var isOfName: Bool {
    ![0x09, 0x0A, 0x0D, 0x20].contains(self) && self != UInt8(ascii: "/")
      && self != UInt8(ascii: ">")
      && self != UInt8(ascii: "<")
  }
}
