// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension Cassette {
  /// A JSON value as a cassette stores it.
  ///
  /// Whole numbers are exact within 64 bits. Other numbers are `Double`.
  public enum JSON: Hashable, Sendable, Codable {
    /// Nothing.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond `Int64.max`.
    case unsigned(UInt64)
    /// A number that is not whole, or has more than 64 bits.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSON])
    /// Values by name.
    case object([String: JSON])

    /// Reads a value. A whole number of at most 64 bits is read as one.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Double.self) {
        // Each failed attempt throws an error, which is slow. A document may have many numbers.
        self = JSON.wholeNumber(value, in: container) ?? .number(value)
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([JSON].self) {
        self = .array(value)
      } else {
        self = .object(try container.decode([String: JSON].self))
      }
    }

    /// The whole number that was also read as a `Double`, or `nil` if it is none.
    fileprivate static func wholeNumber(
      _ value: Double, in container: any SingleValueDecodingContainer
    ) -> JSON? {
      // Negative zero is not an integer. `2^64` is not a whole number of 64 bits, but one just
      // below is rounded to it.
      guard value.rounded() == value, abs(value) <= 0x1p64, value != 0 || value.sign == .plus
      else { return nil }
      if let whole = try? container.decode(Int64.self) { return .integer(whole) }
      return (try? container.decode(UInt64.self)).map { .unsigned($0) }
    }

    /// Whether it contains a number that is not an integer of 64 bits.
    var hasNumber: Bool {
      switch self {
      case .number: true
      case .array(let values): values.contains(where: \.hasNumber)
      case .object(let values): values.values.contains(where: \.hasNumber)
      case .null, .bool, .integer, .unsigned, .string: false
      }
    }

    /// True if the value is equal, and its texts and keys have the same bytes.
    func isIdentical(to other: JSON) -> Bool {
      switch (self, other) {
      case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
      case (.array(let one), .array(let other)):
        one.count == other.count && zip(one, other).allSatisfy { $0.isIdentical(to: $1) }
      case (.object(let one), .object(let other)):
        one.count == other.count
          && one.allSatisfy { key, value in
            guard let index = other.index(forKey: key) else { return false }
            return key.utf8.elementsEqual(other[index].key.utf8)
              && value.isIdentical(to: other[index].value)
          }
      default: self == other
      }
    }

    var isObject: Bool { if case .object = self { true } else { false } }

    /// The contents of a value that is not `Encodable`, by reflection, or `nil` if it has too many
    /// parts.
    init?(reflecting value: Any) {
      var reflection = Reflection()
      guard let json = reflection.contents(of: value) else { return nil }
      self = json
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .unsigned(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .array(let values): try container.encode(values)
      case .object(let values): try container.encode(values)
      }
    }
  }
}

typealias JSON = Cassette.JSON

extension JSON {
  /// The value on one line, with sorted keys.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "?" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The differences of two values, as `path: recorded → asked`, in the order of the paths.
  static func differences(from recorded: JSON, to asked: JSON, at path: String) -> [String] {
    switch (recorded, asked) {
    case (.array(let old), .array(let new)):
      return (0..<max(old.count, new.count)).flatMap { index in
        differences(
          from: old.indices.contains(index) ? old[index] : nil,
          to: new.indices.contains(index) ? new[index] : nil, at: "\(path)[\(index)]")
      }
    case (.object(let old), .object(let new)):
      return Set(old.keys).union(new.keys).sorted().flatMap { key in
        differences(from: old[key], to: new[key], at: "\(path).\(key)")
      }
    default:
      if recorded.isIdentical(to: asked) { return [] }
      if case .string(let old) = recorded, case .string(let new) = asked,
        let old = JSONDocument(in: old), let new = JSONDocument(in: new), old.json != new.json
      {
        return differences(from: old.json, to: new.json, at: path)
      }
      var (old, new) = (recorded.line, asked.line)
      if old == new { (old, new) = (old.withScalarsEscaped, new.withScalarsEscaped) }
      (old, new) = CallName.shortened(old, and: new)
      return ["\(path): \(old) → \(new)"]
    }
  }

  private static func differences(from old: JSON?, to new: JSON?, at path: String) -> [String] {
    switch (old, new) {
    case (let old?, let new?): differences(from: old, to: new, at: path)
    case (let old?, nil): ["\(path): \(CallName.shortened(old.line)) → nothing"]
    case (nil, let new?): ["\(path): nothing → \(CallName.shortened(new.line))"]
    case (nil, nil): []
    }
  }
}

extension String {
  /// The text with each scalar that is not ASCII as its number.
  fileprivate var withScalarsEscaped: String {
    unicodeScalars.map { scalar in
      scalar.isASCII
        ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }.joined()
  }
}

/// Throws for JSON with a number that neither a 64-bit integer nor a `Double` can hold exactly.
///
/// The decoded value is discarded.
struct ExactNumbers: Decodable {
  /// The error for a number with more digits than a `Double` can hold.
  struct Inexact: Error {}

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    // A number comes first, since each failed attempt throws an error, which is slow.
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Double.self) {
      // A number that `Decimal` cannot hold did not come from a `Decimal`.
      guard JSON.wholeNumber(number, in: value) == nil,
        let digits = try? value.decode(Decimal.self)
      else { return }
      if Decimal(string: "\(number)") != digits { throw Inexact() }
    } else if let values = try? decoder.container(keyedBy: Key.self) {
      for key in values.allKeys { _ = try values.decode(ExactNumbers.self, forKey: key) }
    } else if var values = try? decoder.unkeyedContainer() {
      while !values.isAtEnd { _ = try values.decode(ExactNumbers.self) }
    }
  }
}

/// Reflects a value. A part that it cannot reflect could contain a secret.
private struct Reflection {
  // This is enough for errors, which have few parts.
  private var budget = 10_000
  private var depth = 0
  // The objects that contain the value, so that a cycle ends.
  private var path: Set<ObjectIdentifier> = []

  mutating func contents(of value: Any) -> JSON? {
    guard budget > 0, depth < 200 else { return nil }
    budget -= 1
    depth += 1
    defer { depth -= 1 }
    // An `NSError` has no children on some platforms.
    if type(of: value) is NSError.Type, let error = value as? NSError {
      guard let userInfo = contents(of: error.userInfo) else { return nil }
      return .object([
        "domain": .string(error.domain), "code": .integer(Int64(error.code)),
        "userInfo": userInfo,
      ])
    }
    let mirror = Mirror(reflecting: value)
    let children = sequence(first: mirror, next: \.superclassMirror).flatMap(\.children)
    guard !(value is String), !children.isEmpty else { return .string("\(value)") }
    let object = mirror.displayStyle == .class ? ObjectIdentifier(value as AnyObject) : nil
    if let object, !path.insert(object).inserted { return .string("\(type(of: value))") }
    defer { if let object { path.remove(object) } }
    var members: [String: JSON] = [:]
    for (position, child) in children.enumerated() {
      var label = child.label ?? "\(position)"
      var value = child.value
      // An element is a key with its value.
      let pair =
        mirror.displayStyle == .dictionary ? Mirror(reflecting: value).children.map(\.value) : []
      if pair.count == 2 { (label, value) = ("\(pair[0])", pair[1]) }
      guard let contents = contents(of: value) else { return nil }
      members[label] = contents
    }
    return .object(members)
  }
}
