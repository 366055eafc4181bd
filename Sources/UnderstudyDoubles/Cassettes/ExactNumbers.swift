// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// JSON whose numbers are all held by a whole type of 64 bits or by a `Double`, however they are written.
///
/// What it is read from is not kept; a number with more digits is an error.
struct ExactNumbers: Decodable {
  /// That a number has more digits than a `Double` holds.
  struct Inexact: Error {}

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let values = try? decoder.container(keyedBy: Key.self) {
      for key in values.allKeys { _ = try values.decode(ExactNumbers.self, forKey: key) }
    } else if var values = try? decoder.unkeyedContainer() {
      while !values.isAtEnd { _ = try values.decode(ExactNumbers.self) }
    } else {
      let value = try decoder.singleValueContainer()
      guard let number = try? value.decode(Double.self),
        (try? value.decode(Int64.self)) == nil, (try? value.decode(UInt64.self)) == nil,
        // What is beyond a `Decimal` was no `Decimal`.
        let digits = try? value.decode(Decimal.self)
      else { return }
      if Decimal(string: "\(number)") != digits { throw Inexact() }
    }
  }
}
