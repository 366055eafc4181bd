// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// An amount of money, in the smallest unit of the season's currency.
public struct Money: Hashable, Comparable, Sendable {
  /// Cents, pence, öre.
  public let minorUnits: Int

  /// The range of a price or a total: sums of such amounts cannot overflow.
  static let allowed = 0...1_000_000_000_000_000

  /// Makes an amount.
  public init(minorUnits: Int) {
    self.minorUnits = minorUnits
  }

  /// No money.
  public static let zero = Money(minorUnits: 0)

  /// The amount in a currency: `64.00 GBP`.
  public func text(in currency: String) -> String {
    let cents = minorUnits % 100
    return "\(minorUnits / 100).\(cents < 10 ? "0" : "")\(cents) \(currency)"
  }

  /// The amount less a discount, rounded in the patron's favour.
  public func discounted(percent: Int) -> Money {
    Money(minorUnits: minorUnits - (minorUnits * percent + 99) / 100)
  }

  /// The sum of two amounts.
  public static func + (left: Money, right: Money) -> Money {
    Money(minorUnits: left.minorUnits + right.minorUnits)
  }

  /// True if the left amount is the smaller.
  public static func < (left: Money, right: Money) -> Bool { left.minorUnits < right.minorUnits }
}

extension Money: Codable {
  /// Reads a whole number of the smallest unit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let units = try container.decode(Int.self)
    guard Money.allowed.contains(units) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(units) is not an amount of money")
    }
    self.init(minorUnits: units)
  }

  /// Writes a whole number of the smallest unit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(minorUnits)
  }
}
