// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// Sells seats.
///
/// All its dependencies are injected when it is created.
///
/// - Understudy: component
public struct Till: Sendable {
  @Inject private var source: any SeasonSource
  @Inject private var store: any SalesStore
  @Inject private var mailer: any Mailer
  @Inject(named: OneTime.discount) private var discount: Int?
  @Inject(\.pricing) private var pricing
  @Inject(\.clock) private var clock

  /// Makes a till.
  public init() {}

  /// Sells seats, and then sends the receipt.
  ///
  /// The sale is stored before the receipt is sent, so a failing mailer loses no sale.
  ///
  /// - Parameters:
  ///   - seats: The sold seats, at least one.
  ///   - performance: The performance's identifier.
  ///   - patron: The buyer.
  /// - Returns: The stored sale.
  /// - Throws: `BoxOfficeError` if the sale is refused, or the error of the store or the mailer.
  public func sell(_ seats: [Seat], for performance: String, to patron: String) throws -> Sale {
    let season = try source.season()
    let performance = try season.performance(performance)
    let now = clock.now
    guard now < performance.starts else {
      throw BoxOfficeError.begun(
        performance: performance.id, at: performance.starts.minuteText)
    }
    let price = try price(of: seats, for: performance, at: now)
    let sale = try store.add { sales in
      try performance.check(seats, against: sales)
      return Sale(
        number: sales.count + 1, performance: performance.id, seats: seats,
        patron: patron, total: price, soldAt: now)
    }
    try mailer.send(Receipt(for: sale, of: performance, in: season))
    return sale
  }

  private func price(
    of seats: [Seat], for performance: Performance, at now: Date
  ) throws -> Money {
    let rows = seats.map { performance.row(of: $0) }
    let unknown = zip(seats, rows).filter { $0.1 == nil }.map(\.0.description)
    guard unknown.isEmpty else {
      throw BoxOfficeError.noSuchSeats(
        unknown, performance: performance.id, rows: performance.rows.map(\.span))
    }
    let total = rows.compactMap { $0 }.reduce(.zero) {
      $0 + pricing.price(inRow: $1, of: performance, soldAt: now)
    }
    return discount.map { total.discounted(percent: $0) } ?? total
  }
}

extension Performance {
  /// Refuses seats that are already sold.
  fileprivate func check(_ seats: [Seat], against sales: [Sale]) throws {
    let sold = sales.soldSeats(for: id)
    guard sold.count < seatCount else { throw BoxOfficeError.soldOut(performance: id) }
    let taken = seats.filter { sold.contains($0) }
    guard taken.isEmpty else {
      throw BoxOfficeError.seatsTaken(taken.map(\.description), performance: id)
    }
  }
}
