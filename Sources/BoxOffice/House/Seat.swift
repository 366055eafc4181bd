// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// One seat of the house: `A1`.
public struct Seat: Hashable, Sendable, CustomStringConvertible {
  /// The row: `A`.
  public let row: String
  /// The number within the row, from 1.
  public let number: Int

  /// Makes a seat.
  public init(row: String, number: Int) {
    self.row = row
    self.number = number
  }

  /// Reads a seat from `A1`; a small letter will do. `nil` if it is not a row and a number.
  public init?(_ text: some StringProtocol) {
    let row = text.prefix { $0.isASCII && $0.isLetter }
    let digits = text.dropFirst(row.count)
    guard !row.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      number > 0
    else { return nil }
    self.init(row: row.uppercased(), number: number)
  }

  /// `A1`
  public var description: String { "\(row)\(number)" }

  /// Reads seats from `A1,A2`.
  ///
  /// - Throws: `BoxOfficeError` if a part is not a seat, or a seat is repeated.
  public static func list(_ text: String) throws(BoxOfficeError) -> [Seat] {
    var seats: [Seat] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.drop { $0 == " " }
      guard let seat = Seat(word) else { throw .notASeat(word.isEmpty ? text : String(word)) }
      guard !seats.contains(seat) else { throw .seatRepeated(seat.description) }
      seats.append(seat)
    }
    return seats
  }
}

extension Seat: Codable {
  /// Reads `"A1"`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let seat = Seat(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a seat")
    }
    self = seat
  }

  /// Writes `"A1"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
