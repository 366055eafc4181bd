// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

// In this folder, since only the cassettes may use Foundation.
extension ManualDate {
  /// Creates a date that stands still.
  public init(_ date: Date) {
    self.init(sinceEpoch: Duration(since1970: date))
  }

  /// The date as Foundation's `Date`. Set it to move in time, also backwards.
  public var date: Date {
    get { sinceEpoch.dateSince1970 }
    nonmutating set { sinceEpoch = Duration(since1970: newValue) }
  }
}

// A date counts from 2001, and so has more digits than seconds since 1970 can have. The parts are
// converted separately, so that a test gets back exactly the date that it has set.
extension Duration {
  private static var from1970To2001: Duration { .seconds(978_307_200) }

  /// The time from the start of 1970 to a date. A date out of range becomes the farthest one.
  fileprivate init(since1970 date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = Int64(exactly: seconds.rounded(.towardZero)) ?? (seconds < 0 ? .min : .max) / 2
    let part = seconds - seconds.rounded(.towardZero)
    self =
      Duration(
        secondsComponent: whole,
        attosecondsComponent: part.isNormal ? Int64((part * 1e18).rounded()) : 0)
      + Self.from1970To2001
  }

  fileprivate var dateSince1970: Date {
    let (seconds, attoseconds) = (self - Self.from1970To2001).components
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(attoseconds) / 1e18)
  }
}

// In this folder, since only the cassettes may use Foundation.
extension UUIDSource {
  /// The number of a UUID, its first byte the highest.
  package static func number(of uuid: UUID) -> UInt128 {
    // The text of a UUID is 32 hexadecimal digits.
    UInt128(uuid.uuidString.filter { $0 != "-" }, radix: 16) ?? 0
  }

  /// The next UUID as Foundation's `UUID`.
  public func uuid() -> UUID {
    // A text made of 128 bits is always a valid UUID.
    UUID(uuidString: nextText()) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
