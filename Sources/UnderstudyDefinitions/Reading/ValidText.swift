// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// `String(validating:as:)` needs macOS 15 and iOS 18. Decoding replaces code units that are not
// valid, so only valid ones are the code units of the result.

extension String {
  /// The text of UTF-8; `nil` if it is not valid.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// The text of UTF-16; `nil` if it is not valid.
  init?(validUTF16 units: some Collection<UInt16>) {
    self.init(decoding: units, as: UTF16.self)
    guard utf16.elementsEqual(units) else { return nil }
  }
}
