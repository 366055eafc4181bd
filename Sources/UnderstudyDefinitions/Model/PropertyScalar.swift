// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

/// A type of a single value of a property.
///
/// The source makes no difference: `"80"` from the environment and `80` from a file are the same
/// `Int`, and so are `"80.0"` and `80.0`. A value that does not fit is `nil` and never cut. A
/// number with a point or an exponent is an integer only below 2^53, because above it is not exact.
public protocol PropertyScalar: Decodable, Sendable {
  /// Reads a value, or is `nil` if that is something else or out of range.
  init?(propertyValue: PropertyValue)
}

extension String: PropertyScalar {
  /// Any scalar as text. A null value is the empty text.
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .string(let value): self = value
    case .integer(let value): self = "\(value)"
    case .unsigned(let value): self = "\(value)"
    case .number(let value): self = "\(value)"
    case .bool(let value): self = "\(value)"
    case .null: self = ""
    case .secret(let value): self.init(propertyValue: value)
    default: return nil
    }
  }
}

extension Bool: PropertyScalar {
  /// True for `true`, `"true"`, `1` and `"1"`. False for `false`, `"false"` and every other
  /// integer.
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .bool(let value): self = value
    case .integer(let value): self = value == 1
    case .unsigned: self = false
    case .string("true"): self = true
    case .string("false"): self = false
    case .string(let text):
      guard let isOne = text.isOne else { return nil }
      self = isOne
    case .secret(let value): self.init(propertyValue: value)
    default: return nil
    }
  }
}

extension FixedWidthInteger {
  fileprivate init?(number value: PropertyValue) {
    switch value {
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .number(let value): self.init(integral: value)
    case .string(let text):
      if let value = Self(text) {
        self = value
      } else if !text.isHexadecimal, let value = Double(text) {
        self.init(integral: value)
      } else {
        return nil
      }
    case .secret(let value): self.init(number: value)
    default: return nil
    }
  }

  /// From 2^53 on, a floating-point number stands for more than one integer.
  private init?(integral value: Double) {
    guard value.magnitude < 0x1p53 else { return nil }
    self.init(exactly: value)
  }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  fileprivate init?(number value: PropertyValue) {
    switch value {
    case .integer(let value): self.init(value)
    case .unsigned(let value): self.init(value)
    case .number(let value): self.init(value)
    case .string(let text) where !text.isHexadecimal: self.init(text)
    case .secret(let value): self.init(number: value)
    default: return nil
    }
    guard isFinite else { return nil }
  }
}

extension String {
  /// True for the digits of 1, false for those of another integer of any length, `nil` for others.
  fileprivate var isOne: Bool? {
    var digits = utf8[...]
    let sign = digits.first
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { digits.removeFirst() }
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    return sign != UInt8(ascii: "-")
      && digits.drop { $0 == UInt8(ascii: "0") }.elementsEqual("1".utf8)
  }

  /// True for a hexadecimal number, which Swift reads as a floating-point number but not as an
  /// integer.
  var isHexadecimal: Bool { utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } }
}

extension Decimal: PropertyScalar {
  /// An integer, the shortest decimal text of a floating-point number, or a text with the digits. A
  /// text keeps up to 38 digits.
  public init?(propertyValue: PropertyValue) {
    switch propertyValue {
    case .integer(let value): self.init(value)
    case .unsigned(let value): self.init(value)
    case .number(let value): self.init(digits: "\(value)")
    case .string(let text): self.init(digits: text)
    case .secret(let value): self.init(propertyValue: value)
    default: return nil
    }
  }

  /// A decimal number, and nothing before or after it.
  private init?(digits text: String) {
    guard Double(text)?.isFinite == true, !text.isHexadecimal,
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      value.isFinite
    else { return nil }
    self = value
  }
}

extension Int: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Int8: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Int16: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Int32: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Int64: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension UInt: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension UInt8: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension UInt16: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension UInt32: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension UInt64: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: PropertyScalar {
  /// An integer of this width, or digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Double: PropertyScalar {
  /// A finite number, or its digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension Float: PropertyScalar {
  /// A finite number, or its digits.
  public init?(propertyValue: PropertyValue) { self.init(number: propertyValue) }
}

extension URL: PropertyScalar {
  /// A text that is a URL.
  public init?(propertyValue: PropertyValue) {
    guard case .string(let text) = propertyValue.revealed else { return nil }
    self.init(string: text)
  }
}

extension UUID: PropertyScalar {
  /// A text that is a UUID.
  public init?(propertyValue: PropertyValue) {
    guard case .string(let text) = propertyValue.revealed else { return nil }
    self.init(uuidString: text)
  }
}

extension Date: PropertyScalar {
  /// A date of a property list, or a text such as `2026-01-31T12:00:00Z`.
  public init?(propertyValue: PropertyValue) {
    switch propertyValue.revealed {
    case .date(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
    case .string(let text):
      guard let moment = Moment(text) else { return nil }
      self.init(timeIntervalSinceReferenceDate: moment.seconds)
    default: return nil
    }
  }
}

extension Data: PropertyScalar {
  /// Data of a property list, or Base64.
  public init?(propertyValue: PropertyValue) {
    switch propertyValue.revealed {
    case .data(let bytes): self.init(bytes)
    case .string(let text): self.init(base64Encoded: text)
    default: return nil
    }
  }
}

/// The standard types that a property can be read as.
enum PropertyScalars {
  static let all: [any PropertyScalar.Type] = {
    let all: [any PropertyScalar.Type] = [
      String.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self,
      UInt8.self, UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, URL.self,
      UUID.self, Date.self, Data.self, Decimal.self,
    ]
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return all }
    return all + [Int128.self, UInt128.self]
  }()
}
