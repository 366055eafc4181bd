// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation

// Beside the cassettes because this folder alone may use Foundation.
extension ManualDate {
  /// Creates a date that stands still.
  public init(_ date: Date) {
    self.init(sinceEpoch: .seconds(date.timeIntervalSince1970))
  }

  /// The date as Foundation's `Date`. Set it to move in time, also backwards.
  public var date: Date {
    get { Date(timeIntervalSince1970: sinceEpoch / .seconds(1)) }
    nonmutating set { sinceEpoch = .seconds(newValue.timeIntervalSince1970) }
  }
}

// Beside the cassettes because this folder alone may use Foundation.
extension UUIDSource {
  /// The number of a UUID, its first byte the highest.
  package static func number(of uuid: UUID) -> UInt128 {
    // The text of a UUID is 32 hexadecimal digits.
    UInt128(uuid.uuidString.filter { $0 != "-" }, radix: 16) ?? 0
  }

  /// The next UUID as Foundation's `UUID`.
  public func uuid() -> UUID {
    // The text of 128 bits is a UUID by construction.
    UUID(uuidString: nextText()) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
