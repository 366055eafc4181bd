// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// Decodes any `Decodable` from a tree of values, with what `PropertyScalar` says about each
/// scalar.
///
/// When it checks it does not stop at the first mismatch: it notes it and goes on with a stand-in,
/// so that one run finds them all.
struct PropertyDecoder: Decoder {
  let value: PropertyValue
  /// True if nothing is said of the value, nor of what is in it.
  private let isSecret: Bool
  let codingPath: [any CodingKey]
  private let purpose: Purpose
  /// Hears of the members that are read.
  private let members: MemberList?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  enum Purpose {
    /// To read: the first mismatch is thrown.
    case reading
    /// To find what does not fit: each is noted, and something stands in for it.
    case checking(MismatchList)
    /// To make what stands in for something, of nothing.
    case standingIn
  }

  /// A value that could not be decoded.
  struct Mismatch: Error {
    let path: [PropertyPath.Step]
    let expected: String
    /// What is there; `nil` if nothing is.
    let found: String?
  }

  /// Nothing can stand in: what went wrong has been noted.
  struct Noted: Error {}

  /// What did not fit, in the order of reading.
  final class MismatchList {
    var list: [Mismatch] = []
  }

  /// The members that were read and may be missing, by their path from where reading began.
  final class MemberList {
    /// True if the whole may be missing, and so all that is in it.
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

  /// Decodes a type that says itself what it is made of.
  private func decodeParts<Value: Decodable>(of type: Value.Type) throws -> Value {
    guard case .checking(let mismatches) = purpose else {
      do {
        return try type.init(from: self)
      } catch {
        throw mismatch(for: error, reading: type)
      }
    }
    // What can be read is not looked into: a type may try more than one way.
    let reader = PropertyDecoder(value, at: codingPath, isSecret: isSecret)
    if let value = try? type.init(from: reader) { return value }
    let noted = mismatches.list.count
    do {
      return try type.init(from: self)
    } catch {
      // What a type says of stand-ins is no mismatch.
      if mismatches.list.count == noted {
        mismatches.list.append(mismatch(for: error, reading: type))
      }
      return try standIn(for: type)
    }
  }

  /// Notes what is wrong and goes on with something of the type, or throws.
  func standIn<Value: Decodable>(for type: Value.Type, found: String?) throws -> Value {
    let mismatch = Mismatch(path: path, expected: TypeDescription.of(type), found: found)
    switch purpose {
    case .reading: throw mismatch
    case .checking(let mismatches): mismatches.list.append(mismatch)
    case .standingIn: guard found == nil else { throw mismatch }
    }
    return try standIn(for: type)
  }

  /// Something of a type.
  private func standIn<Value: Decodable>(for type: Value.Type) throws -> Value {
    // A type that cannot do without another of its own has no end.
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

  /// Why a value could not be decoded: what a type throws itself may have the value in it, which
  /// may be a secret.
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

  /// Notes that the value is something else, and is what to throw.
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

  /// Notes that a member is read, as an optional or as a required one.
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
