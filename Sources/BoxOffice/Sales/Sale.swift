// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// A sale of seats.
public struct Sale: Hashable, Codable, Sendable {
  /// Its number in the store, from 1.
  public let number: Int
  /// The performance's identifier.
  public let performance: String
  /// The seats.
  public let seats: [Seat]
  /// The buyer.
  public let patron: String
  /// The paid amount.
  public let total: Money
  /// The moment of the sale.
  public let soldAt: Date

  /// Makes a sale.
  public init(
    number: Int, performance: String, seats: [Seat], patron: String, total: Money, soldAt: Date
  ) {
    self.number = number
    self.performance = performance
    self.seats = seats
    self.patron = patron
    self.total = total
    self.soldAt = soldAt
  }
}

extension Sequence<Sale> {
  /// The sold seats of a performance.
  public func soldSeats(for performance: String) -> Set<Seat> {
    reduce(into: []) { seats, sale in
      if sale.performance == performance { seats.formUnion(sale.seats) }
    }
  }
}
