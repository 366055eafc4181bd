// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Decodes any `Decodable` type from a tree of values, and reads scalars as `PropertyScalar` does.
///
/// A check does not stop at the first mismatch. It records the mismatch and continues with a
/// placeholder, so that one run finds all of them.
struct PropertyDecoder: Decoder {
  let value: PropertyValue
  /// True if errors must not describe the value.
  private let isSecret: Bool
  let codingPath: [any CodingKey]
  private let purpose: Purpose
  /// Receives the optional members that are read.
  private let members: MemberList?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  enum Purpose {
    /// Reads a value. The first mismatch is thrown.
    case reading
    /// Checks a value. Each mismatch is recorded and replaced with a placeholder.
    case checking(MismatchList)
    /// Creates a placeholder from an empty value.
    case standingIn
  }

  /// A value that could not be decoded.
  struct Mismatch: Error {
    let path: [PropertyPath.Step]
    let expected: String
    /// The kind of the value, or `nil` if it is missing.
    let found: String?
  }

  /// No placeholder is possible. The mismatch is already recorded.
  struct Noted: Error {}

  /// The mismatches, in the order of reading.
  final class MismatchList {
    var list: [Mismatch] = []
  }

  /// The optional members that were read, by their path from the start of the read.
  final class MemberList {
    /// True if the whole value may be missing, and so all of its members.
    let isOptional: Bool
    private(set) var mayBeMissing: [[PropertyPath.Step]] = []

    init(isOptional: Bool) {
      self.isOptional = isOptional
    }

    fileprivate func note(_ path: [any CodingKey]) { mayBeMissing.append(path.map(\.step)) }
  }

  init(
    _ value: PropertyValue, at codingPath: [any CodingKey] = [], for purpose: Purpose = .reading,
    isSecret: Bool = false, noting members: MemberList? = nil
  ) {
    self.members = members
    self.value = value.revealed
    self.isSecret = isSecret || value.isSecret
    self.codingPath = codingPath
    self.purpose = purpose
  }

  func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    guard let scalar = type as? any PropertyScalar.Type else { return try decodeParts(of: type) }
    guard let value = scalar.init(propertyValue: value) as? Value else {
      return try standIn(for: type, found: kind)
    }
    return value
  }

  /// Decodes a type that is not a scalar with its own initialiser.
  private func decodeParts<Value: Decodable>(of type: Value.Type) throws -> Value {
    guard case .checking(let mismatches) = purpose else {
      do {
        return try type.init(from: self)
      } catch {
        throw mismatch(for: error, reading: type)
      }
    }
    // A type may try more than one way to decode itself, so a value that can be read is not checked
    // further.
    let reader = PropertyDecoder(value, at: codingPath, isSecret: isSecret)
    if let value = try? type.init(from: reader) { return value }
    let noted = mismatches.list.count
    do {
      return try type.init(from: self)
    } catch {
      // An error that is caused by a placeholder is not a mismatch.
      if mismatches.list.count == noted {
        mismatches.list.append(mismatch(for: error, reading: type))
      }
      return try standIn(for: type)
    }
  }

  /// Records a mismatch and returns a placeholder, or throws.
  func standIn<Value: Decodable>(for type: Value.Type, found: String?) throws -> Value {
    let mismatch = Mismatch(path: path, expected: TypeDescription.of(type), found: found)
    switch purpose {
    case .reading: throw mismatch
    case .checking(let mismatches): mismatches.list.append(mismatch)
    case .standingIn: guard found == nil else { throw mismatch }
    }
    return try standIn(for: type)
  }

  /// A placeholder of a type.
  private func standIn<Value: Decodable>(for type: Value.Type) throws -> Value {
    // A type that always contains another value of itself would never end.
    guard codingPath.count < Self.maximumDepth else { throw Noted() }
    for candidate in Self.standIns {
      let decoder = PropertyDecoder(candidate, at: codingPath, for: .standingIn)
      if let value = try? decoder.decode(type) { return value }
    }
    guard let first = EnumerationCase.first(of: type) else { throw Noted() }
    return first
  }

  private static let maximumDepth = 256

  private static let standIns: [PropertyValue] = [
    .object([:]), .array([]), .integer(0), .string("true"), .date(0), .data([]), .string("x:"),
    .string("00000000-0000-0000-0000-000000000000"),
  ]

  /// The mismatch for an error. The description of a type's own error may contain a secret, so it
  /// is not used.
  private func mismatch(for error: any Error, reading type: any Any.Type) -> Mismatch {
    func place(_ context: DecodingError.Context) -> [PropertyPath.Step] {
      context.codingPath.count > codingPath.count ? context.codingPath.map(\.step) : path
    }
    switch error {
    case let error as Mismatch: return error
    case DecodingError.typeMismatch(let expected, let context),
      DecodingError.valueNotFound(let expected, let context):
      return Mismatch(
        path: place(context), expected: TypeDescription.of(expected), found: "another value")
    case DecodingError.dataCorrupted(let context)
    where context.codingPath.count > codingPath.count:
      return Mismatch(
        path: place(context), expected: "a value for \(TypeDescription.of(type))",
        found: "another one")
    default:
      return Mismatch(path: path, expected: TypeDescription.of(type), found: "another value")
    }
  }

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

  /// Records the mismatch, and returns the error to throw.
  func rejection(_ expected: String) -> any Error {
    let mismatch = Mismatch(path: path, expected: expected, found: kind)
    guard case .checking(let mismatches) = purpose else { return mismatch }
    mismatches.list.append(mismatch)
    return Noted()
  }

  private var kind: String { isSecret ? value.concealed.kind : value.kind }

  private var path: [PropertyPath.Step] { codingPath.map(\.step) }

  func decoder(_ value: PropertyValue, under key: any CodingKey) -> PropertyDecoder {
    PropertyDecoder(
      value, at: codingPath + [key], for: purpose, isSecret: isSecret, noting: members)
  }

  /// Records that a member is read, if it may be missing.
  func noteMember(_ key: any CodingKey, isOptional: Bool) {
    guard let members, isOptional || members.isOptional else { return }
    members.note(codingPath + [key])
  }
}

extension CodingKey {
  fileprivate var step: PropertyPath.Step { intValue.map { .index($0) } ?? .key(stringValue) }
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
