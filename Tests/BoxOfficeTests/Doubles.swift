// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import UnderstudyTesting

/// A spy that records the sent receipts, and throws if the test says so.
final class MailerSpy: Mailer {
  struct Strike: Error {}

  let sends = Spy<Receipt, Void, any Error>("send(_:)")

  init(isOnStrike: Bool = false) {
    if isOnStrike { sends.throws(Strike()) }
  }

  func send(_ receipt: Receipt) throws { try sends(receipt) }
}

/// A mock that asks one price for every seat, and records the rows it was asked about.
final class PricingMock: PricingPolicy {
  let rows = Spy<String, Money, Never>("price(inRow:of:soldAt:)")

  init(_ price: Money) {
    rows.returns(price)
  }

  func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money {
    rows(row.name)
  }
}

/// A stub that always returns the same season.
struct SeasonStub: SeasonSource {
  func season() -> Season { .short }
}

/// A spy that decorates a working store.
final class StoreSpy: SalesStore {
  let adds = Spy<Sale, Void, Never>("add(_:)")
  private let underlying: any SalesStore

  init(_ underlying: any SalesStore) {
    self.underlying = underlying
  }

  func sales() throws -> [Sale] { try underlying.sales() }

  func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale {
    let sale = try underlying.add(decide)
    adds(sale)
    return sale
  }
}

/// A spy that records the program's output.
final class ConsoleSpy: Console {
  let says = Spy<String, Void, Never>("say(_:)")
  let complains = Spy<String, Void, Never>("complain(_:)")

  func say(_ text: String) { says(text) }
  func complain(_ text: String) { complains(text) }
}

extension Season {
  /// One performance: two seats at 30.00 and one at 20.00.
  static let short = Season(
    house: "The Fringe", currency: "GBP",
    performances: [
      Performance(
        id: "godot", title: "Waiting for Godot", starts: .curtain,
        rows: [
          Row(name: "A", seats: 2, price: Money(minorUnits: 3000)),
          Row(name: "B", seats: 1, price: Money(minorUnits: 2000)),
        ])
    ])
}

extension Date {
  /// The start of the short season's performance.
  static let curtain = Date(timeIntervalSince1970: 2_000_000_000)
  /// The day before the performance.
  static let dayBefore = curtain - 24 * 60 * 60
}

extension Seat {
  static let a1 = Seat(row: "A", number: 1)
  static let a2 = Seat(row: "A", number: 2)
  static let b1 = Seat(row: "B", number: 1)
}
