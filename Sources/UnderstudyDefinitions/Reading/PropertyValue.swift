// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A value of a property or an argument, from JSON, a property list, the environment or code.
///
/// Any `[String: PropertyValue]` is a source of properties, so you can convert other formats to it.
public enum PropertyValue: Hashable, Sendable {
  /// JSON's `null`. There is no literal `nil` for it, because `a ? nil : value` would then mean
  /// this case instead of a missing value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// An integer above `Int64.max`. A file has it nowhere else: a smaller one is an `integer`.
  case unsigned(UInt64)
  /// A number that is no integer.
  case number(Double)
  /// A text.
  case string(String)
  /// Bytes. Only property lists have them.
  case data([UInt8])
  /// Seconds since the first moment of 2001, UTC. Only property lists have dates.
  case date(Double)
  /// A list.
  case array([PropertyValue])
  /// Values by name.
  case object([String: PropertyValue])
  /// A value that is read like any other and never printed.
  indirect case secret(PropertyValue)

  /// The value itself, if this is a secret.
  public var revealed: PropertyValue {
    if case .secret(let value) = self { return value.revealed }
    return self
  }

  /// True for a secret.
  var isSecret: Bool {
    if case .secret = self { true } else { false }
  }

  /// The value as a secret.
  var concealed: PropertyValue { isSecret ? self : .secret(self) }

  /// The kind of the value, for messages. It reveals nothing of a secret.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .array: "an array"
    case .object: "an object"
    case .secret: "a secret"
    }
  }
}

extension PropertyValue: CustomStringConvertible {
  /// The value as JSON would write it, with `<secret>` for each secret at any depth.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value.inQuotes
    case .data(let bytes): "\(bytes.count) bytes"
    case .date(let seconds): "date(\(seconds))"
    case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\($0.key.inQuotes): \($0.value)" }
        .joined(separator: ", ") + "}"
    case .secret: "<secret>"
    }
  }
}

extension String {
  /// As a string of JSON.
  fileprivate var inQuotes: String {
    "\""
      + replacingScalars { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0"..<" ": scalar.escaped
        default: nil
        }
      } + "\""
  }
}

extension UnicodeScalar {
  fileprivate var escaped: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension PropertyValue: CustomDebugStringConvertible, CustomReflectable {
  /// The text of `description`, without secrets.
  public var debugDescription: String { description }

  /// An empty mirror, so `dump` prints no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValue: ExpressibleByBooleanLiteral {
  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension PropertyValue {
  /// Makes an integer, or is `nil` if neither `Int64` nor `UInt64` holds it.
  public init?(exactly integer: some BinaryInteger) {
    if let value = Int64(exactly: integer) {
      self = .integer(value)
    } else if let value = UInt64(exactly: integer) {
      self = .unsigned(value)
    } else {
      return nil
    }
  }
}

extension PropertyValue: ExpressibleByIntegerLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension PropertyValue: ExpressibleByFloatLiteral {
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
}

extension PropertyValue: ExpressibleByStringInterpolation {
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension PropertyValue: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }
}

extension PropertyValue: ExpressibleByDictionaryLiteral {
  /// Creates an object. If a key comes twice, the last one wins.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
