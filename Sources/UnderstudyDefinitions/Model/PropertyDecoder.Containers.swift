// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Decodes the members of an object.
struct PropertyKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PropertyDecoder
  let members: [String: PropertyValue]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    decoder.noteMember(name(key), isOptional: true)
    return members[key.stringValue] != nil
  }

  func decodeNil(forKey key: Key) -> Bool {
    decoder.noteMember(name(key), isOptional: true)
    return members[key.stringValue].map { $0.revealed == .null } ?? true
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    decoder.noteMember(name(key), isOptional: false)
    guard let member = member(key) else {
      let missing = decoder.decoder(.null, under: name(key))
      return try missing.standIn(for: type, found: nil)
    }
    return try member.decode()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    decoder.decoder(members["super"] ?? .null, under: PropertyCodingKey(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

  /// A key of an object is always a name. An index is only for arrays.
  private func name(_ key: Key) -> PropertyCodingKey {
    PropertyCodingKey(stringValue: key.stringValue)
  }

  private func member(_ key: Key) -> PropertyDecoder? {
    members[key.stringValue].map { decoder.decoder($0, under: name(key)) }
  }

  private func nested(_ key: Key) -> PropertyDecoder {
    decoder.noteMember(name(key), isOptional: false)
    return member(key) ?? decoder.decoder(.null, under: name(key))
  }
}

/// Decodes the elements of an array.
struct PropertyUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: PropertyDecoder
  let elements: [PropertyValue]
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].revealed == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.decode() }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Reads the next element. If that fails, the same one is read again, as another type perhaps.
  private mutating func next<Part>(_ read: (PropertyDecoder) throws -> Part) throws -> Part {
    guard !isAtEnd else { throw decoder.rejection("\(currentIndex + 1) elements") }
    let part = try read(
      decoder.decoder(elements[currentIndex], under: PropertyCodingKey(intValue: currentIndex)))
    currentIndex += 1
    return part
  }
}

/// Decodes one value.
struct PropertySingleValueContainer: SingleValueDecodingContainer {
  let decoder: PropertyDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode() }
}
