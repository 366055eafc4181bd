// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

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

/// The forms in which a secret may be in a file.
struct SecretForms {
  private let forms: [(name: String, bytes: [UInt8])]

  init(_ secret: String) {
    let json = SecretForms.escaped(secret)
    var forms = [("as it is", Array(secret.utf8)), ("escaped as in JSON", Array(json.utf8))]
    // JSON inside a string of JSON.
    forms.append(("escaped as in JSON, twice", Array(SecretForms.escaped(json).utf8)))
    forms.append(
      ("escaped as in JSON", Array(json.replacingOccurrences(of: "/", with: "\\/").utf8)))
    // Some encoders escape each character that is not ASCII.
    for isUppercase in [false, true] where !json.utf8.allSatisfy({ $0 < 0x80 }) {
      let ascii = SecretForms.inASCII(json, isUppercase: isUppercase)
      forms.append(("escaped as in JSON", Array(ascii.utf8)))
      forms.append(("escaped as in JSON, twice", Array(SecretForms.escaped(ascii).utf8)))
    }
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    for allowed in [unreserved, .urlQueryAllowed, .urlPathAllowed, .urlHostAllowed, .alphanumerics]
    {
      guard let encoded = secret.addingPercentEncoding(withAllowedCharacters: allowed) else {
        continue
      }
      forms.append(("percent-encoded", Array(encoded.utf8)))
      forms.append(("percent-encoded", Array(SecretForms.lowercasedEscapes(of: encoded).utf8)))
      forms.append(
        ("percent-encoded", Array(encoded.replacingOccurrences(of: "%20", with: "+").utf8)))
    }
    for offset in 0..<3 {
      for form in SecretForms.base64(secret, at: offset) {
        forms.append((Self.inBase64, Array(form.utf8)))
      }
    }
    self.forms = forms.filter { !$0.1.isEmpty }
  }

  /// The name of the form that is in some bytes.
  func found(in bytes: [UInt8]) -> String? {
    let unbroken = SecretForms.withoutLineBreaks(bytes)
    return forms.first { form in
      !bytes.places(of: form.bytes).isEmpty
        || form.name == Self.inBase64 && !unbroken.places(of: form.bytes).isEmpty
    }?.name
  }

  private static let inBase64 = "in base64"

  /// Base64 may be broken into lines. A break is white space, or its escape in JSON, and a text
  /// inside a text has its backslashes twice.
  private static func withoutLineBreaks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isEscape = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\\"):
        isEscape = true
        continue
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        if !isEscape { result.append(byte) }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
      default: result.append(byte)
      }
      isEscape = false
    }
    return result
  }

  /// `ä` as `\u00e4`, and a character beyond U+FFFF as two of them.
  private static func inASCII(_ text: String, isUppercase: Bool) -> String {
    text.utf16.map { unit in
      guard unit >= 0x80 else { return String(UnicodeScalar(UInt8(unit))) }
      let digits = String(unit, radix: 16, uppercase: isUppercase)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let data = try? encoder.encode(text) else { return text }
    return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
  }

  /// The text with `%2f` instead of `%2F`.
  private static func lowercasedEscapes(of text: String) -> String {
    var result: [UInt8] = []
    var digits = 0
    for byte in text.utf8 {
      let isUpper = digits > 0 && (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      result.append(isUpper ? byte + 32 : byte)
      digits = byte == UInt8(ascii: "%") ? 2 : max(digits - 1, 0)
    }
    return String(decoding: result, as: UTF8.self)
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
    return form == other ? [form] : [form, other, form.replacingOccurrences(of: "/", with: "\\/")]
  }
}
