// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Data as a cassette stores it: a text as `{"utf8": …}`, so that you can read it, and other data
/// in base64.
struct StoredData: Codable {
  private enum Keys: CodingKey { case utf8 }

  let data: Data

  init(_ data: Data) {
    self.data = data
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Keys.self) {
      data = Data(try container.decode(String.self, forKey: .utf8).utf8)
      return
    }
    let container = try decoder.singleValueContainer()
    guard let data = Data(base64Encoded: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "It is neither base64 nor {\"utf8\": …}.")
    }
    self.data = data
  }

  func encode(to encoder: any Encoder) throws {
    // Foundation leaves a byte-order mark out of a text.
    if let text = String(data: data, encoding: .utf8), data == Data(text.utf8) {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(text, forKey: .utf8)
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(data.base64EncodedString())
    }
  }
}
