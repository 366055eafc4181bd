// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The receipt that a patron gets after a sale.
public struct Receipt: Hashable, Sendable {
  /// The number of the sale.
  public let sale: Int
  /// The patron that gets it.
  public let patron: String
  /// The text.
  public let text: String

  /// Makes a receipt.
  public init(sale: Int, patron: String, text: String) {
    self.sale = sale
    self.patron = patron
    self.text = text
  }

  /// Writes the receipt of a sale.
  public init(for sale: Sale, of performance: Performance, in season: Season) {
    let seats = list(sale.seats.map(\.description))
    self.init(
      sale: sale.number, patron: sale.patron,
      text: """
        \(season.house)
        Receipt \(sale.number), \(sale.soldAt.minuteText)

        \(performance.title)
        \(performance.starts.minuteText)
        \(sale.seats.count == 1 ? "Seat" : "Seats") \(seats), for \(sale.patron.inOneLine)
        Paid \(sale.total.text(in: season.currency))

        """)
  }
}
