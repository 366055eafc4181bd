// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Foundation

/// A seat that is sold.
public struct Sale: Codable, Hashable, Sendable {
  /// Counts sales from 1; `nil` until the store has kept it.
  public var number: Int?
  /// What is played.
  public let performance: String
  /// The seat.
  public let seat: String
  /// The buyer.
  public let user: String
  /// When.
  public let soldAt: Date
}

/// What a client asks for.
public struct Order: Codable, Hashable, Sendable {
  /// What is played.
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
