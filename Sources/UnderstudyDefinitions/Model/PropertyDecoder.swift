// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Decodes any `Decodable` from a tree of values, with what `PropertyScalar` says about each scalar.
///
/// With a list of mismatches it does not stop at the first: it notes it and goes on with a stand-in,
/// so that one run finds them all.
struct PropertyDecoder: Decoder {
  let value: PropertyValue
  /// True if nothing is said of the value, nor of what is in it.
  private let isSecret: Bool
  let codingPath: [any CodingKey]
  let mismatches: MismatchList?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A value that could not be decoded.
  struct Mismatch: Error {
    let path: [PropertyPath.Step]
    let expected: String
    /// What is there; `nil` if nothing is.
    let found: String?
  }

  /// A stand-in was rejected: what went wrong has been noted.
  struct Noted: Error {}

  /// What did not fit, in the order of reading.
  final class MismatchList {
    var list: [Mismatch] = []
  }

  init(
    _ value: PropertyValue, at codingPath: [any CodingKey] = [], noting list: MismatchList? = nil,
    isSecret: Bool = false
  ) {
    self.value = value.revealed
    self.isSecret = isSecret || value.isSecret
    self.codingPath = codingPath
    mismatches = list
  }

  func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    guard let scalar = type as? any PropertyScalar.Type else {
      return try type.init(from: self)
    }
    guard let value = scalar.init(propertyValue: value) as? Value else {
      return try standIn(for: type, found: kind)
    }
    return value
  }

  /// Notes what is wrong and goes on with something of the type, or throws.
  func standIn<Value>(for type: Value.Type, found: String?) throws -> Value {
    let mismatch = Mismatch(path: path, expected: TypeDescription.of(type), found: found)
    guard let mismatches else { throw mismatch }
    mismatches.list.append(mismatch)
    guard let scalar = type as? any PropertyScalar.Type else { throw Noted() }
    for candidate in Self.standIns {
      if let value = scalar.init(propertyValue: candidate) as? Value { return value }
    }
    throw Noted()
  }

  private static let standIns: [PropertyValue] = [
    .integer(0), .string("true"), .date(0), .data([]), .string("x:"),
    .string("00000000-0000-0000-0000-000000000000"),
  ]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw rejection("an object") }
    return KeyedDecodingContainer(PropertyKeyedContainer(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw rejection("an array") }
    return PropertyUnkeyedContainer(decoder: self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    PropertySingleValueContainer(decoder: self)
  }

  /// Notes that the value is something else, and is what to throw.
  func rejection(_ expected: String) -> any Error {
    let mismatch = Mismatch(path: path, expected: expected, found: kind)
    guard let mismatches else { return mismatch }
    mismatches.list.append(mismatch)
    return Noted()
  }

  private var kind: String { isSecret ? value.concealed.kind : value.kind }

  private var path: [PropertyPath.Step] {
    codingPath.map { $0.intValue.map { .index($0) } ?? .key($0.stringValue) }
  }

  func decoder(_ value: PropertyValue, under key: any CodingKey) -> PropertyDecoder {
    PropertyDecoder(value, at: codingPath + [key], noting: mismatches, isSecret: isSecret)
  }
}

/// A key that is a name or an index.
struct PropertyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
