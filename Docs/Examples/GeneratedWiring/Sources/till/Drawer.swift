// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

protocol Currency: Sendable {
  var sign: String { get }
}

/// - Understudy: component named pound
struct Pound: Currency {
  let sign = "£"
}

/// - Understudy: component named euro
struct Euro: Currency {
  let sign = "€"
}

/// Counts money in the currency that the property `till.currency` names.
///
/// - Understudy: component choosing currency by till.currency
struct Drawer {
  private let currency: any Currency

  init(_ currency: any Currency) {
    self.currency = currency
  }

  func text(of amount: Int) -> String { "\(currency.sign)\(amount)" }
}
