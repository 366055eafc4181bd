// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The order of the command line.
struct SellOrder {
  var performance: String
  var seats: [Seat]
  var patron: String
  var discount: Int?

  /// Reads `--performance`, `--seats`, `--patron` and `--discount`.
  init(_ words: CommandLineWords) throws(BoxOfficeError) {
    let performance = try words.required(.performance)
    let seats = try Seat.list(words.required(.seats))
    try self.init(words, performance: performance, seats: seats)
  }

  /// Reads `--patron` and `--discount`.
  init(
    _ words: CommandLineWords, performance: String, seats: [Seat]
  ) throws(BoxOfficeError) {
    self.performance = performance
    self.seats = seats
    patron = words[.patron] ?? "a patron"
    guard let text = words[.discount] else { return }
    guard let percent = Int(text), (1...100).contains(percent) else { throw .notADiscount(text) }
    discount = percent
  }

  /// Hands a discount over, once.
  func registerDiscount(on registrar: some Registering) {
    guard let discount else { return }
    registrar.register(discount, named: OneTime.discount, lifecycle: .once)
  }

  /// Sells at a till that is created under the current overrides.
  func sell(on resolver: Resolver) throws -> Sale {
    try resolver.resolve(Till.self).sell(seats, for: performance, to: patron)
  }
}

extension Sale {
  /// `Sold A1 and A2 for 'hamlet-fri' to Ada: 64.00 GBP, sale 1.`
  func sentence(in currency: String) -> String {
    "Sold \(list(seats.map(\.description))) for '\(performance)' to \(patron.inOneLine): "
      + "\(total.text(in: currency)), sale \(number)."
  }
}
