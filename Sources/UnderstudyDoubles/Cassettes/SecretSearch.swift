// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The texts that must not be in the file of a cassette.
struct Secrets: Sendable {
  /// The texts that must not be anywhere in the file.
  var everywhere: Set<String> = []
  /// The texts that must not be in arguments, values and errors. They may be a part of a member's
  /// name.
  var inValues: Set<String> = []

  var isEmpty: Bool { everywhere.isEmpty && inValues.isEmpty }

  mutating func formUnion(_ other: Secrets) {
    everywhere.formUnion(other.everywhere)
    inValues.formUnion(other.inValues)
  }

  /// The name of the form in which a secret is in a file with these contents.
  func found(in data: Data, holding interactions: [Interaction]) -> String? {
    if let form = Secrets.form(of: everywhere, in: data) { return form }
    guard !inValues.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let values = try? encoder.encode(interactions.map(\.values)) else { return nil }
    return Secrets.form(of: inValues, in: values)
  }

  private static func form(of secrets: Set<String>, in data: Data) -> String? {
    guard !secrets.isEmpty else { return nil }
    let file = SearchedFile(Array(data))
    return secrets.lazy.compactMap { SecretForms($0).found(in: file) }.first
  }

  /// A text of a file for a message.
  func removed(from text: String) -> String {
    everywhere.reduce(text) { $0.replacingBytes(of: $1, with: "[redacted]") }
  }
}

extension Interaction {
  /// The arguments and the outcome, without the name of the member.
  fileprivate var values: JSON {
    let results: [JSON] =
      switch outcome {
      case .value(let value): [value]
      case .error(let error): [.string(error.description), error.value ?? .null]
      }
    return JSON.array(request.arguments + results)
  }
}

// This compares bytes. A combining mark, a joiner or CR LF after a secret forms one character with
// its last one, so a comparison of characters would not find it.
extension Collection where Element == UInt8 {
  /// The positions at which `pattern` starts, without overlaps.
  func places(of pattern: some Collection<UInt8>) -> [Index] {
    guard let first = pattern.first else { return [] }
    var places: [Index] = []
    var index = startIndex
    while index < endIndex {
      if self[index] == first, self[index...].starts(with: pattern) {
        places.append(index)
        index = self.index(index, offsetBy: pattern.count)
      } else {
        index = self.index(after: index)
      }
    }
    return places
  }
}

extension String {
  /// The text with each occurrence of the bytes of `secret` replaced.
  func replacingBytes(of secret: String, with replacement: String) -> String {
    let (text, pattern) = (Array(utf8), Array(secret.utf8))
    let places = text.places(of: pattern)
    guard !places.isEmpty else { return self }
    var result: [UInt8] = []
    var end = 0
    for place in places {
      result += text[end..<place]
      result += Array(replacement.utf8)
      end = place + pattern.count
    }
    return String(decoding: result + text[end...], as: UTF8.self)
  }
}

/// The bytes of a file, and the texts that remain when escapes are removed from them.
///
/// Encoders differ in the characters that they escape, and a text may have been through two of
/// them. So the file is decoded, instead of a search for each way in which a secret may be encoded.
struct SearchedFile {
  fileprivate typealias Text = (bytes: [UInt8], unbroken: [UInt8], form: String?)

  fileprivate let texts: [Text]

  init(_ bytes: [UInt8]) {
    var texts: [Text] = []
    var latest: [(bytes: [UInt8], form: String?)] = [(bytes, nil)]
    for _ in 0...2 {
      // Base64 may be broken into lines.
      texts += latest.map { ($0.bytes, $0.bytes.filter { $0 > UInt8(ascii: " ") }, $0.form) }
      latest = latest.flatMap { bytes, form in
        [
          ("escaped as in JSON", bytes.withoutEscapes), ("percent-encoded", bytes.withoutPercents),
        ].compactMap { own, bytes in
          let form = form.map { $0 == own ? "\(own), twice" : "\($0), \(own)" }
          return bytes.map { ($0, form ?? own) }
        }
      }
    }
    self.texts = texts
  }
}

/// The forms in which a secret may be in a text without escapes.
struct SecretForms {
  private let plain: [[UInt8]]
  private let base64: [[UInt8]]

  init(_ secret: String) {
    // In the query of a URL, a space may be a plus sign.
    plain = Set([secret, secret.replacingOccurrences(of: " ", with: "+")]).filter { !$0.isEmpty }
      .map { Array($0.utf8) }
    base64 = (0..<3).flatMap { SecretForms.base64(secret, at: $0) }.map { Array($0.utf8) }
  }

  /// The name of the form that is in a file.
  func found(in file: SearchedFile) -> String? {
    for text in file.texts {
      if plain.contains(where: { !text.bytes.places(of: $0).isEmpty }) {
        return text.form ?? "as it is"
      }
      if base64.contains(where: { !text.unbroken.places(of: $0).isEmpty }) {
        return text.form.map { "in base64, \($0)" } ?? "in base64"
      }
    }
    return nil
  }

  /// The part of a longer text's base64 that only depends on the secret, if the secret starts
  /// `offset` bytes after a multiple of three. In both alphabets.
  private static func base64(_ secret: String, at offset: Int) -> [String] {
    let bytes = Array(secret.utf8)
    // Fewer bytes determine too few characters, which could be in a file by chance.
    guard bytes.count >= 6 else { return [] }
    let text = Data(Array(repeating: 0, count: offset) + bytes).base64EncodedString()
    let first = [0, 2, 3][offset]
    let last = (offset + bytes.count) * 8 / 6
    let form = String(text.prefix(last).dropFirst(first))
    let other = form.replacingOccurrences(of: "+", with: "-").replacingOccurrences(
      of: "/", with: "_")
    return [form, other]
  }
}

extension [UInt8] {
  /// The text with the escapes of JSON replaced with their characters, or `nil` if it has none.
  fileprivate var withoutEscapes: [UInt8]? {
    guard contains(UInt8(ascii: "\\")) else { return nil }
    var units: [UInt16] = []
    var result: [UInt8] = []
    var rest = self[...]
    func writeUnits() {
      result += String(decoding: units, as: UTF16.self).utf8
      units = []
    }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"),
        let unit = UInt16(hexadecimal: rest.dropFirst(), digits: 4)
      {
        // Two units may be one character.
        units.append(unit)
        rest = rest.dropFirst(5)
        continue
      }
      if !units.isEmpty { writeUnits() }
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "b"): result.append(8)
      case UInt8(ascii: "f"): result.append(12)
      default: result.append(next)
      }
    }
    writeUnits()
    return result
  }

  /// The text with percent-encoded bytes replaced, or `nil` if it has none.
  fileprivate var withoutPercents: [UInt8]? {
    guard contains(UInt8(ascii: "%")) else { return nil }
    var result: [UInt8] = []
    var rest = self[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = UInt16(hexadecimal: rest, digits: 2) {
        result.append(UInt8(decoded))
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}

extension UInt16 {
  /// The number of hexadecimal digits at the start of a text.
  fileprivate init?(hexadecimal text: ArraySlice<UInt8>, digits: Int) {
    let text = String(decoding: text.prefix(digits), as: UTF8.self)
    guard text.count == digits, text.allSatisfy(\.isHexDigit) else { return nil }
    self.init(text, radix: 16)
  }
}
