// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation
internal import UnderstudyDefinitions

/// Decides the price of a seat.
public protocol PricingPolicy: Sendable {
  /// The price of one seat.
  ///
  /// - Parameters:
  ///   - row: The row that the seat is in, with its list price.
  ///   - performance: The performance of the seat.
  ///   - moment: When it is sold.
  /// - Returns: The price of the seat.
  func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money
}

/// Production's policy: the list price, reduced in the last minutes before the curtain.
///
/// The settings give the reduction and the minutes. By default it is half the price in the last
/// hour.
public struct StandbyPricing: PricingPolicy {
  @Property("pricing.standby.minutes") private var minutes = 60
  @Property("pricing.standby.percent") private var percent = 50

  /// Makes a policy from the present settings.
  public init() {}

  /// The list price, or the reduced price.
  public func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money {
    let isStandby = performance.starts.timeIntervalSince(moment) <= Double(minutes) * 60
    return isStandby ? row.price.discounted(percent: percent) : row.price
  }
}
