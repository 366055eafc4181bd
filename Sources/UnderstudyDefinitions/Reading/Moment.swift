// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A date in ISO 8601: `2026-01-31T12:00:00Z`, `2026-01-31T14:00:00.5+02:00`.
///
/// Foundation reads the 31st of February as a day in March, drops fractions of a second, and
/// ignores trailing text. This reader rejects every invalid text.
struct Moment {
  /// Seconds since the first moment of 2001, UTC.
  let seconds: Double

  /// Reads a text, or returns `nil` if it is not a valid date.
  ///
  /// - Complexity: O(n).
  init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard let year = reader.number(of: 4), reader.take("-"),
      let month = reader.number(of: 2, in: 1...12), reader.take("-"),
      let day = reader.number(of: 2, in: 1...Self.days(of: month, year)), reader.take("T"),
      let hour = reader.number(of: 2, in: 0...23), reader.take(":"),
      let minute = reader.number(of: 2, in: 0...59), reader.take(":"),
      let second = reader.number(of: 2, in: 0...59), let fraction = reader.fraction(),
      let offset = reader.offset(), reader.rest.isEmpty
    else { return nil }
    let days = Self.day(year, month, day) - Self.day(2001, 1, 1)
    seconds = Double(((days * 24 + hour) * 60 + minute - offset) * 60 + second) + fraction
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of a day in the Gregorian calendar. The year starts in March here, so that a leap
  /// day is its last day.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    let leapDays = year.floored(by: 4) - year.floored(by: 100) + year.floored(by: 400)
    return year * 365 + leapDays + (months * 153 + 2) / 5 + day
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(of count: Int, in range: ClosedRange<Int> = 0...9999) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
      rest = rest.dropFirst(count)
      let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return range.contains(value) ? value : nil
    }

    /// The fraction of a second, if there is one.
    mutating func fraction() -> Double? {
      guard take(".") else { return 0 }
      let digits = rest.prefix(while: \.isDigit)
      rest = rest[digits.endIndex...]
      return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// The offset of the time zone from UTC, in minutes.
    mutating func offset() -> Int? {
      if take("Z") { return 0 }
      let isAhead = take("+")
      guard isAhead || take("-"), let hours = number(of: 2, in: 0...23) else { return nil }
      _ = take(":")
      guard let minutes = number(of: 2, in: 0...59) else { return nil }
      return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
  }
}

extension Int {
  /// The quotient, rounded down.
  fileprivate func floored(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}
