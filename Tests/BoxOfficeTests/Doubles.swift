// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Synchronization

/// What was given to a double, in order.
final class Calls<Argument: Sendable>: Sendable {
  private let kept = Mutex<[Argument]>([])

  var all: [Argument] { kept.withLock { $0 } }

  func add(_ argument: Argument) { kept.withLock { $0.append(argument) } }
}

/// A spy: keeps the receipts that it is told to send, and fails if it is told to.
final class MailerSpy: Mailer {
  struct Strike: Error {}

  let sends = Calls<Receipt>()
  private let isOnStrike: Bool

  init(isOnStrike: Bool = false) {
    self.isOnStrike = isOnStrike
  }

  func send(_ receipt: Receipt) throws {
    sends.add(receipt)
    if isOnStrike { throw Strike() }
  }
}

/// A mock: asks one price for every seat, and knows which rows it was asked about.
final class PricingMock: PricingPolicy {
  let rows = Calls<String>()
  private let price: Money

  init(_ price: Money) {
    self.price = price
  }

  func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money {
    rows.add(row.name)
    return price
  }
}

/// A stub: always the same season.
struct SeasonStub: SeasonSource {
  func season() -> Season { .short }
}

/// A spy over a store that works: a decorator.
final class StoreSpy: SalesStore {
  let added = Calls<Sale>()
  private let underlying: any SalesStore

  init(_ underlying: any SalesStore) {
    self.underlying = underlying
  }

  func sales() throws -> [Sale] { try underlying.sales() }

  func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale {
    let sale = try underlying.add(decide)
    added.add(sale)
    return sale
  }
}

/// A spy: keeps what the program says.
final class ConsoleSpy: Console {
  let said = Calls<String>()
  let complaints = Calls<String>()

  func say(_ text: String) { said.add(text) }
  func complain(_ text: String) { complaints.add(text) }
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
  /// When the short season's performance starts.
  static let curtain = Date(timeIntervalSince1970: 2_000_000_000)
  /// The day before.
  static let dayBefore = curtain - 24 * 60 * 60
}

extension Seat {
  static let a1 = Seat(row: "A", number: 1)
  static let a2 = Seat(row: "A", number: 2)
  static let b1 = Seat(row: "B", number: 1)
}
