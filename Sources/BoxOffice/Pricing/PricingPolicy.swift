// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Decides what a seat costs.
public protocol PricingPolicy: Sendable {
  /// The price of one seat.
  ///
  /// - Parameters:
  ///   - row: The row that the seat is in, with its list price.
  ///   - performance: What is seen from it.
  ///   - moment: When it is sold.
  /// - Returns: What is paid for the seat.
  func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money
}

/// Production's policy: the list price; half of it in the last hour before the curtain.
public struct StandbyPricing: PricingPolicy {
  /// Makes a policy.
  public init() {}

  /// The list price, or half of it.
  public func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money {
    let isStandby = performance.starts.timeIntervalSince(moment) <= 3600
    return isStandby ? row.price.discounted(percent: 50) : row.price
  }
}
