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
    Array(utf8).replacing(Array(secret.utf8), with: Array(replacement.utf8), decodedBy: nil)
      .map { String(decoding: $0, as: UTF8.self) } ?? self
  }
}

/// The bytes of a file, and the texts that remain when escapes and base64 are removed from them.
///
/// Encoders differ in the characters that they escape, and a text may have been through two of
/// them. So the file is decoded, instead of a search for each way in which a secret may be encoded.
struct SearchedFile {
  fileprivate struct Text {
    let bytes: [UInt8]
    /// The bytes without spaces and line ends: base64 may be broken into lines.
    let unbroken: [UInt8]
    let form: String?
    /// Whether the bytes are decoded base64. A short secret could be in them by chance.
    let isBase64: Bool

    init(_ bytes: [UInt8], _ form: String?, isBase64: Bool = false) {
      (self.bytes, self.form, self.isBase64) = (bytes, form, isBase64)
      unbroken = bytes.filter { $0 > UInt8(ascii: " ") }
    }

    /// The text without the escapes of one encoder, for each encoder.
    var unescaped: [Text] {
      [
        ("escaped as in JSON", bytes.withoutEscapes), ("percent-encoded", bytes.withoutPercents),
      ].compactMap { own, bytes in
        let form = form.map { $0 == own ? "\(own), twice" : "\($0), \(own)" }
        return bytes.map { Text($0, form ?? own, isBase64: isBase64) }
      }
    }

    /// The decoded data of the text.
    var decoded: Text? {
      bytes.withoutBase64.map {
        Text($0, form.map { "\($0), in base64" } ?? "in base64", isBase64: true)
      }
    }
  }

  fileprivate let texts: [Text]

  init(_ bytes: [UInt8]) {
    let file = Text(bytes, nil)
    let once = file.unescaped
    let twice = once.flatMap(\.unescaped)
    // Data is a text of the file, or in base64. Its contents may be encoded twice, too.
    let data = ([file] + once).compactMap(\.decoded)
    let unescaped = data.flatMap(\.unescaped)
    texts =
      [file] + once + twice + twice.flatMap(\.unescaped) + data + unescaped
      + unescaped.flatMap(\.unescaped)
  }
}

/// The forms in which a secret may be in a text without escapes.
struct SecretForms {
  /// Fewer bytes determine too few characters of base64, which could be in a file by chance.
  static let leastInBase64 = 6

  private let plain: [[UInt8]]
  private let base64: [[UInt8]]

  init(_ secret: String) {
    // In the query of a URL and in a form, a space may be a plus sign.
    let joined = secret.replacingOccurrences(of: " ", with: "+")
    plain = (joined == secret ? [secret] : [secret, joined]).filter { !$0.isEmpty }
      .map { Array($0.utf8) }
    base64 = (0..<3).flatMap { SecretForms.base64(secret, at: $0) }.map { Array($0.utf8) }
  }

  /// The name of the form that is in a file.
  func found(in file: SearchedFile) -> String? {
    for text in file.texts {
      if plain.contains(where: { secret in
        !(text.isBase64 && secret.count < SecretForms.leastInBase64)
          && !text.bytes.places(of: secret).isEmpty
      }) {
        return text.form ?? "as it is"
      }
      if base64.contains(where: { !text.unbroken.places(of: $0).isEmpty }) {
        return text.form.map { "\($0), in base64" } ?? "in base64"
      }
    }
    return nil
  }

  /// The text with each occurrence of the secret replaced: as it is, percent-encoded or escaped as
  /// in JSON, and each of these also in a text that is base64 as a whole.
  func replaced(in text: String, with replacement: String) -> String {
    let replacement = Array(replacement.utf8)
    if let result = replaced(in: Array(text.utf8), with: replacement) {
      return String(decoding: result, as: UTF8.self)
    }
    guard text.utf8.count % 4 == 0, let data = Data(base64Encoded: text),
      // A short secret could be in other data by chance.
      plain.allSatisfy({ $0.count >= Self.leastInBase64 })
        || String(data: data, encoding: .utf8) != nil,
      let result = replaced(in: Array(data), with: replacement)
    else { return text }
    return Data(result).base64EncodedString()
  }

  /// The bytes without the secret, or `nil` if it is not there.
  private func replaced(in bytes: [UInt8], with replacement: [UInt8]) -> [UInt8]? {
    var (result, isChanged) = (bytes, false)
    let codes: [(sign: UInt8?, decode: [UInt8].Decode?)] = [
      (nil, nil), (UInt8(ascii: "%"), [UInt8].decodePercents),
      (UInt8(ascii: "\\"), [UInt8].decodeEscapes),
    ]
    for code in codes where code.sign.map(result.contains) ?? true {
      for secret in plain {
        guard let next = result.replacing(secret, with: replacement, decodedBy: code.decode)
        else { continue }
        (result, isChanged) = (next, true)
      }
    }
    return isChanged ? result : nil
  }

