// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

extension XMLPropertyListReader {
  /// The value of an element with a text.
  func scalar(
    _ name: String, _ text: String, at origin: Origin
  ) throws(DefinitionError) -> PropertyValue {
    switch name {
    case "string": return .string(text)
    case "integer":
      let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if let value = PropertyValue(integer: digits) { return value }
      if digits.isInteger { throw DefinitionError(.numberOutOfRange, at: origin) }
      throw unreadable("an integer", at: origin)
    case "real":
      let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !digits.isHexadecimal, let value = Double(digits) else {
        throw unreadable("a number", at: origin)
      }
      guard value.isFinite else { throw DefinitionError(.numberOutOfRange, at: origin) }
      return .number(value)
    case "date":
      guard let moment = Moment(text) else {
        throw unreadable("a date such as 2026-01-31T12:00:00Z", at: origin)
      }
      return .date(moment.seconds)
    default:
      guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
        throw unreadable("Base64", at: origin)
      }
      return .data([UInt8](data))
    }
  }

  /// The error for an invalid text. The text may be a secret, so it is not part of the error.
  private func unreadable(_ expected: String, at origin: Origin) -> DefinitionError {
    DefinitionError(.unexpected(found: "another text", expected: expected), at: origin)
  }
}

extension String {
  fileprivate var isInteger: Bool {
    let digits = hasPrefix("-") || hasPrefix("+") ? dropFirst() : self[...]
    return !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit)
  }
}
