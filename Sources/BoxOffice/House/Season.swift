// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation
internal import UnderstudyDefinitions

/// The performances of a theatre, with their prices.
public struct Season: Hashable, Decodable, Sendable {
  /// The theatre's name.
  public let house: String
  /// The currency: `GBP`.
  public let currency: String
  /// The performances, in the order of the file.
  public let performances: [Performance]

  /// Makes a season.
  public init(house: String, currency: String, performances: [Performance]) {
    self.house = house
    self.currency = currency
    self.performances = performances
  }

  /// Finds a performance.
  ///
  /// - Throws: `BoxOfficeError.noSuchPerformance`, which names the near misses.
  public func performance(_ id: String) throws(BoxOfficeError) -> Performance {
    guard let found = performances.first(where: { $0.id == id }) else {
      throw .noSuchPerformance(id, known: performances.map(\.id))
    }
    return found
  }
}

/// One evening, or one afternoon.
public struct Performance: Hashable, Decodable, Sendable {
  /// The identifier: `hamlet-fri`.
  public let id: String
  /// The title of the play.
  public let title: String
  /// When the curtain goes up.
  public let starts: Date
  /// The seats, row by row.
  public let rows: [Row]

  /// Makes a performance.
  public init(id: String, title: String, starts: Date, rows: [Row]) {
    self.id = id
    self.title = title
    self.starts = starts
    self.rows = rows
  }

  /// Reads a performance. Its start has the format of ISO 8601.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    title = try container.decode(String.self, forKey: .title)
    let text = try container.decode(String.self, forKey: .starts)
    guard let starts = Date(propertyValue: .string(text)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .starts, in: container,
        debugDescription: "'\(text)' is not a moment such as 2039-10-07T19:30:00Z")
    }
    self.starts = starts
    rows = try container.decode([Row].self, forKey: .rows)
  }

  private enum CodingKeys: CodingKey {
    case id, title, starts, rows
  }

  /// The number of seats.
  public var seatCount: Int { rows.reduce(0) { $0 + $1.seats } }

  /// Every seat, row by row.
  public var seats: [Seat] {
    rows.flatMap { row in (1...row.seats).map { Seat(row: row.name, number: $0) } }
  }

  /// The row of a seat, or `nil` if the house has no such seat.
  public func row(of seat: Seat) -> Row? {
    rows.first { $0.name == seat.row && (1...$0.seats).contains(seat.number) }
  }
}

/// Seats of one price.
public struct Row: Hashable, Decodable, Sendable {
  /// The row's letter.
  public let name: String
  /// The number of seats in the row, from 1.
  public let seats: Int
  /// The price of one seat.
  public let price: Money

  /// Makes a row.
  public init(name: String, seats: Int, price: Money) {
    self.name = name
    self.seats = seats
    self.price = price
  }

  /// Reads a row. The price is a whole number of the smallest unit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    seats = try container.decodeWholeNumber(forKey: .seats)
    price = Money(minorUnits: try container.decodeWholeNumber(forKey: .price))
  }

  private enum CodingKeys: CodingKey {
    case name, seats, price
  }

  /// The highest price in a season, so that the takings cannot overflow an `Int`.
  static let highestPrice = Money(minorUnits: 100_000_000)

  /// `A1 to A8`
  var span: String { seats == 1 ? "\(name)1" : "\(name)1 to \(name)\(seats)" }
}