  /// The part of a longer text's base64 that only depends on the secret, if the secret starts
  /// `offset` bytes after a multiple of three. In both alphabets.
  private static func base64(_ secret: String, at offset: Int) -> [String] {
    let bytes = Array(secret.utf8)
    guard bytes.count >= leastInBase64 else { return [] }
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
  /// Calls `write` with each byte of the decoded text, and with the end of its code in this text.
  fileprivate typealias Decode = ([UInt8]) -> (_ write: (UInt8, Int) -> Void) -> Void

  /// The text with the escapes of JSON replaced with their characters, or `nil` if it has none.
  var withoutEscapes: [UInt8]? {
    contains(UInt8(ascii: "\\")) ? decoded(by: [UInt8].decodeEscapes) : nil
  }

  /// The text with percent-encoded bytes replaced, or `nil` if it has none.
  var withoutPercents: [UInt8]? {
    contains(UInt8(ascii: "%")) ? decoded(by: [UInt8].decodePercents) : nil
  }

  private func decoded(by decode: Decode) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    decode(self)({ byte, _ in result.append(byte) })
    return result
  }

  /// The text with each occurrence of `secret` in the decoded text replaced, or `nil` if there is
  /// none.
  fileprivate func replacing(
    _ secret: [UInt8], with replacement: [UInt8], decodedBy decode: Decode?
  ) -> [UInt8]? {
    var (bytes, ends) = (self, Array<Int>(1..<(count + 1)))
    if let decode {
      (bytes, ends) = ([], [])
      decode(self)({ byte, end in
        bytes.append(byte)
        ends.append(end)
      })
    }
    let places = bytes.places(of: secret)
    guard !places.isEmpty else { return nil }
    var result: [UInt8] = []
    var end = 0
    for place in places {
      result += self[end..<(place == 0 ? 0 : ends[place - 1])] + replacement
      end = ends[place + secret.count - 1]
    }
    return result + self[end...]
  }

  fileprivate func decodeEscapes(_ write: (UInt8, Int) -> Void) {
    var units: [UInt16] = []
    var rest = self[...]
    func writeUnits(upTo end: Int) {
      for byte in String(decoding: units, as: UTF16.self).utf8 { write(byte, end) }
      units = []
    }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"),
        let unit = UInt16(hexadecimal: rest.dropFirst(), digits: 4)
      {
        units.append(unit)
        rest = rest.dropFirst(5)
        // Two units may be one character.
        if !UTF16.isLeadSurrogate(unit) { writeUnits(upTo: rest.startIndex) }
        continue
      }
      if !units.isEmpty { writeUnits(upTo: rest.startIndex - 1) }
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        write(byte, rest.startIndex)
        continue
      }
      let character: UInt8 =
        switch next {
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        default: next
        }
      write(character, rest.startIndex)
    }
    writeUnits(upTo: rest.startIndex)
  }

  fileprivate func decodePercents(_ write: (UInt8, Int) -> Void) {
    var rest = self[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = UInt16(hexadecimal: rest, digits: 2) {
        rest = rest.dropFirst(2)
        write(UInt8(decoded), rest.startIndex)
      } else {
        write(byte, rest.startIndex)
      }
    }
  }

  /// The data of each run of base64, or `nil` if there is none. A byte that is in no text comes
  /// after each.
  fileprivate var withoutBase64: [UInt8]? {
    var result: [UInt8] = []
    var (start, characters, bits) = (0, 0, UInt32(0))
    for byte in self + [.inNoText] {
      let digit = base64Digits[Int(byte)]
      if digit != .inNoText {
        bits = bits << 6 | UInt32(digit)
        characters += 1
        // Four characters are three bytes. Each but the first completes one.
        if characters % 4 != 1 {
          result.append(UInt8(truncatingIfNeeded: bits >> (2 * ((4 - characters % 4) % 4))))
        }
      } else if characters % 4 != 0 || byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") {
        // A word of text is base64, too. A short run cannot contain a secret that is searched for.
        let isShort = result.count - start < SecretForms.leastInBase64
        if isShort { result.removeSubrange(start...) } else { result.append(.inNoText) }
        (start, characters) = (result.count, 0)
      }
    }
    return result.isEmpty ? nil : result
  }
}

extension UInt8 {
  fileprivate static var inNoText: UInt8 { 0xFF }
}

/// The number that each byte stands for in one of the alphabets of base64.
private let base64Digits: [UInt8] = {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var table = [UInt8](repeating: .inNoText, count: 256)
  for (value, digit) in digits.enumerated() { table[Int(digit)] = UInt8(value) }
  table[Int(UInt8(ascii: "-"))] = 62
  table[Int(UInt8(ascii: "_"))] = 63
  return table
}()

extension UInt16 {
  /// The number of hexadecimal digits at the start of a text.
  fileprivate init?(hexadecimal text: ArraySlice<UInt8>, digits: Int) {
    let text = String(decoding: text.prefix(digits), as: UTF8.self)
    guard text.count == digits, text.allSatisfy(\.isHexDigit) else { return nil }
    self.init(text, radix: 16)
  }
}
