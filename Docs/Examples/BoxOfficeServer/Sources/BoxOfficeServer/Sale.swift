// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Foundation

/// A sold seat.
public struct Sale: Codable, Hashable, Sendable {
  /// The number of the sale, from 1. `nil` until the store has added it.
  public var number: Int?
  /// The title of the play.
  public let performance: String
  /// The seat.
  public let seat: String
  /// The buyer.
  public let user: String
  /// The moment of the sale.
  public let soldAt: Date
}

/// The order of a client.
public struct Order: Codable, Hashable, Sendable {
  /// The title of the play.
  public let performance: String
  /// The wanted seat.
  public let seat: String

  /// Makes an order.
  public init(performance: String, seat: String) {
    self.performance = performance
    self.seat = seat
  }
}

/// Another buyer has the seat.
struct SeatTaken: Error {}
